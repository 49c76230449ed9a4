import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt, type JWTPayload } from 'jose';
import type { ClientSettings } from '../../src/client/client-settings.js';
import { InstanceService } from '../../src/instance/instance.service.js';
import { KeyService } from '../../src/key/key.service.js';
import type { RoleName } from '../../src/permission/role.js';
import { TokenEnds } from '../../src/token/token-ends.js';
import { setState } from '../login/turns.js';
import { EDITOR, type TestPerson, type TestService } from '../support/builders.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { basicAuth, bearer, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { actedBy, exchangeOf, ID_TOKEN_TYPE, JWT_TYPE, USER_ID_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
/** The user for whom others act. */
let alice: TestPerson;
/** Acts for users of the organization. */
let support: TestPerson;
/** Signs users in. */
let front: RelyingParty;
/** Of the same project, exchanges what it is sent. */
let back: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  support = await personWith(['ORG_END_USER_IMPERSONATOR']);
  front = await party({ grantTypes: ['authorization_code', 'refresh_token'] });
  back = await party();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1m');
  await switchTo(true);
});

async function switchTo(on: boolean): Promise<void> {
  await world.get(InstanceService).setImpersonation(on, EDITOR);
  await world.changesToArrive();
}

async function party(settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const projectId = await world.cast.projectP;
  const grantTypes = ['authorization_code', 'refresh_token', 'token_exchange'] as ClientSettings['grantTypes'];
  return new RelyingParty(world, await world.add.client({ projectId, grantTypes, ...settings }));
}

async function give(userId: string, roles: readonly RoleName[], orgId = alice.orgId): Promise<void> {
  const { id: instanceId } = await world.get(InstanceService).get();
  const [ofInstance, ofOrg] = [
    roles.filter((role) => role.startsWith('IAM_')),
    roles.filter((role) => role.startsWith('ORG_')),
  ];
  if (ofOrg.length > 0) await world.add.member(userId, ofOrg, { level: 'org', objectId: orgId, orgId });
  if (ofInstance.length > 0)
    await world.add.member(userId, ofInstance, { level: 'instance', objectId: instanceId, orgId: instanceId });
}

async function personWith(roles: readonly RoleName[], orgId = alice.orgId): Promise<TestPerson> {
  const person = await world.add.person({ orgId });
  await give(person.id, roles, orgId);
  return person;
}

/** An access token of the front, from a browser of its own. */
async function tokenOf(person: TestPerson, over: Parameters = {}, rp = front): Promise<string> {
  return (await rp.elsewhere().tokens(person, { scope: 'openid email', ...over })).access_token;
}

async function ask(subject: string, actor: string, over: Parameters = {}, more: Headers = {}): Promise<Reply> {
  return back.token(exchangeOf(subject, { ...actedBy(actor), ...over }), world, more);
}

const forId = (over: Parameters = {}): Parameters => ({ subject_token_type: USER_ID_TYPE, ...over });

async function acting(subject: string, actor: string, over: Parameters = {}): Promise<Tokens> {
  return tokensOf(await ask(subject, actor, over));
}

function outcomeOf(reply: Reply): string {
  if (reply.status === 200) return 'ok';
  const { error, error_description: words } = reply.json<{ error: string; error_description: string }>();
  return `${error}: ${words}`;
}

const REFUSED =
  'invalid_request: The subject_token or actor_token is not valid, not meant for this client, or not allowed together.';

async function shown(token: string): Promise<Readonly<Record<string, unknown>>> {
  return (await back.introspect(token)).json();
}

async function isActive(token: string): Promise<boolean> {
  return (await shown(token))['active'] === true;
}

describe('A user who acts for another one (RFC 8693 §1.1)', () => {
  it('is named besides the user, in introspection, userinfo and JWTs [TEX-001]', async () => {
    const reply = await ask(await tokenOf(alice), await tokenOf(support), { requested_token_type: JWT_TYPE });
    const { access_token: token } = tokensOf(reply);
    const act = { sub: support.id, iss: world.issuer };
    expect(await shown(token)).toMatchObject({ active: true, sub: alice.id, client_id: back.client.clientId, act });
    const info = await send(world.origin, { path: paths.userinfo, headers: bearer(token) });
    expect(info.json()).toMatchObject({ sub: alice.id, email: alice.email, act });
    expect(decodeJwt(token)).toMatchObject({ sub: alice.id, act });
    expect(reply.json()).toMatchObject({ token_type: 'Bearer', issued_token_type: JWT_TYPE });
    expect(decodeJwt(token)).not.toHaveProperty('auth_time');
  });

  it('needs only the id of the user, with a role for it [TEX-001]', async () => {
    const { access_token: token, scope } = await acting(alice.id, await tokenOf(support), forId());
    expect(scope).toBe('openid email');
    expect(await shown(token)).toMatchObject({ sub: alice.id, act: { sub: support.id } });
  });

  it('may be a service user with a token of its own', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    await give(service.id, ['ORG_END_USER_IMPERSONATOR']);
    const { access_token: token } = await acting(alice.id, await serviceToken(service), forId());
    expect(await shown(token)).toMatchObject({ sub: alice.id, act: { sub: service.id } });
  });

  it('gets no more than both tokens allow: scope, audience and life [TEX-002]', async () => {
    const wide = await tokenOf(alice, { scope: 'openid profile email offline_access' });
    world.clock.advance('1h');
    const narrow = await tokenOf(support, { scope: 'openid profile' });
    const { access_token: token, scope } = await acting(wide, narrow);
    expect(scope).toBe('openid profile');
    expect((await shown(token))['exp']).toBe((await shown(wide))['exp']);
    expect(outcomeOf(await ask(wide, narrow, { scope: 'openid email' }))).toMatch(/^invalid_scope/);
    expect(outcomeOf(await ask(alice.id, narrow, forId({ scope: 'openid email' })))).toMatch(/^invalid_scope/);
    expect(outcomeOf(await ask(alice.id, narrow, forId({ audience: await world.cast.projectQ })))).toMatch(
      /^invalid_target/,
    );
    world.clock.advance('11h');
    const { access_token: late } = await acting(alice.id, narrow, forId());
    expect((await shown(late))['exp']).toBe((await shown(narrow))['exp']);
  });

  it('is recorded on every issue, with the client and the scopes, by one read more and one write', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const actor = await tokenOf(support);
    await acting(bob.id, actor, forId());
    const statements = await statementsDuring(() => acting(bob.id, actor, forId({ scope: 'openid' })));
    expect(statements.filter((text) => text.startsWith('token.')).map((text) => text.split(':')[0])).toEqual([
      'token.actor',
      'token.alive',
      'token.impersonated',
    ]);
    const events = await world.rows<{ editor_id: string; payload: Record<string, unknown> }>(
      `SELECT editor_id, payload FROM event WHERE aggregate_id = $1 AND type = 'user.impersonated' ORDER BY position`,
      [bob.id],
    );
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({
      editor_id: support.id,
      payload: { actorId: support.id, clientId: back.client.clientId, scopes: ['openid'] },
    });
  });

  it('acts for one user twenty times at once, and each time is recorded', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const actor = await tokenOf(support);
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask(bob.id, actor, forId())));
    expect(replies.map(outcomeOf)).toEqual(Array(20).fill('ok'));
    const [row] = await world.rows<{ count: number }>(
      `SELECT count(*)::int AS count FROM event WHERE aggregate_id = $1 AND type = 'user.impersonated'`,
      [bob.id],
    );
    expect(row?.count).toBe(20);
  });
});

async function serviceToken(service: TestService): Promise<string> {
  const audience = `urn:service:iam:org:project:id:${await world.cast.projectP}:aud`;
  const reply = await send(world.origin, {
    method: 'POST',
    path: paths.token,
    headers: basicAuth(service.userName, service.secret),
    body: { grant_type: 'client_credentials', scope: `openid email ${audience}` },
  });
  return tokensOf(reply).access_token;
}

describe('Acting for another user is refused', () => {
  it('while the instance does not allow it, for any user that is named [TEX-006]', async () => {
    const [subject, actor] = [await tokenOf(alice), await tokenOf(support)];
    await switchTo(false);
    const asking = [
      async () => ask(subject, actor),
      async () => ask(alice.id, actor, forId()),
      async () => ask('x', 'y', forId()),
      async () => back.token(exchangeOf(alice.id, forId(actedBy(actor)))),
    ];
    for (const one of asking) {
      const outcomes: string[] = [];
      const statements = await statementsDuring(async () => outcomes.push(outcomeOf(await one())));
      expect(outcomes[0]).toMatch(/^invalid_request: Acting for other users is switched off/);
      expect(statements.filter((text) => !text.includes('"Instance"'))).toEqual([]); // Nobody is looked up.
    }
  });

  it('for whom the role does not reach, in the same words as for nobody [TEX-007]', async () => {
    const other = await world.cast.orgB;
    const manager = await personWith(['ORG_OWNER_VIEWER']);
    const owner = await personWith(['IAM_OWNER']);
    const locked = await world.add.person({ orgId: alice.orgId });
    await setState(world, locked, 'locked');
    const removed = await world.add.person({ orgId: alice.orgId });
    await world.rows('DELETE FROM user_account WHERE id = $1', [removed.id]);
    const service = await world.add.service({ orgId: alice.orgId });
    const stranger = await world.add.person({ orgId: other.id });
    const actor = await tokenOf(support);
    for (const { id } of [manager, owner, locked, removed, service, stranger, support, { id: '404' }, { id: 'ä b' }])
      expect([id, outcomeOf(await ask(id, actor, forId()))]).toEqual([id, REFUSED]);
    const ordinary = await world.add.person({ orgId: alice.orgId });
    const ordinaryToken = await tokenOf(ordinary);
    const before = world.logText().length;
    expect(outcomeOf(await ask(alice.id, ordinaryToken, forId()))).toBe(REFUSED);
    const line = world
      .logText()
      .slice(before)
      .split('\n')
      .find((text) => text.includes('actor_not_allowed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ userId: ordinary.id, clientId: back.client.clientId });
    expect(outcomeOf(await ask(await tokenOf(alice), await tokenOf(owner)))).toBe(REFUSED);
  });

  it('for managers, unless the role reaches everything that they manage [TEX-007]', async () => {
    const manager = await personWith(['ORG_OWNER']);
    const owner = await personWith(['IAM_OWNER_VIEWER']);
    const [ofOrg, ofAll] = [await personWith(['ORG_ADMIN_IMPERSONATOR']), await personWith(['IAM_ADMIN_IMPERSONATOR'])];
    const [one, all] = [await tokenOf(ofOrg), await tokenOf(ofAll)];
    expect(outcomeOf(await ask(manager.id, one, forId()))).toBe('ok');
    expect(outcomeOf(await ask(owner.id, one, forId()))).toBe(REFUSED);
    expect(outcomeOf(await ask(owner.id, all, forId()))).toBe('ok');
    expect(outcomeOf(await ask(alice.id, all, forId()))).toBe('ok');
  });

  it('without a token of the one who acts, or with one of another kind [TEX-006, TEX-016]', async () => {
    const [subject, actor] = [await tokenOf(alice), await tokenOf(support)];
    const cases: Parameters[] = [
      {
        actor_token: undefined,
        actor_token_type: undefined,
        subject_token: alice.id,
        subject_token_type: USER_ID_TYPE,
      },
      { actor_token: undefined },
      { actor_token: '' },
      { actor_token_type: undefined },
      { actor_token_type: 'unknown' },
      { actor_token_type: USER_ID_TYPE, actor_token: support.id },
      { actor_token: 'unknown' },
      { actor_token: (await world.add.service({ orgId: alice.orgId })).pat },
    ];
    for (const over of cases)
      expect([over, outcomeOf(await ask(subject, actor, over))]).toEqual([
        over,
        expect.stringMatching(/^invalid_request/),
      ]);
  });

  it('with a token of the actor that is not meant for the client [TEX-003]', async () => {
    const elsewhere = await party({ projectId: await world.cast.projectQ });
    const seen = await tokenOf(support, {}, elsewhere);
    expect(outcomeOf(await ask(alice.id, seen, forId()))).toBe(REFUSED);
  });
});

describe('A token with an actor', () => {
  it('is no token of an actor, and is exchanged again for other actors, three at most [TEX-008]', async () => {
    const subject = await tokenOf(alice);
    const { access_token: lent } = await acting(subject, await tokenOf(support));
    expect(outcomeOf(await ask((await world.add.person({ orgId: alice.orgId })).id, lent, forId()))).toBe(REFUSED);
    const others = [await personWith(['ORG_END_USER_IMPERSONATOR']), await personWith(['ORG_END_USER_IMPERSONATOR'])];
    let token = lent;
    for (const actor of others) ({ access_token: token } = await acting(token, await tokenOf(actor)));
    expect(await shown(token)).toMatchObject({
      sub: alice.id,
      act: { sub: others[1]!.id, act: { sub: others[0]!.id, act: { sub: support.id } } },
    });
    const fourth = await tokenOf(await personWith(['ORG_END_USER_IMPERSONATOR']));
    expect(outcomeOf(await ask(token, fourth))).toBe(REFUSED);
    const { access_token: again } = tokensOf(await back.token(exchangeOf(lent)));
    expect((await shown(again))['act']).toEqual({ sub: support.id, iss: world.issuer });
  });

  it('ends with the actor, and with the switch [TEX-009]', async () => {
    const actor = await personWith(['ORG_END_USER_IMPERSONATOR']);
    const own = front.elsewhere();
    const make = async (): Promise<string> => (await acting(alice.id, await tokenOf(actor), forId())).access_token;
    const first = await make();
    await switchTo(false);
    expect(await isActive(first)).toBe(false);
    await switchTo(true);
    expect(await isActive(first)).toBe(true);
    await setState(world, actor, 'inactive');
    expect(await isActive(first)).toBe(false);
    await setState(world, actor, 'active');
    const { access_token: ownToken, id_token: hint } = await own.tokens(actor, { scope: 'openid email' });
    const { access_token: second } = await acting(alice.id, ownToken, forId());
    expect(await isActive(second)).toBe(true);
    await own.endSession({ id_token_hint: hint });
    expect(await isActive(second)).toBe(false);
  });

  it('ends with the token of the actor, and with the access of its application [TEX-009]', async () => {
    const actor = await personWith(['ORG_END_USER_IMPERSONATOR']);
    const given = await tokenOf(actor);
    const { access_token: first } = await acting(alice.id, given, forId());
    await front.revoke(given);
    expect(await isActive(first)).toBe(false);
    const { access_token: second } = await acting(alice.id, await tokenOf(actor), forId());
    const user = { userId: actor.id, orgId: actor.orgId };
    await world.transaction((tx) => world.get(TokenEnds).endAccessOf(tx, user, front.client.clientId));
    expect(await isActive(second)).toBe(false);
  });

  it('stays when the actor loses the role, but none is issued any more [TEX-009]', async () => {
    const actor = await personWith(['ORG_END_USER_IMPERSONATOR']);
    const given = await tokenOf(actor);
    const { access_token: token } = await acting(alice.id, given, forId());
    await world.rows('DELETE FROM member WHERE user_id = $1', [actor.id]);
    expect(await isActive(token)).toBe(true);
    expect(outcomeOf(await ask(alice.id, given, forId()))).toBe(REFUSED);
  });

  it('ends with the user: a new password, a lock, a revoked token [TEX-009, TEX-010]', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const actor = await tokenOf(support);
    const make = async (): Promise<string[]> => {
      const subject = await tokenOf(bob);
      return [
        (await acting(subject, actor)).access_token,
        (await acting(bob.id, actor, forId())).access_token,
        subject,
      ];
    };
    const states = async (tokens: readonly string[]): Promise<boolean[]> => Promise.all(tokens.map(isActive));
    const first = await make();
    await front.revoke(first[2]!);
    expect(await states(first)).toEqual([false, true, false]);
    const second = await make();
    await world.add.newPassword(bob.id, 'Another-password-1!');
    expect(await states(second)).toEqual([false, false, false]);
    await setState(world, bob, 'locked');
    expect(outcomeOf(await ask(bob.id, actor, forId()))).toBe(REFUSED);
  });

  it('is bound to the key of who asks, if one of both was bound [TEX-014]', async () => {
    const [prover, other] = [await Prover.make(world), await Prover.make(world)];
    const bound = tokensOf(await front.redeem(await front.code(support), {}, world, await prover.forTokens()));
    expect(outcomeOf(await ask(alice.id, bound.access_token, forId()))).toMatch(/^invalid_dpop_proof/);
    const reply = await ask(alice.id, bound.access_token, forId(), await other.forTokens());
    expect((await shown(tokensOf(reply).access_token))['cnf']).toEqual({ jkt: other.thumbprint });
  });
});

describe('An ID token in an exchange', () => {
  it('stands for a user who is still signed in, at the client that it was issued to [TEX-012]', async () => {
    const own = back.elsewhere();
    const { id_token: id } = await own.tokens(alice, { scope: 'openid email' });
    const subject = { subject_token_type: ID_TOKEN_TYPE };
    const { access_token: token, scope } = tokensOf(await back.token(exchangeOf(id, subject)));
    expect(scope).toBe('openid');
    expect(await shown(token)).toMatchObject({ sub: alice.id, auth_time: expect.any(Number) });
    const { id_token: foreign } = await front.elsewhere().tokens(alice);
    expect(outcomeOf(await back.token(exchangeOf(foreign, subject)))).toBe(REFUSED);
    await own.endSession({ id_token_hint: id });
    expect(await isActive(token)).toBe(false);
    expect(outcomeOf(await back.token(exchangeOf(id, subject)))).toBe(REFUSED);
    const { id_token: old } = await back.elsewhere().tokens(alice);
    world.clock.advance('13h');
    expect(outcomeOf(await back.token(exchangeOf(old, subject)))).toBe(REFUSED);
  });

  it('is issued in the place of an access token, and names the actor [TEX-001]', async () => {
    const over = { requested_token_type: ID_TOKEN_TYPE };
    const [subject, actor] = [await tokenOf(alice), await tokenOf(support)];
    const own = (await back.token(exchangeOf(subject, over))).json<Record<string, unknown>>();
    expect(own).toMatchObject({ token_type: 'N_A', issued_token_type: ID_TOKEN_TYPE });
    expect(own).not.toHaveProperty('id_token');
    const claims = decodeJwt(String(own['access_token']));
    expect(claims).toMatchObject({ sub: alice.id, aud: back.client.clientId, auth_time: expect.any(Number) });
    expect(claims.exp).toBeLessThanOrEqual(Number((await shown(subject))['exp']));
    const lent = tokensOf(await ask(subject, actor, over)).access_token;
    expect(decodeJwt(lent)).toMatchObject({ sub: alice.id, act: { sub: support.id, iss: world.issuer } });
    for (const token of [claims, decodeJwt(lent)]) expect(token).not.toHaveProperty('sid');
    expect(decodeJwt(lent)).not.toHaveProperty('auth_time');
    const asSubject = { subject_token_type: ID_TOKEN_TYPE };
    for (const token of [String(own['access_token']), lent])
      expect(outcomeOf(await back.token(exchangeOf(token, asSubject)))).toBe(REFUSED);
    const asActor = { actor_token: lent, actor_token_type: ID_TOKEN_TYPE };
    expect(outcomeOf(await ask(alice.id, '', forId(asActor)))).toBe(REFUSED);
    expect(outcomeOf(await ask(subject, actor, { ...over, audience: await world.cast.projectP }))).toMatch(
      /^invalid_target/,
    );
    const bare = await tokenOf(alice, { scope: 'openid email' });
    expect(outcomeOf(await back.token(exchangeOf(bare, { ...over, scope: 'email' })))).toMatch(/^invalid_scope/);
  });

  it('says who may act for its user, in place of roles (RFC 8693 §4.4)', async () => {
    const { id_token: id } = await back.elsewhere().tokens(alice);
    const { access_token: token, id_token: ownId } = await back
      .elsewhere()
      .tokens(await world.add.person({ orgId: alice.orgId }));
    const friend = decodeJwt(ownId).sub;
    const over = { subject_token_type: ID_TOKEN_TYPE };
    expect(outcomeOf(await ask(id, token, over))).toBe(REFUSED);
    expect(outcomeOf(await ask(await withMayAct(id, { sub: friend }), token, over))).toBe('ok');
    const actor = await tokenOf(support);
    expect(outcomeOf(await ask(id, actor, over))).toBe('ok');
    for (const mayAct of [{ sub: friend }, {}, 'x', null])
      expect(outcomeOf(await ask(await withMayAct(id, mayAct), actor, over))).toBe(REFUSED);
  });
});

/** The same ID token, as we would have signed it. */
async function withMayAct(idToken: string, mayAct: unknown): Promise<string> {
  const claims: JWTPayload = { ...decodeJwt(idToken), may_act: mayAct };
  return (await world.get(KeyService).signer()).sign('JWT', claims);
}
