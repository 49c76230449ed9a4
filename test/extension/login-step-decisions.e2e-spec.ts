import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StepDue, Turn } from '../../src/session/auth-request/ext-login-step.js';
import { App, proofOf } from '../login/factor-turns.js';
import { buttonsOf, pageOf } from '../login/turns.js';
import { Browser } from '../support/browser.js';
import { startWorld, type World } from '../support/world.js';
import { Newcomer, OtherStep, other } from './login-steps.js';

let world: World;
let newcomer: Newcomer;
let decision: StepDue;
let turns: Turn[];

beforeAll(async () => {
  world = await startWorld({ extensions: [other] });
});
beforeEach(async () => {
  world.clock.advance('1m');
  newcomer = await Newcomer.in(world);
  [decision, turns] = [false, []];
  OtherStep.does.isDue = (turn: Turn) => {
    turns.push(turn);
    return decision;
  };
});
afterEach(() => {
  OtherStep.does = {};
});
afterAll(() => world.close());

describe('A login step of an extension that decides about a user', () => {
  it('sees the address and the browser, which has a name that only it has', async () => {
    const { web1 } = newcomer;
    web1.browser.headers = { 'User-Agent': 'Desk/7' };
    await newcomer.enter();
    await web1.authorize();
    const elsewhere = web1.elsewhere();
    await newcomer.enter(elsewhere);
    const [first, again] = turns.map(({ browser }) => browser);
    expect(first).toEqual({ id: again!.id, address: expect.stringMatching(/127\.0\.0\.1$/), userAgent: 'Desk/7' });
    expect(turns.at(-1)!.browser.id).not.toBe(first!.id);
    expect([...web1.browser.cookies.values()].some((value) => value.includes(first!.id))).toBe(false);
  });

  it('refuses: the application gets access_denied, with a page or without, and nothing is issued', async () => {
    decision = 'refuse';
    const { web1 } = newcomer;
    expect(web1.toAnswer(await newcomer.enter())).toMatchObject({ error: 'access_denied', state: 'S1' });
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' }))).toMatchObject({ error: 'access_denied' });
    decision = false;
    expect(web1.toAnswer(await web1.authorize()).code).toBeDefined();
  });

  it('refuses the pages of the account as well, which say so', async () => {
    await newcomer.enter();
    decision = 'refuse';
    const page = pageOf(await newcomer.web1.browser.get('/ui/account'));
    expect([page.status, page.heading]).toEqual([403, 'This account cannot be used']);
  });

  it('requires two factors: who has none sets one up, and cannot go on without', async () => {
    decision = 'second-factor';
    const { web1, alice } = newcomer;
    const offer = pageOf(await web1.enter(await web1.authorize(), alice));
    expect([offer.heading, buttonsOf(offer)]).toEqual(['Add a second step', ['Use an authenticator app']]);
    const skipped = await web1.browser.submit(offer, { factor: 'skip' });
    expect(pageOf(skipped).heading).toContain('Add a second step');
    const setUp = pageOf(await web1.browser.submit(pageOf(skipped), { factor: 'otp' }));
    const app = new App(world, setUp.find('code')!.text.replaceAll(' ', ''));
    world.clock.advance('40s');
    const kept = pageOf(await web1.browser.submit(setUp, { code: app.code() }));
    for (const element of kept.all('.codes code')) world.plant(element.text);
    const done = await web1.browser.submit(kept, { decision: 'kept' });
    expect(await proofOf(web1, done)).toMatchObject({ amr: ['pwd', 'otp', 'mfa'] });
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
  });

  it('requires two factors of a session that has one: without a page the application learns that one is needed', async () => {
    await newcomer.enter();
    decision = 'second-factor';
    const { web1 } = newcomer;
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' }))).toMatchObject({ error: 'interaction_required' });
    expect(pageOf(await web1.authorize()).heading).toBe('Add a second step');
    expect((await new Browser(world).get('/ui/account')).page?.find('input[name="loginName"]')).not.toBeNull();
  });
});
