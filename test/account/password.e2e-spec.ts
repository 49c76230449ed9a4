import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { withApp } from '../login/factor-turns.js';
import { errorsOf, pageOf } from '../login/turns.js';
import type { Page } from '../support/browser.js';
import { codeIn, lastMailTo, mailsTo } from '../support/mails.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { AccountStage } from './account-stage.js';
import { statusOf } from './account-turns.js';

const NEW = 'Another-Horse-8';
const chosen = { newPassword: NEW, newPasswordRepeat: NEW };

let stage: AccountStage;
let world: World;

beforeAll(async () => {
  stage = await AccountStage.set();
  ({ world } = stage);
  world.plant(NEW);
});
beforeEach(() => world.clock.advance('1h'));
afterAll(() => world.close());

describe('The password', () => {
  it('is changed with the current one; other sessions end, and the owner is told', async () => {
    const holder = await stage.holderOf();
    const other = new RelyingParty(world, await world.cast.web1);
    const tokens = await other.tokens(holder.person, { scope: 'openid offline_access' });
    const page = await holder.open(paths.accountPassword);
    const change = (oldPassword: string, newPassword = NEW, newPasswordRepeat = newPassword): Promise<Page> =>
      holder.browser.submit(page, { oldPassword, newPassword, newPasswordRepeat }).then(pageOf);
    expect(errorsOf(await change('Wrong-Horse-1'))).toEqual(['The current password is not correct.']);
    expect(errorsOf(await change(holder.person.password, NEW, `${NEW}x`))).toEqual([
      'The two passwords are not the same.',
    ]);
    expect(errorsOf(await change(holder.person.password, holder.person.password))).toEqual([
      'Choose a password that differs from the current one.',
    ]);
    expect(statusOf(await change(holder.person.password))).toBe(
      'Your password is saved. All other devices are signed out.',
    );
    expect((await other.introspect(tokens.access_token)).json()).toEqual({ active: false });
    expect((await holder.browser.get(paths.account)).page?.heading).toBe('Your account');
    expect((await mailsTo(world, holder.person.email)).map(({ subject }) => subject)).toHaveLength(1);
  });

  it('is said to be saved as well if it was changed on the way to the account page, or forgotten there', async () => {
    const said = ['Your account', 'Your password is saved. All other devices are signed out.'];
    const { orgId } = await stage.newPerson();
    const person = await world.add.person({ orgId, passwordChangeRequired: true });
    const holder = await stage.holderOf(person);
    const page = await holder.open();
    const done = pageOf(await holder.browser.submit(page, { oldPassword: person.password, ...chosen }));
    expect([done.heading, statusOf(done)]).toEqual(said);
    const forgetful = await stage.holderOf();
    const { loginName, email } = forgetful.person;
    const named = pageOf(
      await forgetful.browser.submit(pageOf(await forgetful.browser.get(paths.account)), { loginName }),
    );
    const asked = pageOf(await forgetful.browser.press(named, 'Forgot your password?'));
    const waiting = pageOf(await forgetful.browser.submit(asked, { loginName }));
    const code = codeIn(world, await lastMailTo(world, email));
    const reset = pageOf(await forgetful.browser.submit(waiting, { code, password: NEW, passwordRepeat: NEW }));
    expect([reset.heading, statusOf(reset)]).toEqual(said);
  });

  it('needs the second factor of a user who holds one, however well the password is known [ACC-002]', async () => {
    const person = await stage.newPerson();
    const app = await withApp(world, person);
    const holder = await stage.holderOf(person);
    const page = await holder.prove(pageOf(await holder.browser.get(paths.accountPassword)), () => app.code());
    expect(page.heading).toBe('Password');
    world.clock.advance('11m');
    const sent = { oldPassword: person.password, newPassword: NEW, newPasswordRepeat: NEW };
    const asked = pageOf(await holder.browser.submit(page, sent));
    expect(asked.heading).toBe('Enter your password');
    expect(asked.reply.text).not.toContain(NEW);
  });
});
