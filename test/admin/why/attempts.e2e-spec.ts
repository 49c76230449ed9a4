import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AttemptService } from '../../../src/foundation/attempt/attempt.service.js';
import { codeLimits, passwordLimits } from '../../../src/session/proof/limits.js';
import { setLockout, withApp } from '../../login/factor-turns.js';
import { beginPassword, pageOf } from '../../login/turns.js';
import type { AdminApi } from '../../support/admin-api.js';
import type { TestOrg, TestPerson } from '../../support/builders.js';
import { RelyingParty } from '../../support/relying-party.js';
import { startWorld, type World } from '../../support/world.js';
import { dayOf, ilseOf, managerNamed, WhyStage } from './why-stage.js';

const WRONG = 'Wrong-Horse-9-Wrong-Horse';

let world: World;
let stage: WhyStage;
let org: TestOrg;
let ada: AdminApi;
let shop: RelyingParty;
let ilse: TestPerson;

beforeAll(async () => {
  world = await startWorld({ loginLimits: 'on' });
  ada = await managerNamed(world, await world.cast.orgA, 'ada.admin', ['IAM_OWNER']);
  stage = new WhyStage(world, ada);
  world.plant(WRONG);
});
beforeEach(async () => {
  world.clock.advance('2h');
  org = await world.add.org();
  shop = new RelyingParty(world, await world.cast.web1);
  ilse = await ilseOf(world, org.id);
});
afterAll(() => world.close());

/** Types wrong passwords; each in a browser of its own. */
const guess = async (times: number, loginName = ilse.loginName): Promise<void> => {
  for (let n = 0; n < times; n += 1) {
    const client = shop.elsewhere();
    await client.browser.submit(await beginPassword(client, loginName), { password: WRONG });
  }
};
const clock = (moment: string): string => `${moment.slice(11, 16)} UTC on ${dayOf(new Date(moment))}`;

describe('Wrong passwords', () => {
  it('have locked the account by the lockout policy: which one, since when, and unlocking lets the person in', async () => {
    await ada.about(org.id).call('POST', '/management/v1/policies/lockout', { maxPasswordAttempts: 3 });
    await guess(3);
    const link = await stage.refusal(ilse);
    const now = world.clock.now();
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_USER_LOCKED_BY_FAILURES',
      `Ilse was locked at ${clock(now.toISOString())} after 3 wrong passwords in a row. The lockout policy of organization ${org.domain} locks accounts after 3 (since ${dayOf(now)}, changed by ada.admin).`,
    ]);
    await stage.mend(link.mends[0]!);
    await stage.signIn(shop, ilse);
  });

  it('count, and the answer says how many, until when, and why each failed', async () => {
    await setLockout(world, org.id, { maxPasswordAttempts: 5 });
    await guess(2);
    await ada.about(org.id).call('POST', `/management/v1/users/${ilse.id}/_lock`);
    await shop.browser.submit(await beginPassword(shop, ilse.loginName), { password: ilse.password });
    await ada.about(org.id).call('POST', `/management/v1/users/${ilse.id}/_unlock`);
    await guess(1);
    const { canSignIn, limits, failures } = await stage.explain(ilse);
    expect(canSignIn).toBe('CAN_SIGN_IN_YES');
    expect(limits.map(({ sentence }) => sentence)).toEqual([
      `4 wrong passwords of 10 for Ilse count until ${clock(limits[0]!.untilDate!)}.`,
      'Ilse has 1 wrong password in a row; after 5 the account is locked.',
    ]);
    expect(failures.map(({ reason, sentence }) => [reason, sentence])).toEqual([
      ['password_wrong', 'The password was wrong.'],
      ['account_locked', 'The password was right, but the account was locked.'],
      ['password_wrong', 'The password was wrong.'],
      ['password_wrong', 'The password was wrong.'],
    ]);
  });

  it('have used up the attempts: even the right one is refused until the moment that the answer names', async () => {
    await guess(10);
    const link = await stage.refusal(ilse);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_ATTEMPTS_USED_UP',
      `There have been 10 wrong passwords for Ilse within a quarter of an hour: even the right one is refused until ${clock(link.untilDate!)}.`,
    ]);
    const { page } = await stage.walk(shop.elsewhere(), ilse);
    expect(page?.status).toBe(429);
    world.clock.advance('15m');
    await stage.signIn(shop, ilse);
    expect((await stage.explain(ilse)).failures).toHaveLength(10);
  });

  it('from a whole network close it for everybody there, until the moment that the answer names', async () => {
    const network = '127.0.0.1';
    // As many as a hundred forms with names that nobody has would count.
    const { address } = passwordLimits('nobody', undefined, network);
    for (let n = 0; n < 100; n += 1) await world.get(AttemptService).count([address]);
    await guess(1, 'nobody@nowhere.test');
    const link = await stage.refusal(ilse, { network });
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_NETWORK_LIMITED',
      `There have been too many wrong passwords from the network ${network}: from there nobody can try until ${clock(link.untilDate!)}, not even with the right one.`,
    ]);
    expect((await stage.explain(ilse, { network: '203.0.113.9' })).canSignIn).toBe('CAN_SIGN_IN_YES');
    expect((await stage.walk(shop.elsewhere(), ilse)).page?.status).toBe(429);
    world.clock.advance('15m');
    await stage.signIn(shop, ilse);
  });

  it('count nothing by being asked about, however often', async () => {
    for (let n = 0; n < 12; n += 1) await stage.explain(ilse, { network: '127.0.0.1' });
    expect((await stage.explain(ilse, { network: '127.0.0.1' })).limits).toEqual([]);
  });
});

describe('Wrong codes', () => {
  it('have used up their attempts: only whoever is asked for a code is refused', async () => {
    const codes = codeLimits(ilse.id, '127.0.0.1').account;
    for (let n = 0; n < 10; n += 1) await world.get(AttemptService).count([codes]);
    expect((await stage.explain(ilse)).canSignIn).toBe('CAN_SIGN_IN_YES');
    await withApp(world, ilse);
    const link = await stage.refusal(ilse);
    expect([link.code, link.sentence]).toEqual([
      'SIGN_IN_LINK_CODE_ATTEMPTS_USED_UP',
      `There have been 10 wrong codes for Ilse within a quarter of an hour: even the right one is refused until ${clock(link.untilDate!)}.`,
    ]);
  });

  it('are told by the kind of factor', async () => {
    const app = await withApp(world, ilse);
    const client = shop.elsewhere();
    const page = pageOf(await client.enter(await client.authorize(), ilse));
    await client.browser.submit(page, { code: app.wrong() });
    const { failures, limits } = await stage.explain(ilse);
    expect(failures.map(({ reason, sentence }) => [reason, sentence])).toEqual([
      ['code_wrong:otp', 'The code of the authenticator app was wrong.'],
    ]);
    expect(limits[0]!.sentence).toMatch(/^1 wrong code of 10 for Ilse count until /);
  });
});
