import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Clock } from '../../src/foundation/time/clock.js';
import { OrgService } from '../../src/org/org.service.js';
import type { Client } from '../../src/project/client/client.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { UserGrantService } from '../../src/project/user-grant/user-grant.service.js';
import { RefreshTokens } from '../../src/token/refresh-tokens.js';
import { TokenFamily } from '../../src/token/token-family.entity.js';
import { UserService } from '../../src/user/user.service.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { type Reply, send } from '../support/http.js';
import { paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectDead, expectInactive, expectToken400, expectToken401 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid email offline_access' };

let world: World;
/** Two processes that do not forgive a lost answer. */
let strict: World;
let strictReplica: World;
let alice: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ refreshGraceSeconds: 10 });
  strict = await startWorld({ refreshGraceSeconds: 0 });
  strictReplica = await startWorld({ replicaOf: strict, refreshGraceSeconds: 0 });
  alice = await world.cast.alice;
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(async () => {
  await strictReplica.close();
  await strict.close();
  await world.close();
});

const isAlive = async (rp: RelyingParty, tokens: Tokens): Promise<boolean> =>
  (await rp.userinfo(tokens.access_token)).status === 200;

describe('POST /oauth/v2/token, refresh_token', () => {
  it('is issued if offline_access was granted, and for clients with that grant [TOK-015]', async () => {
    expect((await web1.redeem(await web1.code(alice))).json()['refresh_token']).toBeUndefined();
    const rp = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, grantTypes: ['authorization_code'] }),
    );
    const tokens = await rp.tokens(alice, OFFLINE);
    expect([tokens.refresh_token, tokens.scope]).toEqual([undefined, 'openid email']);
    expectToken400(await rp.refresh('gtr_x'), 'unauthorized_client');
  });

  it('gives new tokens of the same sign-in, without the nonce (OIDC Core §12.2)', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    world.clock.advance('1h');
    const second = tokensOf(await web1.refresh(first.refresh_token));
    const [before, after] = [decodeJwt(first.id_token), await web1.verify(second.id_token)];
    expect(after).toMatchObject({
      iss: before.iss,
      sub: before.sub,
      aud: before.aud,
      azp: before['azp'],
      auth_time: before['auth_time'],
      amr: before['amr'],
    });
    expect(after.iat).toBe(before.iat! + 3600);
    expect(after).not.toHaveProperty('nonce');
    expect(second.scope).toBe(first.scope);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await isAlive(web1, first)).toBe(true); // old access tokens live to their expiry
  });
});

describe('Refresh tokens of several users that are used at the same moment', () => {
  const COUNT = 8;
  let rp: RelyingParty;

  beforeAll(async () => {
    rp = new RelyingParty(world, await world.cast.web1);
  });

  const families = async (): Promise<Tokens[]> => {
    const all: Tokens[] = [];
    while (all.length < COUNT) all.push(await rp.tokens(alice, OFFLINE));
    return all;
  };
  /** Past the edge, where the requests of one turn of the event loop cannot be arranged. */
  const spend = async (client: Client, tokens: readonly Tokens[]): Promise<string[]> => {
    const request = { scopes: undefined, resources: [], thumbprint: undefined };
    const spent = tokens.map((each) => world.get(RefreshTokens).spend(each.refresh_token, request, client));
    return (await Promise.all(spent)).map((each) => ('family' in each ? 'spent' : each.refusal));
  };

  it('are spent by one statement', async () => {
    const all = await families();
    const client = await world.get(ClientService).findActive(rp.client.clientId);
    let results: string[] = [];
    const statements = await statementsDuring(async () => {
      results = await spend(client!, all);
    });
    expect(results).toEqual(Array(COUNT).fill('spent'));
    expect(statements.map((text) => text.split(':')[0])).toEqual(['token_family.spend_together']);
  });

  it('are refused one by one, each for its own reason', async () => {
    const all = await families();
    await rp.revoke(all[3]!.refresh_token);
    const client = await world.get(ClientService).findActive(rp.client.clientId);
    const results = await spend(client!, all);
    expect(results).toEqual(all.map((_, at) => (at === 3 ? 'revoked' : 'spent')));
  });

  it('do not wait for a token that is locked', async () => {
    const all = await families();
    const client = await world.get(ClientService).findActive(rp.client.clientId);
    const [used, ...others] = all;
    const familyId = world.get(RefreshTokens).open(used!.refresh_token)!.familyId;
    let late: Promise<string[]> | undefined;
    await world.transaction(async (tx) => {
      await tx.entities.update(TokenFamily, { id: familyId }, { spentAt: world.get(Clock).now() });
      late = spend(client!, [used!]);
      expect(await spend(client!, others)).toEqual(Array(COUNT - 1).fill('spent'));
    });
    expect(await late).toEqual(['spent']);
  });

  it('of which two are the same give one successor', async () => {
    const [first, second] = await families();
    const answers = await Promise.all([first, second, first].map((each) => rp.refresh(each!.refresh_token)));
    const [one, other, again] = answers.map(tokensOf);
    expect(one!.refresh_token).toBe(again!.refresh_token);
    expect(one!.refresh_token).not.toBe(other!.refresh_token);
  });
});

describe('Reuse of a refresh token (RFC 9700 §4.14.2)', () => {
  it('is refused, and ends the family with all its tokens, on every process [TOK-016]', async () => {
    const rp = new RelyingParty(strict, await strict.cast.web1);
    const first = await rp.tokens(await strict.cast.alice, OFFLINE);
    const second = tokensOf(await rp.refresh(first.refresh_token));
    expectToken400(await rp.refresh(first.refresh_token), 'invalid_grant');
    for (const at of [strict, strictReplica]) {
      expectInactive(await rp.introspect(first.access_token, {}, at));
      expectInactive(await rp.introspect(second.access_token, {}, at));
      expectDead(await rp.userinfo(second.access_token, at));
      expectToken400(
        await rp.token({ grant_type: 'refresh_token', refresh_token: second.refresh_token }, at),
        'invalid_grant',
      );
    }
  });

  it('after the tolerance for a lost response ends the family [TOK-016]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    const second = tokensOf(await web1.refresh(first.refresh_token));
    world.clock.advance('11s');
    expectToken400(await web1.refresh(first.refresh_token), 'invalid_grant');
    expect(await isAlive(web1, second)).toBe(false);
    expectToken400(await web1.refresh(second.refresh_token), 'invalid_grant');
  });

  it('of a token two generations back ends the family at once [TOK-016]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    const second = tokensOf(await web1.refresh(first.refresh_token));
    const third = tokensOf(await web1.refresh(second.refresh_token));
    expectToken400(await web1.refresh(first.refresh_token), 'invalid_grant');
    expectToken400(await web1.refresh(third.refresh_token), 'invalid_grant');
  });

  it('by a client that lost the response gives the same successor again, within ten seconds [TOK-018]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    const second = tokensOf(await web1.refresh(first.refresh_token));
    world.clock.advance('9s');
    const again = tokensOf(await web1.refresh(first.refresh_token));
    expect(again.refresh_token).toBe(second.refresh_token);
    expect(await isAlive(web1, again)).toBe(true);
    const third = tokensOf(await web1.refresh(second.refresh_token));
    expect(third.refresh_token).not.toBe(second.refresh_token);
  });
});

describe('One refresh token used 20 times at once over two processes', () => {
  it('is used once without tolerance; at most one family stays active [TOK-017]', async () => {
    const rp = new RelyingParty(strict, await strict.cast.web1);
    for (let round = 0; round < 3; round += 1) {
      const first = await rp.tokens(await strict.cast.alice, OFFLINE);
      const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token };
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, i) => rp.token(form, i % 2 === 0 ? strict : strictReplica)),
      );
      expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      for (const reply of replies) if (reply.status !== 200) expectToken400(reply, 'invalid_grant');
    }
  });

  it('gives one successor to all of them within the tolerance [TOK-017]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    const replies = await Promise.all(Array.from({ length: 20 }, () => web1.refresh(first.refresh_token)));
    const successors = replies.map((reply) => tokensOf(reply).refresh_token);
    expect(new Set(successors).size).toBe(1);
    expect((await web1.refresh(successors[0]!)).status).toBe(200);
  });
});

describe('A refresh token of another client', () => {
  it('is refused, and its family continues unharmed [TOK-019]', async () => {
    const tokens = await web1.tokens(alice, OFFLINE);
    for (const name of ['web2', 'web3'] as const) {
      expectToken400(
        await new RelyingParty(world, await world.cast[name]).refresh(tokens.refresh_token),
        'invalid_grant',
      );
    }
    const nat1 = new RelyingParty(world, await world.cast.nat1);
    expectToken400(await nat1.refresh(tokens.refresh_token), 'invalid_grant');
    const body = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: 'web1' };
    expectToken401(await send(world.origin, { method: 'POST', path: paths.token, body }), false);
    const next = tokensOf(await web1.refresh(tokens.refresh_token));
    // Also a spent one: a thief with other credentials cannot end the family.
    expectToken400(await new RelyingParty(world, await world.cast.web2).refresh(tokens.refresh_token), 'invalid_grant');
    expect((await web1.refresh(next.refresh_token)).status).toBe(200);
  });
});

describe('An unknown scope beside known ones', () => {
  it('is dropped from a refresh as it was from the authorization request; where nothing known is left, it is an error', async () => {
    const scope = 'openid foo urn:service:iam:org:project:role:nobody offline_access';
    const first = await web1.tokens(alice, { scope });
    expect(first.scope).toBe('openid offline_access');
    expectToken400(await web1.refresh(first.refresh_token, { scope: 'foo bar' }), 'invalid_scope');
    expectToken400(await web1.refresh(first.refresh_token, { scope: 'foo email' }), 'invalid_scope'); // known, and not granted
    expect(tokensOf(await web1.refresh(first.refresh_token, { scope })).scope).toBe('openid offline_access');
  });
});

describe('scope of a refresh (RFC 6749 §6)', () => {
  it('may shrink, never grow; omitted it is the original one again [TOK-020]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    expectToken400(await web1.refresh(first.refresh_token, { scope: 'openid profile' }), 'invalid_scope');
    const narrow = tokensOf(await web1.refresh(first.refresh_token, { scope: 'openid openid' }));
    expect(narrow.scope).toBe('openid');
    expect((await web1.userinfo(narrow.access_token)).json()).not.toHaveProperty('email');
    const whole = tokensOf(await web1.refresh(narrow.refresh_token));
    expect(whole.scope).toBe('openid email offline_access');
  });

  it('that is malformed is refused, and nothing is spent [TOK-020]', async () => {
    const first = await web1.tokens(alice, OFFLINE);
    for (const scope of ['openid "x"', 'openid\temail'])
      expectToken400(await web1.refresh(first.refresh_token, { scope }), 'invalid_scope');
    expect((await web1.refresh(first.refresh_token)).status).toBe(200);
  });
});

describe('The life of a refresh token', () => {
  it('ends when it was not used for 30 days [TOK-021]', async () => {
    const [kept, left] = [await web1.tokens(alice, OFFLINE), await web1.tokens(alice, OFFLINE)];
    world.clock.advance('29d');
    const next = tokensOf(await web1.refresh(kept.refresh_token));
    world.clock.advance('2d');
    expectToken400(await web1.refresh(left.refresh_token), 'invalid_grant');
    expect((await web1.refresh(next.refresh_token)).status).toBe(200);
  });

  it('ends after 90 days although it is used every day [TOK-021]', async () => {
    let token = (await web1.tokens(alice, OFFLINE)).refresh_token;
    for (let day = 1; day < 90; day += 1) {
      world.clock.advance('1d');
      token = tokensOf(await web1.refresh(token)).refresh_token;
    }
    world.clock.advance('1d');
    expectToken400(await web1.refresh(token), 'invalid_grant');
  });

  it('does not end with the login session, nor do the tokens that it gives', async () => {
    const rp = web1.elsewhere();
    const first = await rp.tokens(alice, OFFLINE);
    await rp.endSession({ id_token_hint: first.id_token });
    expect(await isAlive(rp, first)).toBe(false);
    const second = tokensOf(await rp.refresh(first.refresh_token));
    expect(await isAlive(rp, second)).toBe(true);
    expect(decodeJwt(second.id_token)).not.toHaveProperty('sid');
  });
});

describe('A refresh after something changed', () => {
  async function refreshAfter(
    change: (person: TestPerson) => Promise<unknown>,
    undo?: () => Promise<unknown>,
  ): Promise<Reply> {
    const person = await world.add.person({ orgId: (await world.cast.orgB).id });
    const rp = new RelyingParty(world, await world.cast.web3);
    const tokens = await rp.tokens(person, OFFLINE);
    await change(person);
    const reply = await rp.refresh(tokens.refresh_token);
    await undo?.();
    return reply;
  }
  const users = (): UserService => world.get(UserService);

  it.each<[string, (person: TestPerson) => Promise<unknown>]>([
    [
      'the person was deactivated [TOK-022]',
      (person) => world.transaction((tx) => users().changeState(tx, person.id, 'inactive', EDITOR)),
    ],
    [
      'the person was locked [TOK-022]',
      (person) => world.transaction((tx) => users().changeState(tx, person.id, 'locked', EDITOR)),
    ],
    ['the person was deleted [TOK-022]', (person) => world.transaction((tx) => users().remove(tx, person.id, EDITOR))],
    ['the password was changed [TOK-023]', (person) => world.add.newPassword(person.id, 'Another-Horse-8')],
  ])('is refused when %s', async (_, change) => {
    expectToken400(await refreshAfter(change), 'invalid_grant');
  });

  it('is refused when organization, project or client was deactivated [TOK-022]', async () => {
    const setOrg = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) => world.get(OrgService).changeState(tx, (await world.cast.orgB).id, state, EDITOR));
    const setProject = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) =>
        world.get(ProjectService).changeState(tx, await world.cast.projectQ, state, EDITOR),
      );
    const setClient = (state: 'active' | 'inactive') =>
      world.transaction(async (tx) =>
        world.get(ClientService).changeState(tx, (await world.cast.web3).id, state, EDITOR),
      );
    for (const set of [setOrg, setProject, setClient]) {
      expect([400, 401]).toContain(
        (
          await refreshAfter(
            () => set('inactive'),
            () => set('active'),
          )
        ).status,
      );
    }
  });

  it('is refused when the client lost the grant [TOK-024]', async () => {
    const change = (grantTypes: Array<'authorization_code' | 'refresh_token'>) =>
      world.transaction(async (tx) =>
        world.get(ClientService).changeSettings(tx, (await world.cast.web3).id, { grantTypes }, EDITOR),
      );
    expectToken400(
      await refreshAfter(
        () => change(['authorization_code']),
        () => change(['authorization_code', 'refresh_token']),
      ),
      'unauthorized_client',
    );
  });

  it('names no role that was taken away [TOK-022]', async () => {
    const projectId = await world.cast.projectP;
    const client = await world.add.client({
      projectId,
      idTokenRoleAssertion: true,
      accessTokenType: 'jwt',
      accessTokenRoleAssertion: true,
    });
    const rp = new RelyingParty(world, client);
    const person = await world.add.person({ orgId: (await world.cast.orgA).id });
    const grantId = await world.add.grant(person.id, projectId, (await world.cast.orgA).id, ['writer']);
    const first = await rp.tokens(person, OFFLINE);
    for (const token of [first.id_token, first.access_token])
      expect(decodeJwt(token)).toHaveProperty(['urn:service:iam:org:project:roles', 'writer']);
    await world.transaction((tx) => world.get(UserGrantService).remove(tx, grantId, EDITOR));
    const second = tokensOf(await rp.refresh(first.refresh_token));
    for (const token of [second.id_token, second.access_token])
      expect(JSON.stringify(decodeJwt(token))).not.toContain('writer');
  });
});

describe('A refresh token that was never issued', () => {
  it.each([undefined, ''])('is missing: %p', async (token) => {
    expectToken400(await web1.token({ grant_type: 'refresh_token', refresh_token: token }), 'invalid_request');
  });

  it('is refused, and so is every other kind of token [TOK-065]', async () => {
    const tokens = await web1.tokens(alice, OFFLINE);
    const wrong = [
      tokens.access_token,
      tokens.id_token,
      await web1.code(alice),
      tokens.refresh_token.slice(0, -1),
      `${tokens.refresh_token}A`,
      'null',
      'x'.repeat(20_000),
    ];
    for (const token of wrong) expectToken400(await web1.refresh(token), 'invalid_grant');
    expect((await web1.refresh(tokens.refresh_token)).status).toBe(200);
  });
});
