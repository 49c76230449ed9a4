import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { ProjectService } from '../../src/project/project.service.js';
import { Urn } from '../../src/token/claims/urn.js';
import { TokenEnds } from '../../src/token/token-ends.js';
import { setState } from '../login/turns.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { basicAuth, bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { ACCESS_TOKEN_TYPE, exchangeOf, JWT_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

const RESOURCE = 'urn:example:exchanged';

let world: World;
let alice: TestPerson;
/** Signs users in. */
let front: RelyingParty;
/** Of the same project, exchanges what it is sent. */
let back: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  front = await party({ grantTypes: ['authorization_code', 'refresh_token'] });
  back = await party();
  const projectId = await world.cast.projectP;
  await world.transaction((tx) => world.get(ProjectService).setResources(tx, projectId, [RESOURCE], 'test'));
});
afterAll(() => world.close());
beforeEach(() => world.clock.advance('1m'));

async function party(settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const projectId = await world.cast.projectP;
  const grantTypes = ['authorization_code', 'refresh_token', 'token_exchange'] as ClientSettings['grantTypes'];
  return new RelyingParty(world, await world.add.client({ projectId, grantTypes, ...settings }));
}

async function exchange(
  token: string | undefined,
  over: Parameters = {},
  rp = back,
  more: Headers = {},
): Promise<Reply> {
  return rp.token(exchangeOf(token, over), world, more);
}

async function exchanged(token: string, over: Parameters = {}, rp = back): Promise<Tokens> {
  return tokensOf(await exchange(token, over, rp));
}

function outcomeOf(reply: Reply): string {
  return reply.status === 200 ? 'ok' : reply.json<{ error: string }>().error;
}

async function isActive(token: string): Promise<boolean> {
  return (await back.introspect(token)).json()['active'] === true;
}

describe('A token that is exchanged (RFC 8693)', () => {
  it('gives access to less, of the same user, for no longer than the one before [TEX-001]', async () => {
    const { access_token: token } = await front.tokens(alice, { scope: 'openid email profile offline_access' });
    world.clock.advance('1h');
    const projectId = await world.cast.projectP;
    const reply = await exchange(token, { scope: 'openid email', audience: projectId });
    expect(reply.json()).toMatchObject({
      issued_token_type: ACCESS_TOKEN_TYPE,
      token_type: 'Bearer',
      scope: 'openid email',
    });
    const tokens = tokensOf(reply);
    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
    const [before, after] = [
      (await back.introspect(token)).json(),
      (await back.introspect(tokens.access_token)).json(),
    ];
    expect(after).toMatchObject({
      sub: alice.id,
      client_id: back.client.clientId,
      aud: [projectId],
      exp: before['exp'],
    });
    expect(Number(after['iat'])).toBeGreaterThan(Number(before['iat']));
  });

  it('is all that the one before was, if nothing less is asked for, but never offline [TEX-001]', async () => {
    const { access_token: token } = await front.tokens(alice, { scope: 'openid email offline_access' });
    const tokens = await exchanged(token);
    expect(tokens.scope).toBe('openid email');
    expect((await back.introspect(tokens.access_token)).json()['aud']).toEqual([
      front.client.clientId,
      await world.cast.projectP,
    ]);
  });

  it('may be a JWT, and for a resource that the one before was for [TEX-001]', async () => {
    const { access_token: token } = await front.tokens(alice, { resource: RESOURCE });
    const reply = await exchange(token, { requested_token_type: JWT_TYPE, resource: RESOURCE });
    expect(reply.json()['issued_token_type']).toBe(JWT_TYPE);
    expect(decodeJwt(tokensOf(reply).access_token)).toMatchObject({ sub: alice.id, aud: [RESOURCE] });
  });

  it('costs one read, and writes nothing', async () => {
    const { access_token: token } = await front.tokens(alice);
    await exchanged(token);
    const own = (await statementsDuring(() => exchanged(token))).filter((text) => text.startsWith('token.'));
    expect(own).toHaveLength(1);
  });
});

describe('An exchange', () => {
  it('never widens: scope, audience and resource [TEX-002]', async () => {
    const { access_token: token } = await front.tokens(alice, { scope: 'openid email' });
    const cases: Array<[string, Parameters]> = [
      ['invalid_scope', { scope: 'openid profile' }],
      ['invalid_scope', { scope: 'openid offline_access' }],
      ['invalid_target', { audience: await world.cast.projectQ }],
      ['invalid_target', { audience: [await world.cast.projectP, 'https://elsewhere.test'] }],
      ['invalid_target', { resource: RESOURCE }],
      ['invalid_target', { resource: 'urn:example:unknown' }],
    ];
    for (const [error, over] of cases) expect([over, outcomeOf(await exchange(token, over))]).toEqual([over, error]);
  });

  it('is for those that the token is meant for [TEX-003]', async () => {
    const { access_token: token } = await front.tokens(alice);
    const stranger = await party({ projectId: await world.cast.projectQ });
    expect(outcomeOf(await exchange(token, {}, stranger))).toBe('invalid_request');
  });

  it('needs the token: without it, the client gets nothing of its own [TEX-004]', async () => {
    const { access_token: token } = await front.tokens(alice);
    expect(outcomeOf(await exchange(undefined))).toBe('invalid_request');
    expect(outcomeOf(await exchange(''))).toBe('invalid_request');
    const twice = { ...exchangeOf(token), subject_token: [token, token] };
    expect(outcomeOf(await back.token(twice))).toBe('invalid_request');
  });

  it('is for clients that authenticate and are registered for it [TEX-005]', async () => {
    const { access_token: token } = await front.tokens(alice);
    const open = await party({ authMethod: 'none', clientType: 'native' });
    expect(outcomeOf(await exchange(token, {}, open))).toBe('invalid_client');
    expect(outcomeOf(await exchange(token, {}, front))).toBe('unauthorized_client');
    const body = { ...exchangeOf(token), client_id: back.client.clientId };
    expect(outcomeOf(await send(world.origin, { method: 'POST', path: paths.token, body }))).toBe('invalid_client');
  });

  it('lets nobody act for anybody else by default, and does not look who was named [TEX-006, TEX-016]', async () => {
    const { access_token: token } = await front.tokens(alice);
    const cases: Parameters[] = [
      { actor_token: token, actor_token_type: ACCESS_TOKEN_TYPE },
      { actor_token: token },
      { actor_token_type: ACCESS_TOKEN_TYPE },
      { subject_token: alice.id, subject_token_type: 'urn:service:params:oauth:token-type:user_id' },
      { subject_token_type: 'unknown' },
      { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' },
      { requested_token_type: 'unknown' },
    ];
    for (const over of cases) expect([over, outcomeOf(await exchange(token, over))]).toEqual([over, 'invalid_request']);
  });

  it('takes empty parameters for absent ones, as the Go client of others sends them (RFC 6749 §3.2)', async () => {
    const { access_token: token } = await front.tokens(alice);
    const empty = { actor_token: '', actor_token_type: '', audience: '', resource: '', requested_token_type: '' };
    expect(outcomeOf(await exchange(token, empty))).toBe('ok');
  });

  it('takes access tokens of ours and nothing else [TEX-011]', async () => {
    const { refresh_token: refresh, id_token: id } = await back.tokens(alice, { scope: 'openid offline_access' });
    const service = await world.add.service({ orgId: alice.orgId });
    for (const token of [refresh, id, await back.code(alice), service.pat, 'unknown', 'a.b.c'])
      expect(outcomeOf(await exchange(token))).toBe('invalid_request');
  });

  it('is refused to an application whose users consent on a page [TEX-015]', async () => {
    const asking = await party({ consentPage: true });
    const { access_token: token } = await front.tokens(alice);
    expect(outcomeOf(await exchange(token, {}, asking))).toBe('unauthorized_client');
  });

  it('is refused for users whom the project does not admit any more [TEX-015]', async () => {
    const projectId = await world.add.project({ orgId: alice.orgId }, ['reader']);
    const [one, two] = [await party({ projectId }), await party({ projectId })];
    const { access_token: token } = await one.tokens(alice);
    expect(outcomeOf(await exchange(token, {}, two))).toBe('ok');
    await world.rows('UPDATE project SET project_role_check = true WHERE id = $1', [projectId]);
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, two.client.id, { name: 'New' }, EDITOR),
    );
    await world.changesToArrive();
    expect(outcomeOf(await exchange(token, {}, two))).toBe('invalid_request');
  });

  it('keeps the binding to a key, or binds to the key of who asks [TEX-014]', async () => {
    const [prover, other] = [await Prover.make(world), await Prover.make(world)];
    const bound = tokensOf(await front.redeem(await front.code(alice), {}, world, await prover.forTokens()));
    expect(outcomeOf(await exchange(bound.access_token))).toBe('invalid_dpop_proof');
    const tokens = tokensOf(await exchange(bound.access_token, {}, back, await other.forTokens()));
    expect((await back.introspect(tokens.access_token)).json()['cnf']).toEqual({ jkt: other.thumbprint });
  });
});

describe('A token that was exchanged', () => {
  it('ends with the tokens before it, and with their family and session [TEX-010]', async () => {
    const first = await front.tokens(alice);
    const second = await exchanged(first.access_token);
    const third = await exchanged(second.access_token);
    const others = await exchanged(first.access_token);
    expect((await back.revoke(second.access_token)).status).toBe(200);
    expect(await Promise.all([first, second, third, others].map((one) => isActive(one.access_token)))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect((await front.revoke(first.access_token)).status).toBe(200);
    expect(await isActive(others.access_token)).toBe(false);
    const family = await front.tokens(alice, { scope: 'openid offline_access' });
    const ofFamily = await exchanged(family.access_token);
    await front.revoke(family.refresh_token);
    expect(await isActive(ofFamily.access_token)).toBe(false);
  });

  it('ends with the access of any application before it, and of its own [TEX-010]', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const remove = async (clientId: string): Promise<void> =>
      world.transaction((tx) => world.get(TokenEnds).endAccessOf(tx, { userId: bob.id, orgId: bob.orgId }, clientId));
    const { access_token: first } = await front.elsewhere().tokens(bob);
    const { access_token: one } = await exchanged(first);
    world.clock.advance('1m');
    await remove(back.client.clientId);
    expect([await isActive(first), await isActive(one)]).toEqual([true, false]);
    world.clock.advance('1m');
    expect(outcomeOf(await exchange(first))).toBe('invalid_request');
    const { access_token: second } = await front.elsewhere().tokens(bob);
    const { access_token: two } = await exchanged(second);
    expect(await isActive(two)).toBe(true);
    await remove(front.client.clientId);
    expect([await isActive(second), await isActive(two)]).toEqual([false, false]);
  });

  it('is not valid if the token before it ends meanwhile, twenty times at once [TEX-010]', async () => {
    const { access_token: token } = await front.tokens(alice);
    const replies = await Promise.all([
      ...Array.from({ length: 10 }, () => exchange(token)),
      front.revoke(token),
      ...Array.from({ length: 10 }, () => exchange(token)),
    ]);
    for (const reply of replies.filter(({ text }) => text.includes('access_token')))
      expect(await isActive(tokensOf(reply).access_token)).toBe(false);
  });

  it('says how its user signed in, and lives no longer if its times are widened [TEX-001]', async () => {
    const jwt = await party({ accessTokenType: 'jwt', clockSkewSeconds: 5 });
    const { access_token: token } = await front.tokens(alice);
    const { access_token: first } = await exchanged(token, {}, jwt);
    const { access_token: second } = await exchanged(first, {}, jwt);
    expect(decodeJwt(second)).toMatchObject({ auth_time: expect.any(Number) });
    expect([decodeJwt(first).exp, decodeJwt(second).exp]).toEqual([decodeJwt(first).exp, decodeJwt(first).exp]);
    expect(decodeJwt(first).exp).toBeLessThanOrEqual(Number((await back.introspect(token)).json()['exp']));
  });

  it('is of a service user for as long as its application is active [TEX-010]', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    const scope = `openid urn:service:iam:org:project:id:${await world.cast.projectP}:aud`;
    const headers = basicAuth(service.userName, service.secret);
    const body = { grant_type: 'client_credentials', scope };
    const own = tokensOf(await send(world.origin, { method: 'POST', path: paths.token, headers, body }));
    const other = await party();
    const { access_token: token } = await exchanged(own.access_token, {}, other);
    expect(await isActive(token)).toBe(true);
    await world.rows(`UPDATE client SET state = 'inactive' WHERE client_id = $1`, [other.client.clientId]);
    expect([await isActive(own.access_token), await isActive(token)]).toEqual([true, false]);
  });

  it('ends with its user [TEX-010]', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const own = front.elsewhere();
    const { access_token: token } = await exchanged((await own.tokens(bob)).access_token);
    expect(await isActive(token)).toBe(true);
    await setState(world, bob, 'locked');
    expect(await isActive(token)).toBe(false);
  });

  it('is exchanged three times in a row at most [TEX-008]', async () => {
    let { access_token: token } = await front.tokens(alice);
    for (let step = 0; step < 3; step += 1) ({ access_token: token } = await exchanged(token));
    expect(outcomeOf(await exchange(token))).toBe('invalid_request');
  });

  it('never opens the administrative API, whatever the one before did [TEX-013]', async () => {
    const system = world.get(Urn).systemAudience;
    const { access_token: token } = await front.tokens(alice, { scope: `openid ${system}` });
    const me = { path: '/auth/v1/users/me', headers: bearer(token) };
    expect((await send(world.origin, me)).status).toBe(200);
    const tokens = await exchanged(token);
    expect(tokens.scope).toBe('openid');
    expect((await send(world.origin, { ...me, headers: bearer(tokens.access_token) })).status).toBe(401);
    expect(outcomeOf(await exchange(token, { scope: system }))).toBe('invalid_scope');
  });
});
