import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { FactorService } from '../../src/user/factor/factor.service.js';
import { App, setPolicy, withApp } from '../login/factor-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { World } from '../support/world.js';
import { AccountStage, tokenOf } from './account-stage.js';
import { statusOf } from './account-turns.js';

let stage: AccountStage;
let world: World;

beforeAll(async () => {
  stage = await AccountStage.set();
  ({ world } = stage);
});
beforeEach(() => world.clock.advance('1h'));
afterAll(() => world.close());

describe('Second steps', () => {
  const factorsOf = async ({ id }: TestPerson): Promise<string[]> =>
    (await world.get(FactorService).list(id)).map(({ kind, state, left }) => `${kind} ${state} ${left}`);
  const appOn = (page: Page): App => new App(world, page.find('code')!.text.replaceAll(' ', ''));

  it('are set up on the pages of the sign-in, with recovery codes, and removed after a question', async () => {
    const holder = await stage.holderOf();
    const page = await holder.open(paths.accountSteps);
    expect(page.all('.account-items button').map(({ text }) => text)).toEqual([
      'Set up: Authenticator app',
      'Set up: Codes by e-mail',
    ]);
    const setUp = pageOf(
      await holder.browser.post(paths.accountSteps, { ...tokenOf(page), decision: 'add', factor: 'otp' }),
    );
    expect(setUp.heading).toBe('Set up your authenticator app');
    const codes = pageOf(await holder.browser.submit(setUp, { code: appOn(setUp).code() }));
    expect(codes.heading).toBe('Keep your recovery codes');
    const done = pageOf(await holder.browser.submit(codes, { decision: 'kept' }));
    expect([done.path.split('?')[0], done.heading]).toEqual([paths.accountSteps, 'Second steps']);
    expect(statusOf(done)).toBe('Your second step is set up.');
    expect(done.text).toContain('Codes left: 10');
    expect(await factorsOf(holder.person)).toEqual(['otp ready 0', 'recovery_codes ready 10']);

    const remove = { ...tokenOf(done), decision: 'remove', factor: 'otp' };
    const question = pageOf(await holder.browser.post(paths.accountSteps, remove));
    expect(question.heading).toBe('Remove this second step?');
    expect(await factorsOf(holder.person)).toHaveLength(2);
    const removed = pageOf(await holder.browser.submit(question, { confirmed: 'true' }));
    expect(statusOf(removed)).toBe('The second step is removed.');
    expect(await factorsOf(holder.person)).toEqual([]);
  });

  it('can be a second one beside the first', async () => {
    const person = await stage.newPerson();
    const app = await withApp(world, person);
    const holder = await stage.holderOf(person);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountSteps)), () => app.code());
    const setUp = pageOf(
      await holder.browser.post(paths.accountSteps, { ...tokenOf(page), decision: 'add', factor: 'otp_email' }),
    );
    expect(setUp.heading).toBe('Enter your code');
    const back = pageOf(await holder.browser.submit(setUp, { decision: 'back' }));
    expect([back.path, statusOf(back)]).toEqual([paths.accountSteps, undefined]);
    expect(await factorsOf(person)).toEqual(['otp ready 0']);
  });

  it('get new recovery codes, and the old ones end', async () => {
    const person = await stage.newPerson();
    const app = await withApp(world, person, ['AAAAA-BBBBB']);
    const holder = await stage.holderOf(person);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountSteps)), () => app.code());
    const question = pageOf(await holder.browser.post(paths.accountSteps, { ...tokenOf(page), decision: 'new-codes' }));
    const codes = pageOf(await holder.browser.submit(question, { confirmed: 'true' }));
    expect([codes.heading, await factorsOf(person)]).toEqual([
      'Keep your recovery codes',
      ['otp ready 0', 'recovery_codes pending 0'],
    ]);
    await holder.browser.submit(codes, { decision: 'kept' });
    expect(await factorsOf(person)).toEqual(['otp ready 0', 'recovery_codes ready 10']);
  });

  it('keep the last one that the policy requires [ACC-006]', async () => {
    const { id } = await world.add.org();
    await setPolicy(world, id, { secondFactors: ['otp'], forceMfa: true });
    const person = await world.add.person({ orgId: id });
    const app = await withApp(world, person);
    const holder = await stage.holderOf(person);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountSteps)), () => app.code());
    const refused = pageOf(
      await holder.browser.post(paths.accountSteps, {
        ...tokenOf(page),
        decision: 'remove',
        factor: 'otp',
        confirmed: 'true',
      }),
    );
    expect([refused.status, errorsOf(refused)]).toEqual([
      400,
      ['Your organization requires a second step. Set up another one first.'],
    ]);
    expect(await factorsOf(person)).toEqual(['otp ready 0']);
  });
});
