import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { TokenEnds } from '../../src/token/token-ends.js';
import { setState } from '../login/turns.js';
import type { TestPerson, TestService } from '../support/builders.js';
import { type Parameters, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { basicAuth, bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { actedBy, exchangeOf, JWT_TYPE, USER_ID_TYPE } from '../support/token-exchange.js';
import type { World } from '../support/world.js';
import { forId, ImpersonationStage, outcomeOf, party, REFUSED } from './impersonation-stage.js';

let stage: ImpersonationStage;
let world: World;
let alice: TestPerson;
let support: TestPerson;
let front: RelyingParty;
let back: RelyingParty;

beforeAll(async () => {
  stage = await ImpersonationStage.set();
  ({ world, alice, support, front, back } = stage);
});
afterAll(() => world.close());
beforeEach(async () => {
  world.clock.advance('1m');
  await stage.switchTo(true);
});

describe('A user who acts for another one (RFC 8693 §1.1)', () => {
  it('is named besides the user, in introspection, userinfo and JWTs [TEX-001]', async () => {
    const reply = await stage.ask(await stage.tokenOf(alice), await stage.tokenOf(support), {
      requested_token_type: JWT_TYPE,
    });
    const { access_token: token } = tokensOf(reply);
    const act = { sub: support.id, iss: world.issuer };
    expect(await stage.shown(token)).toMatchObject({
      active: true,
      sub: alice.id,
      client_id: back.client.clientId,
      act,
    });
    const info = await send(world.origin, { path: paths.userinfo, headers: bearer(token) });
    expect(info.json()).toMatchObject({ sub: alice.id, email: alice.email, act });
    expect(decodeJwt(token)).toMatchObject({ sub: alice.id, act });
    expect(reply.json()).toMatchObject({ token_type: 'Bearer', issued_token_type: JWT_TYPE });
    expect(decodeJwt(token)).not.toHaveProperty('auth_time');
  });

  it('needs only the id of the user, with a role for it [TEX-001]', async () => {
    const { access_token: token, scope } = await stage.acting(alice.id, await stage.tokenOf(support), forId());
    expect(scope).toBe('openid email');
    expect(await stage.shown(token)).toMatchObject({ sub: alice.id, act: { sub: support.id } });
  });

  it('may be a service user with a token of its own', async () => {
    const service = await world.add.service({ orgId: alice.orgId });
    await stage.give(service.id, ['ORG_END_USER_IMPERSONATOR']);
    const { access_token: token } = await stage.acting(alice.id, await serviceToken(service), forId());
    expect(await stage.shown(token)).toMatchObject({ sub: alice.id, act: { sub: service.id } });
  });

  it('gets no more than both tokens allow: scope, audience and life [TEX-002]', async () => {
    const wide = await stage.tokenOf(alice, { scope: 'openid profile email offline_access' });
    world.clock.advance('1h');
    const narrow = await stage.tokenOf(support, { scope: 'openid profile' });
    const { access_token: token, scope } = await stage.acting(wide, narrow);
    expect(scope).toBe('openid profile');
    expect((await stage.shown(token))['exp']).toBe((await stage.shown(wide))['exp']);
    expect(outcomeOf(await stage.ask(wide, narrow, { scope: 'openid email' }))).toMatch(/^invalid_scope/);
    expect(outcomeOf(await stage.ask(alice.id, narrow, forId({ scope: 'openid email' })))).toMatch(/^invalid_scope/);
    expect(outcomeOf(await stage.ask(alice.id, narrow, forId({ audience: await world.cast.projectQ })))).toMatch(
      /^invalid_target/,
    );
    world.clock.advance('11h');
    const { access_token: late } = await stage.acting(alice.id, narrow, forId());
    expect((await stage.shown(late))['exp']).toBe((await stage.shown(narrow))['exp']);
  });

  it('is recorded on every issue, with the client and the scopes, by one read more and one write', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const actor = await stage.tokenOf(support);
    await stage.acting(bob.id, actor, forId());
    const statements = await statementsDuring(() => stage.acting(bob.id, actor, forId({ scope: 'openid' })));
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
    const actor = await stage.tokenOf(support);
    const replies = await Promise.all(Array.from({ length: 20 }, () => stage.ask(bob.id, actor, forId())));
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
    const [subject, actor] = [await stage.tokenOf(alice), await stage.tokenOf(support)];
    await stage.switchTo(false);
    const asking = [
      async () => stage.ask(subject, actor),
      async () => stage.ask(alice.id, actor, forId()),
      async () => stage.ask('x', 'y', forId()),
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
    const manager = await stage.personWith(['ORG_OWNER_VIEWER']);
    const owner = await stage.personWith(['IAM_OWNER']);
    const locked = await world.add.person({ orgId: alice.orgId });
    await setState(world, locked, 'locked');
    const removed = await world.add.person({ orgId: alice.orgId });
    await world.rows('DELETE FROM user_account WHERE id = $1', [removed.id]);
    const service = await world.add.service({ orgId: alice.orgId });
    const stranger = await world.add.person({ orgId: other.id });
    const actor = await stage.tokenOf(support);
    for (const { id } of [manager, owner, locked, removed, service, stranger, support, { id: '404' }, { id: 'ä b' }])
      expect([id, outcomeOf(await stage.ask(id, actor, forId()))]).toEqual([id, REFUSED]);
    const ordinary = await world.add.person({ orgId: alice.orgId });
    const ordinaryToken = await stage.tokenOf(ordinary);
    const before = world.logText().length;
    expect(outcomeOf(await stage.ask(alice.id, ordinaryToken, forId()))).toBe(REFUSED);
    const line = world
      .logText()
      .slice(before)
      .split('\n')
      .find((text) => text.includes('actor_not_allowed'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ userId: ordinary.id, clientId: back.client.clientId });
    expect(outcomeOf(await stage.ask(await stage.tokenOf(alice), await stage.tokenOf(owner)))).toBe(REFUSED);
  });

  it('for managers, unless the role reaches everything that they manage [TEX-007]', async () => {
    const manager = await stage.personWith(['ORG_OWNER']);
    const owner = await stage.personWith(['IAM_OWNER_VIEWER']);
    const [ofOrg, ofAll] = [
      await stage.personWith(['ORG_ADMIN_IMPERSONATOR']),
      await stage.personWith(['IAM_ADMIN_IMPERSONATOR']),
    ];
    const scope = `openid email urn:service:iam:org:project:id:${await world.cast.projectP}:aud`;
    const system = new RelyingParty(world, await world.cast.console);
    const [one, all] = [await stage.tokenOf(ofOrg), await stage.tokenOf(ofAll, { scope }, system)];
    expect(outcomeOf(await stage.ask(manager.id, one, forId()))).toBe('ok');
    expect(outcomeOf(await stage.ask(owner.id, one, forId()))).toBe(REFUSED);
    expect(outcomeOf(await stage.ask(owner.id, await stage.tokenOf(ofAll), forId()))).toBe(REFUSED);
    expect(outcomeOf(await stage.ask(owner.id, all, forId()))).toBe('ok');
    expect(outcomeOf(await stage.ask(alice.id, all, forId()))).toBe('ok');
  });

  it('without a token of the one who acts, or with one of another kind [TEX-006, TEX-016]', async () => {
    const [subject, actor] = [await stage.tokenOf(alice), await stage.tokenOf(support)];
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
      expect([over, outcomeOf(await stage.ask(subject, actor, over))]).toEqual([
        over,
        expect.stringMatching(/^invalid_request/),
      ]);
  });

  it('with a token of the actor that is not meant for the client [TEX-003]', async () => {
    const elsewhere = await party(world, { projectId: await world.cast.projectQ });
    const seen = await stage.tokenOf(support, {}, elsewhere);
    expect(outcomeOf(await stage.ask(alice.id, seen, forId()))).toBe(REFUSED);
  });
});

describe('A token with an actor', () => {
  it('is no token of an actor, and is exchanged again for other actors, three at most [TEX-008]', async () => {
    const subject = await stage.tokenOf(alice);
    const { access_token: lent } = await stage.acting(subject, await stage.tokenOf(support));
    expect(outcomeOf(await stage.ask((await world.add.person({ orgId: alice.orgId })).id, lent, forId()))).toBe(
      REFUSED,
    );
    const others = [
      await stage.personWith(['ORG_END_USER_IMPERSONATOR']),
      await stage.personWith(['ORG_END_USER_IMPERSONATOR']),
    ];
    let token = lent;
    for (const actor of others) ({ access_token: token } = await stage.acting(token, await stage.tokenOf(actor)));
    expect(await stage.shown(token)).toMatchObject({
      sub: alice.id,
      act: { sub: others[1]!.id, act: { sub: others[0]!.id, act: { sub: support.id } } },
    });
    const fourth = await stage.tokenOf(await stage.personWith(['ORG_END_USER_IMPERSONATOR']));
    expect(outcomeOf(await stage.ask(token, fourth))).toBe(REFUSED);
    const { access_token: again } = tokensOf(await back.token(exchangeOf(lent)));
    expect((await stage.shown(again))['act']).toEqual({ sub: support.id, iss: world.issuer });
  });

  it('ends with the actor, and with the switch [TEX-009]', async () => {
    const actor = await stage.personWith(['ORG_END_USER_IMPERSONATOR']);
    const own = front.elsewhere();
    const make = async (): Promise<string> =>
      (await stage.acting(alice.id, await stage.tokenOf(actor), forId())).access_token;
    const first = await make();
    await stage.switchTo(false);
    expect(await stage.isActive(first)).toBe(false);
    await stage.switchTo(true);
    expect(await stage.isActive(first)).toBe(true);
    await setState(world, actor, 'inactive');
    expect(await stage.isActive(first)).toBe(false);
    await setState(world, actor, 'active');
    const { access_token: ownToken, id_token: hint } = await own.tokens(actor, { scope: 'openid email' });
    const { access_token: second } = await stage.acting(alice.id, ownToken, forId());
    expect(await stage.isActive(second)).toBe(true);
    await own.endSession({ id_token_hint: hint });
    expect(await stage.isActive(second)).toBe(false);
  });

  it('ends with the token of the actor, and with the access of its application [TEX-009]', async () => {
    const actor = await stage.personWith(['ORG_END_USER_IMPERSONATOR']);
    const given = await stage.tokenOf(actor);
    const { access_token: first } = await stage.acting(alice.id, given, forId());
    await front.revoke(given);
    expect(await stage.isActive(first)).toBe(false);
    const { access_token: second } = await stage.acting(alice.id, await stage.tokenOf(actor), forId());
    const user = { userId: actor.id, orgId: actor.orgId };
    await world.transaction((tx) => world.get(TokenEnds).endAccessOf(tx, user, front.client.clientId));
    expect(await stage.isActive(second)).toBe(false);
  });

  it('stays when the actor loses the role, but none is issued any more [TEX-009]', async () => {
    const actor = await stage.personWith(['ORG_END_USER_IMPERSONATOR']);
    const given = await stage.tokenOf(actor);
    const { access_token: token } = await stage.acting(alice.id, given, forId());
    await world.rows('DELETE FROM member WHERE user_id = $1', [actor.id]);
    expect(await stage.isActive(token)).toBe(true);
    expect(outcomeOf(await stage.ask(alice.id, given, forId()))).toBe(REFUSED);
  });

  it('ends with the user: a new password, a lock, a revoked token [TEX-009, TEX-010]', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const actor = await stage.tokenOf(support);
    const make = async (): Promise<string[]> => {
      const subject = await stage.tokenOf(bob);
      return [
        (await stage.acting(subject, actor)).access_token,
        (await stage.acting(bob.id, actor, forId())).access_token,
        subject,
      ];
    };
    const states = async (tokens: readonly string[]): Promise<boolean[]> =>
      Promise.all(tokens.map((token) => stage.isActive(token)));
    const first = await make();
    await front.revoke(first[2]!);
    expect(await states(first)).toEqual([false, true, false]);
    const second = await make();
    await world.add.newPassword(bob.id, 'Another-password-1!');
    expect(await states(second)).toEqual([false, false, false]);
    await setState(world, bob, 'locked');
    expect(outcomeOf(await stage.ask(bob.id, actor, forId()))).toBe(REFUSED);
  });

  it('is bound to the key of who asks, if one of both was bound [TEX-014]', async () => {
    const [prover, other] = [await Prover.make(world), await Prover.make(world)];
    const bound = tokensOf(await front.redeem(await front.code(support), {}, world, await prover.forTokens()));
    expect(outcomeOf(await stage.ask(alice.id, bound.access_token, forId()))).toMatch(/^invalid_dpop_proof/);
    const reply = await stage.ask(alice.id, bound.access_token, forId(), await other.forTokens());
    expect((await stage.shown(tokensOf(reply).access_token))['cnf']).toEqual({ jkt: other.thumbprint });
  });
});
