import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { beginPassword } from '../login/turns.js';
import type { TestPerson } from '../support/builders.js';
import { Processes, settingsBeside } from '../support/processes.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { expectDead, expectInactive, expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = { scope: 'openid offline_access' };

/** Makes the people and clients; the processes that are killed stand on its database. */
let world: World;
let alice: TestPerson;

/**
 * The process that stands in for a killed one serves the next test, which kills it in turn. An answer is given again
 * for a minute, however long the next process takes to start.
 */
const processes = new Processes(() => ({
  ...settingsBeside(world),
  LOGIN_LIMITS: 'off',
  REFRESH_GRACE_SECONDS: '60',
}));

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  alice = await world.cast.alice;
});
afterAll(async () => {
  await processes.end();
  await world.close();
});

describe('kill -9 right after an answer loses nothing that was answered', () => {
  it('the code stays spent, its tokens live, and its reuse still ends them', async () => {
    const first = await processes.any();
    const rp = new RelyingParty(world, await world.cast.web1).goTo(first);
    const code = await rp.code(alice, OFFLINE);
    const tokens = tokensOf(await rp.redeem(code, {}, first));
    await first.kill();
    const second = await processes.start();
    expect((await rp.userinfo(tokens.access_token, second)).status).toBe(200);
    expectToken400(await rp.redeem(code, {}, second), 'invalid_grant');
    expectDead(await rp.userinfo(tokens.access_token, second));
    expectToken400(await rp.refresh(tokens.refresh_token, {}, second), 'invalid_grant');
  });

  it('the refresh stays done: the lost answer is given again, and its tokens live', async () => {
    const first = await processes.any();
    const rp = new RelyingParty(world, await world.cast.web1).goTo(first);
    const before = tokensOf(await rp.redeem(await rp.code(alice, OFFLINE), {}, first));
    const answered = tokensOf(await rp.refresh(before.refresh_token, {}, first));
    await first.kill();
    const second = await processes.start();
    const again = tokensOf(await rp.refresh(before.refresh_token, {}, second));
    expect(again.refresh_token).toBe(answered.refresh_token);
    expect((await rp.userinfo(answered.access_token, second)).status).toBe(200);
    expect((await rp.refresh(answered.refresh_token, {}, second)).status).toBe(200);
  });

  it('what was revoked or signed out of stays dead', async () => {
    const first = await processes.any();
    const rp = new RelyingParty(world, await world.cast.web1).goTo(first);
    const revoked = tokensOf(await rp.redeem(await rp.code(alice, OFFLINE), {}, first));
    await rp.revoke(revoked.refresh_token, {}, first);
    const signedOut = tokensOf(await rp.redeem(await rp.code(alice), {}, first));
    await rp.endSession({ id_token_hint: signedOut.id_token });
    await first.kill();
    const second = await processes.start();
    for (const token of [revoked.access_token, signedOut.access_token])
      expectInactive(await rp.introspect(token, {}, second));
    expectToken400(await rp.refresh(revoked.refresh_token, {}, second), 'invalid_grant');
    rp.browser.at = second;
    expect((await rp.authorize({ prompt: 'none' })).redirect).toContain('error=login_required');
  });

  it('the user stays signed in, and a pending sign-in continues', async () => {
    const first = await processes.any();
    const rp = new RelyingParty(world, await world.cast.web1).goTo(first);
    await rp.signIn(alice);
    const other = new RelyingParty(world, await world.cast.web1).goTo(first);
    const begun = await other.authorize();
    await first.kill();
    const second = await processes.start();
    rp.browser.at = second;
    other.browser.at = second;
    expect((await rp.authorize({ prompt: 'none' })).redirect).toContain('code=');
    expect((await other.enter(begun, alice)).redirect).toContain('code=');
  });
});

describe('kill -9 in the middle of much work', () => {
  it('leaves every answered token alive, no code spendable twice, and no lock behind', async () => {
    const first = await processes.any();
    const rp = new RelyingParty(world, await world.cast.web1).goTo(first);
    await rp.signIn(alice);
    const codes = await Promise.all(Array.from({ length: 60 }, () => rp.code(alice, OFFLINE)));
    const work = codes.map((code) => rp.redeem(code, {}, first).then(tokensOf, () => undefined));
    await Promise.any(work);
    await first.kill();
    const answers = await Promise.all(work);
    const second = await processes.start();
    for (const [index, tokens] of answers.entries()) {
      if (tokens) {
        expect((await rp.userinfo(tokens.access_token, second)).status).toBe(200);
        expect((await rp.refresh(tokens.refresh_token, {}, second)).status).toBe(200);
      } else {
        // Not answered: spent or not, it is redeemed at most once from now on.
        const replies = [await rp.redeem(codes[index]!, {}, second), await rp.redeem(codes[index]!, {}, second)];
        expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
        expectToken400(replies[1]!, 'invalid_grant');
      }
    }
    expect(answers.some((tokens) => tokens)).toBe(true);
    const stuck = await world.rows(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
    );
    expect(stuck).toEqual([]);
  });

  it('amid sign-ins shuts nobody out, signs in completely or not at all, and spends no code twice', async () => {
    const orgId = alice.orgId;
    const people = await Promise.all(Array.from({ length: 30 }, () => world.add.person({ orgId })));
    const first = await processes.start({ LOGIN_LIMITS: 'on' });
    const client = await world.cast.web1;
    const signIns = await Promise.all(
      people.map(async (person) => {
        const rp = new RelyingParty(world, client).goTo(first);
        return { person, rp, page: await beginPassword(rp, person.loginName) };
      }),
    );
    const work = signIns.map(({ person, rp, page }) =>
      rp.browser.submit(page, { password: person.password }).then(
        (arrival) => rp.toAnswer(arrival).code,
        () => undefined,
      ),
    );
    await Promise.any(work.map(async (code) => (await code) ?? Promise.reject(new Error('not answered'))));
    await first.kill();
    const codes = await Promise.all(work);
    expect(codes.some((code) => code === undefined)).toBe(true);
    const second = await processes.start({ LOGIN_LIMITS: 'on' });
    for (const [index, { rp }] of signIns.entries()) {
      const code = codes[index];
      if (code === undefined) continue;
      expect((await rp.redeem(code, {}, second)).status).toBe(200);
      expectToken400(await rp.redeem(code, {}, second), 'invalid_grant');
    }
    const userIds = people.map(({ id }) => id);
    // A session, its event and the answer of its request are one statement: where one of them is, the others are.
    const counts = await world.rows<{ sessions: string; events: string; answers: string }>(
      `SELECT
         (SELECT count(*) FROM session s WHERE s.user_id = u.id) AS sessions,
         (SELECT count(*) FROM event e WHERE e.editor_id = u.id AND e.type = 'session.signed_in') AS events,
         (SELECT count(*) FROM auth_request r WHERE r.user_id = u.id) AS answers
       FROM unnest($1::text[]) AS u (id)`,
      [userIds],
    );
    for (const { sessions, events, answers } of counts) expect([sessions, sessions]).toEqual([events, answers]);
    const again = signIns.map(async ({ person }) => {
      const rp = new RelyingParty(world, client).goTo(second);
      return rp.toAnswer(await rp.enter(await rp.authorize(), person)).code;
    });
    expect((await Promise.all(again)).every((code) => code !== undefined)).toBe(true);
  });
});
