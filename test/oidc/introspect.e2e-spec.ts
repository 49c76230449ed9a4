import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, decodeJwt, exportSPKI, importJWK, SignJWT } from 'jose';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, makeKey, type TestPerson } from '../support/builders.js';
import { send } from '../support/http.js';
import { otherSpellings } from '../support/jwt-spellings.js';
import { basicAuth, paths, publishedKeys, RelyingParty } from '../support/relying-party.js';
import { openSink } from '../support/sink.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let replica: World;
let web1: RelyingParty;
let jwt: RelyingParty;
let api1: RelyingParty;
let alice: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  web1 = new RelyingParty(world, await world.cast.web1);
  jwt = new RelyingParty(world, await world.cast.web4);
  api1 = new RelyingParty(world, await world.cast.api1);
  alice = await world.cast.alice;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

describe('POST /oauth/v2/introspect (RFC 7662)', () => {
  it('returns the token, its user and the claims of its scopes to its audience', async () => {
    for (const rp of [web1, jwt]) {
      const { access_token: token } = await rp.tokens(alice, { scope: 'openid email phone' });
      const now = world.now();
      const projectId = await world.cast.projectP;
      for (const asker of [rp, api1]) {
        expect((await asker.introspect(token)).json()).toEqual({
          active: true,
          scope: 'openid email phone',
          client_id: rp.client.clientId,
          token_type: 'Bearer',
          username: 'alice@orga.test',
          iss: world.issuer,
          sub: alice.id,
          aud: [rp.client.clientId, projectId],
          exp: now + 43_200,
          iat: now,
          nbf: now,
          jti: expect.any(String),
          acr: '1',
          auth_time: expect.any(Number),
          email: 'alice@mail.test',
          email_verified: true,
          phone_number: '+41791234567',
          phone_number_verified: true,
        });
      }
    }
  });

  it('returns nothing about the user beyond the scopes [INT-008]', async () => {
    const reply = (await web1.introspect((await web1.tokens(alice)).access_token)).json();
    expect(Object.keys(reply).sort()).toEqual([
      'acr',
      'active',
      'aud',
      'auth_time',
      'client_id',
      'exp',
      'iat',
      'iss',
      'jti',
      'nbf',
      'scope',
      'sub',
      'token_type',
      'username',
    ]);
  });

  it('names the roles in the project of the caller', async () => {
    const person = await world.add.person({ orgId: alice.orgId });
    await world.add.grant(person.id, await world.cast.projectP, alice.orgId, ['reader']);
    const reply = (await api1.introspect((await web1.elsewhere().tokens(person)).access_token)).json();
    expect(reply['urn:service:iam:org:project:roles']).toEqual({ reader: { [alice.orgId]: 'orga.test' } });
  });
});

describe('Who may ask', () => {
  it('is a client that authenticates itself, which a public client cannot [INT-001]', async () => {
    const { access_token: token } = await web1.tokens(alice);
    const ask = (headers: Record<string, string>, extra = {}) =>
      send(world.origin, { method: 'POST', path: paths.introspect, headers, body: { token, ...extra } });
    expectToken401(await ask({}), false);
    expectToken401(await ask(basicAuth('web1', 'wrong') as Record<string, string>));
    expectToken401(await ask(basicAuth('nobody', 'x') as Record<string, string>));
    await world.cast.nat1;
    expectToken401(await ask({}, { client_id: 'nat1' }), false);
    expectToken401(await ask({}, { client_id: 'web1' }), false);
  });

  it('learns nothing of tokens that are meant for others [INT-002]', async () => {
    const strangers = [new RelyingParty(world, await world.cast.api2), new RelyingParty(world, await world.cast.web3)];
    await world.changesToArrive();
    for (const stranger of strangers) expectInactive(await stranger.introspect('x')); // known from now on
    for (const rp of [web1, jwt]) {
      const { access_token: token } = await rp.tokens(alice);
      for (const stranger of strangers) {
        const statements = await statementsDuring(async () => expectInactive(await stranger.introspect(token)));
        expect(statements).toHaveLength(0);
      }
    }
  });

  it('learns of a token whose audience scope names its project', async () => {
    const api2 = new RelyingParty(world, await world.cast.api2);
    const { access_token: token } = await web1.tokens(alice, {
      scope: `openid urn:service:iam:org:project:id:${await world.cast.projectQ}:aud`,
    });
    expect((await api2.introspect(token)).json()).toMatchObject({ active: true });
  });
});

describe('A personal access token (docs/adr/0001)', () => {
  it("is known only to clients of its organization's projects, of granted ones, and where its user has a role", async () => {
    const [orgA, orgB, projectQ] = [await world.cast.orgA, await world.cast.orgB, await world.cast.projectQ];
    const api2 = new RelyingParty(world, await world.cast.api2);
    const service = await world.add.service({ orgId: orgA.id });
    const ask = async (rp: RelyingParty): Promise<unknown> => (await rp.introspect(service.pat)).json();
    expect(await ask(api1)).toMatchObject({ active: true, sub: service.id, aud: ['api1', await world.cast.projectP] });
    expect(await ask(api2)).toEqual({ active: false });

    await world.add.grant(service.id, projectQ, orgB.id, ['reader']);
    expect(await ask(api2)).toMatchObject({ active: true, sub: service.id });
    await world.rows("UPDATE user_grant SET state = 'inactive' WHERE user_id = $1", [service.id]);
    expect(await ask(api2)).toEqual({ active: false });

    await world.rows("INSERT INTO project_grant (id, project_id, granted_org_id) VALUES ('g-pat', $1, $2)", [
      projectQ,
      orgA.id,
    ]);
    expect(await ask(api2)).toMatchObject({ active: true });
    await world.rows("UPDATE project_grant SET state = 'inactive' WHERE id = 'g-pat'");
    expect(await ask(api2)).toEqual({ active: false });
    await world.rows("DELETE FROM project_grant WHERE id = 'g-pat'");
  });

  it('takes one statement to answer, for unrelated clients as for others', async () => {
    const { pat } = await world.add.service({ orgId: (await world.cast.orgA).id });
    const api2 = new RelyingParty(world, await world.cast.api2);
    for (const rp of [api1, api2]) {
      await rp.introspect('x');
      await world.changesToArrive();
      expect(await statementsDuring(async () => void (await rp.introspect(pat)))).toHaveLength(1);
    }
  });
});

describe('What is not active', () => {
  it('is exactly that: random, refresh token, code, id_token, cut, expired [INT-003]', async () => {
    const tokens = await web1.tokens(alice, { scope: 'openid offline_access' });
    const texts = [
      'x',
      'null',
      '0',
      tokens.refresh_token,
      tokens.id_token,
      await web1.code(alice),
      tokens.access_token.slice(0, -1),
      'é',
      'x'.repeat(20_000),
      'a.b.c',
    ];
    for (const token of texts) expectInactive(await web1.introspect(token));
    world.clock.advance('12h');
    expectInactive(await web1.introspect(tokens.access_token));
    expectInactive(await web1.introspect((await jwt.tokens(alice)).access_token.slice(0, -2)));
  });

  it('includes tokens that were revoked, signed out of, or both, regardless of a valid signature [INT-003, INT-006]', async () => {
    for (const party of [web1, jwt]) {
      const rp = party.elsewhere();
      const [revoked, kept] = [await rp.tokens(alice), await rp.tokens(alice)];
      await rp.revoke(revoked.access_token);
      expectInactive(await rp.introspect(revoked.access_token));
      expectInactive(await rp.introspect(revoked.access_token, {}, replica));
      expect((await rp.introspect(kept.access_token)).json()).toMatchObject({ active: true });
      await rp.endSession({ id_token_hint: kept.id_token });
      expectInactive(await rp.introspect(kept.access_token));
      expectInactive(await rp.introspect(kept.access_token, {}, replica));
    }
  });

  it('includes the tokens of users who are not active, at once and on every process [INT-005]', async () => {
    const users = world.get(UserService);
    const changes: Array<(id: string) => Promise<unknown>> = [
      (id) => world.transaction((tx) => users.changeState(tx, id, 'inactive', EDITOR)),
      (id) => world.transaction((tx) => users.changeState(tx, id, 'locked', EDITOR)),
      (id) => world.transaction((tx) => users.remove(tx, id, EDITOR)),
    ];
    for (const change of changes) {
      for (const party of [web1, jwt]) {
        const rp = party.elsewhere();
        const person = await world.add.person({ orgId: alice.orgId });
        const { access_token: token } = await rp.tokens(person);
        await change(person.id);
        for (const at of [world, replica]) expectInactive(await rp.introspect(token, {}, at));
      }
    }
  });

  it('includes the tokens of clients, projects and organizations that are not active [INT-005]', async () => {
    const web3 = await world.cast.web3;
    // Asked by an application of another project, which stays active.
    const scope = `openid urn:service:iam:org:project:id:${await world.cast.projectP}:aud`;
    const setOrg = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) => world.get(OrgService).changeState(tx, (await world.cast.orgB).id, state, EDITOR));
    const setProject = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) =>
        world.get(ProjectService).changeState(tx, await world.cast.projectQ, state, EDITOR),
      );
    const setClient = (state: 'active' | 'inactive') =>
      world.transaction((tx) => world.get(ClientService).changeState(tx, web3.id, state, EDITOR));
    const { access_token: token } = await new RelyingParty(world, web3).tokens(alice, { scope });
    for (const set of [setOrg, setProject, setClient]) {
      expect((await api1.introspect(token)).json()).toMatchObject({ active: true });
      await set('inactive');
      for (const at of [world, replica]) expectInactive(await api1.introspect(token, {}, at));
      await set('active');
    }
  });
});

describe('A JWT access token', () => {
  it('has one spelling: neither padding, blanks, line breaks nor set unused bits (RFC 7515 §2)', async () => {
    const { access_token: token } = await jwt.tokens(alice);
    for (const text of otherSpellings(token)) expectInactive(await jwt.introspect(text));
    expect((await jwt.introspect(token)).json()).toMatchObject({ active: true });
    for (const text of otherSpellings(token)) expectInactive(await jwt.introspect(text));
  });
});

describe('A forged JWT [INT-007]', () => {
  it('is not active, and no key is fetched for it', async () => {
    const sink = await openSink();
    const [jwk] = (await publishedKeys(world)).keys;
    const claims = decodeJwt((await jwt.tokens(alice)).access_token);
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = { alg: 'RS256', typ: 'at+jwt', kid: jwk!.kid! };
    const pem = await exportSPKI((await importJWK(jwk!, 'RS256')) as CryptoKey);
    const stranger = await makeKey();
    const hs = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
    const sign = (over: object, other: object = {}) =>
      new SignJWT({ ...claims, ...other }).setProtectedHeader({ ...header, ...over }).sign(stranger.privateKey);
    const forged = [
      `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
      `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
      await sign({}),
      await sign({ kid: 'unknown' }),
      await sign({ kid: 'unknown', jku: sink.url }),
      await sign({ x5u: sink.url }),
      await sign({ jwk: stranger.publicJwk }),
      await sign({}, { iss: 'https://other.test' }),
    ];
    await world.changesToArrive();
    await jwt.introspect('x');
    const statements = await statementsDuring(async () => {
      for (const token of forged) expectInactive(await jwt.introspect(token));
    });
    expect(statements).toEqual([]);
    expect(sink.connections).toBe(0);
    await sink.close();
  });
});

describe('The request', () => {
  it('has one token, in the form, by POST [INT-003, INT-004]', async () => {
    const { access_token: token } = await web1.tokens(alice);
    expectToken400(await web1.introspect('', { token: [token, token] }), 'invalid_request');
    expectToken400(await web1.introspect(''), 'invalid_request');
    expectToken400(await web1.introspect('', { token: undefined }), 'invalid_request');
    const { headers } = await web1.credentials();
    expectToken400(
      await send(world.origin, { method: 'POST', path: `${paths.introspect}?token=${token}`, headers, body: {} }),
      'invalid_request',
    );
    expect((await send(world.origin, { path: `${paths.introspect}?token=${token}`, headers })).status).toBe(405);
  });
});
