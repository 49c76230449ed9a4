import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Turn } from '../../src/session/auth-request/ext-login-step.js';
import { beginPassword, pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { Newcomer, OtherStep, other, terms } from './login-steps.js';

let world: World;
let newcomer: Newcomer;
let alice: TestPerson;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ extensions: [terms, other] });
});
beforeEach(async () => {
  world.clock.advance('1m');
  newcomer = await Newcomer.in(world);
  ({ alice, web1 } = newcomer);
});
afterEach(() => {
  OtherStep.does = {};
});
afterAll(() => world.close());

const logged = (from: number): Array<Record<string, unknown>> =>
  world
    .logText()
    .slice(from)
    .split('\n')
    .filter((line) => line.includes('an extension failed'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('A login step that fails lets nobody past', () => {
  const defect = () => {
    throw new Error('the table is gone');
  };
  const forever = () => new Promise(() => undefined);

  it.each<[string, () => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    ['answers nonsense', () => 'no'],
  ])('that %s when it is asked: the application gets temporarily_unavailable, a page 503', async (_, broken) => {
    await newcomer.signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: broken };
    expect(web1.toAnswer(await web1.authorize())).toMatchObject({ error: 'temporarily_unavailable', state: 'S1' });
    const elsewhere = web1.elsewhere();
    const page = await beginPassword(elsewhere, alice.loginName);
    await expect(elsewhere.browser.submit(page, { password: alice.password })).rejects.toThrow('answered 503');
    expect(logged(from)[0]).toMatchObject({ extension: 'other', seam: 'LOGIN_STEP', part: 'OtherStep' });
    OtherStep.does = {};
    expect((await web1.authorize()).redirect).toContain('code=');
  });

  it.each<[string, () => unknown]>([
    ['throws', defect],
    ['hangs', forever],
    [
      'answers nonsense',
      () => ({ title: 'Other', submit: 'Go', body: [{ kind: 'html', text: '<script>x()</script>' }] }),
    ],
    [
      'wants the token of the form',
      () => ({ title: 'Other', submit: 'Go', body: [{ kind: 'field', name: 'csrf', label: 'x' }] }),
    ],
  ])('that %s when its page is wanted', async (_, broken) => {
    await newcomer.signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: () => true, page: broken };
    expect(web1.toAnswer(await web1.authorize())).toMatchObject({ error: 'temporarily_unavailable', state: 'S1' });
    expect(logged(from)[0]).toMatchObject({ extension: 'other', seam: 'LOGIN_STEP' });
  });

  it.each<[string, (turn: Turn) => unknown]>([
    ['throws', defect],
    ['answers nonsense', () => ({ kind: 'ready' })],
    ['answers nothing', () => undefined],
  ])('that %s when its form is sent', async (_, broken) => {
    await newcomer.signedIn();
    OtherStep.does = { isDue: () => true, submit: broken };
    const page = pageOf(await web1.authorize());
    await expect(web1.browser.submit(page, { decision: 'continue' })).rejects.toThrow('answered 503');
  });

  it('that answers for another user changes nothing about this one', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    await newcomer.signedIn();
    let isDone = false;
    OtherStep.does = {
      isDue: () => !isDone,
      submit: () => {
        isDone = true;
        return { kind: 'done', userId: bob.id, session: { userId: bob.id }, request: { userId: bob.id } };
      },
    };
    const page = pageOf(await web1.authorize());
    const { code } = web1.toAnswer(await web1.browser.submit(page, { decision: 'continue' }));
    const { id_token: idToken } = (await web1.redeem(code!)).json<{ id_token: string }>();
    expect((await web1.verify(idToken)).sub).toBe(alice.id);
  });

  it('that is due again however often it was done ends in an error, not in a circle', async () => {
    await newcomer.signedIn();
    const from = world.logText().length;
    OtherStep.does = { isDue: () => true };
    let page: Page = pageOf(await web1.authorize());
    for (let time = 1; time < 3; time += 1) page = pageOf(await web1.browser.submit(page, { decision: 'continue' }));
    await expect(web1.browser.submit(page, { decision: 'continue' })).rejects.toThrow('answered 503');
    expect(JSON.stringify(logged(from))).toContain('It was done 3 times, and is due again.');
  });
});
