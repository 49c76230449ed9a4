import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { OrgService } from '../../src/org/org.service.js';
import { ServiceUserService } from '../../src/user/service-user.service.js';
import { UserService } from '../../src/user/user.service.js';
import { exchangeAssertion, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestService } from '../support/builders.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { basicAuth, bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { expectDead, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let svc1: TestService;

beforeAll(async () => {
  world = await startWorld();
  svc1 = await world.cast.svc1;
});
afterAll(() => world.close());

async function ask(form: Parameters = {}, service: Pick<TestService, 'userName' | 'secret'> = svc1): Promise<Reply> {
  return send(world.origin, {
    method: 'POST',
    path: paths.token,
    headers: basicAuth(service.userName, service.secret),
    body: { grant_type: 'client_credentials', scope: 'openid', ...form },
  });
}

describe('POST /oauth/v2/token, client_credentials (RFC 6749 §4.4)', () => {
  it('gives an access token and nothing else [TOK-044]', async () => {
    const reply = await ask({ scope: 'openid profile offline_access' });
    expect(reply.json()).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 43_200,
      scope: 'openid profile',
    });
  });

  it('accepts the user name or the id, in the header or in the body', async () => {
    expect((await ask({}, { userName: svc1.id, secret: svc1.secret })).status).toBe(200);
    for (const id of [svc1.userName, svc1.id, svc1.userName.toUpperCase()]) {
      const body = { grant_type: 'client_credentials', client_id: id, client_secret: svc1.secret };
      expect((await send(world.origin, { method: 'POST', path: paths.token, body })).status).toBe(200);
    }
  });

  it('gives a token whose subject is the service user', async () => {
    const { access_token: token } = tokensOf(await ask({ scope: 'openid profile' }));
    const reply = await send(world.origin, { path: paths.userinfo, headers: bearer(token) });
    expect(reply.json()).toMatchObject({ sub: svc1.id, preferred_username: 'svc1@orga.test', name: 'svc1' });
  });

  it('gives a JWT to service users that are set up so (RFC 9068)', async () => {
    const service = await world.add.service({ orgId: svc1.orgId, accessTokenType: 'jwt' });
    const { access_token: token } = tokensOf(await ask({}, service));
    expect(decodeJwt(token)).toMatchObject({
      iss: world.issuer,
      sub: service.id,
      client_id: service.userName,
      scope: 'openid',
    });
  });

  it.each([undefined, ''])('needs no scope, and then no answer has one (RFC 6749 §3.3): %p', async (scope) => {
    expect((await ask({ scope })).json()).not.toHaveProperty('scope');
  });
});

describe('What a service user does not have', () => {
  it('is not granted: other organizations, refresh tokens, unknown scopes [TOK-043]', async () => {
    const orgB = await world.cast.orgB;
    const scope = [
      'openid',
      'offline_access',
      'nothing',
      `urn:service:iam:org:id:${orgB.id}`,
      'urn:service:iam:org:domain:primary:orgb.test',
      `urn:service:iam:org:id:${svc1.orgId}`,
    ].join(' ');
    expect((await ask({ scope })).json()['scope']).toBe(`openid urn:service:iam:org:id:${svc1.orgId}`);
  });

  it('is not named: roles of projects in which it has none [TOK-043]', async () => {
    const projectId = await world.cast.projectQ;
    const service = await world.add.service({ orgId: svc1.orgId, accessTokenType: 'jwt' });
    const scope = `openid urn:service:iam:org:projects:roles urn:service:iam:org:project:id:${projectId}:aud urn:service:iam:org:project:role:reader`;
    const before = decodeJwt(tokensOf(await ask({ scope }, service)).access_token);
    expect(JSON.stringify(before)).not.toContain('"reader"');
    expect(before.aud).toEqual([service.userName, projectId]);
    await world.add.grant(service.id, projectId, (await world.cast.orgB).id, ['reader']);
    const after = decodeJwt(tokensOf(await ask({ scope }, service)).access_token);
    expect(after[`urn:service:iam:org:project:${projectId}:roles`]).toHaveProperty('reader');
    expect(JSON.stringify(after)).not.toContain('"writer"');
  });

  it.each(['foo bar', 'offline_access', 'urn:service:iam:org:id:0', 'urn:service:iam:org:project:id:0:aud'])(
    'is an error if nothing is left: %s (RFC 6749 §5.2)',
    async (scope) => {
      expectToken400(await ask({ scope }), 'invalid_scope');
      const assertion = await signAssertion(world, svc1.key, svc1.id);
      expectToken400(await exchangeAssertion(world, assertion, { scope }), 'invalid_scope');
      expect((await exchangeAssertion(world, assertion, { scope: `${scope} openid` })).json()).toMatchObject({
        scope: 'openid',
      });
    },
  );

  it.each(['openid "x"', 'openid\n', 'é'])('is not a malformed scope: %j', async (scope) => {
    expectToken400(await ask({ scope }), 'invalid_scope');
  });
});

describe('A client that is not a service user', () => {
  it('may not use this grant: an application with good credentials [TOK-045]', async () => {
    for (const name of ['web1', 'post1', 'jwt1', 'api1'] as const) {
      const rp = new RelyingParty(world, await world.cast[name]);
      expectToken400(await rp.token({ grant_type: 'client_credentials' }), 'unauthorized_client');
    }
  });

  it('is refused like any other: a human user', async () => {
    const alice = await world.cast.alice;
    expectToken401(await ask({}, { userName: alice.userName, secret: alice.password }));
  });
});

describe('A service user that lost its access', () => {
  it('is refused, and so are its tokens: deactivated, secret removed, secret replaced, deleted [TOK-046]', async () => {
    const services = world.get(ServiceUserService);
    const changes: Array<(id: string) => Promise<unknown>> = [
      (id) => world.transaction((tx) => world.get(UserService).changeState(tx, id, 'inactive', EDITOR)),
      (id) => world.transaction((tx) => services.removeSecret(tx, id, EDITOR)),
      (id) => world.transaction((tx) => services.generateSecret(tx, id, EDITOR)),
      (id) => world.transaction((tx) => world.get(UserService).remove(tx, id, EDITOR)),
    ];
    for (const change of changes) {
      const service = await world.add.service({ orgId: svc1.orgId });
      const { access_token: token } = tokensOf(await ask({}, service));
      await change(service.id);
      expectToken401(await ask({}, service));
      expectDead(await send(world.origin, { path: paths.userinfo, headers: bearer(token) }));
    }
  });

  it('is refused while its organization is deactivated', async () => {
    const svc2 = await world.cast.svc2;
    const set = (state: 'active' | 'inactive') =>
      world.transaction((tx) => world.get(OrgService).changeState(tx, svc2.orgId, state, EDITOR));
    const { access_token: token } = tokensOf(await ask({}, svc2));
    await set('inactive');
    expectToken401(await ask({}, svc2));
    expectDead(await send(world.origin, { path: paths.userinfo, headers: bearer(token) }));
    await set('active');
    expect((await ask({}, svc2)).status).toBe(200);
  });
});

describe('People and service users', () => {
  it('never share a name or an id, so that sub distinguishes them [TOK-047]', async () => {
    const alice = await world.cast.alice;
    for (const input of [{ userName: 'alice' }, { userName: 'ALICE' }, { id: alice.id }]) {
      await expect(world.add.service({ orgId: svc1.orgId, ...input })).rejects.toMatchObject({ kind: 'AlreadyExists' });
    }
    await expect(world.add.person({ orgId: svc1.orgId, userName: svc1.userName })).rejects.toMatchObject({
      kind: 'AlreadyExists',
    });
    await expect(world.add.person({ orgId: svc1.orgId, id: svc1.id })).rejects.toMatchObject({ kind: 'AlreadyExists' });
  });
});

describe('Applications and service users', () => {
  it("never share a client_id, so that a token of the one is not the other's (RFC 9700 §4.15)", async () => {
    const [web1, projectId] = [await world.cast.web1, await world.cast.projectP];
    for (const input of [
      { userName: web1.clientId },
      { userName: web1.id },
      { id: web1.clientId },
      { id: web1.id },
      { userName: 'swagger' },
    ]) {
      await expect(world.add.service({ orgId: svc1.orgId, ...input })).rejects.toMatchObject({
        kind: 'AlreadyExists',
        reason: 'user.name_taken',
      });
    }
    const inactive = await world.add.service({ orgId: svc1.orgId });
    await world.transaction((tx) => world.get(UserService).changeState(tx, inactive.id, 'inactive', EDITOR));
    for (const input of [
      { clientId: svc1.userName },
      { clientId: svc1.id },
      { id: svc1.userName },
      { id: svc1.id },
      { clientId: inactive.userName },
    ]) {
      await expect(world.add.client({ projectId, ...input })).rejects.toMatchObject({
        kind: 'AlreadyExists',
        reason: 'client.id_taken',
      });
    }
  });

  it('never share one when both are created at once', async () => {
    const projectId = await world.cast.projectP;
    for (let round = 0; round < 5; round += 1) {
      const name = `twin-${round}`;
      const made = await Promise.allSettled([
        world.add.client({ projectId, clientId: name }),
        world.add.service({ orgId: svc1.orgId, userName: name }),
      ]);
      expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('may have the name of a human user, who is not a client', async () => {
    const alice = await world.cast.alice;
    expect((await world.add.client({ projectId: await world.cast.projectP, clientId: alice.userName })).clientId).toBe(
      alice.userName,
    );
  });
});

describe('Credentials in the query', () => {
  it('are never read, and never logged [TOK-048]', async () => {
    const path = `${paths.token}?client_id=${svc1.userName}&client_secret=${svc1.secret}&grant_type=client_credentials`;
    expectToken401(
      await send(world.origin, { method: 'POST', path, body: { grant_type: 'client_credentials' } }),
      false,
    );
    expect(world.logText()).not.toContain(svc1.secret);
  });
});
