import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { invite } from '../login/invited.js';
import { paths } from '../support/relying-party.js';
import { fillByKeyboard, LOCALES, pressByKeyboard, walkTo } from './inspection.js';
import { NAMES, newAddress, Stage, within } from './stage.js';

const NEW = 'Another-Horse-8';
const chosen = { password: NEW, passwordRepeat: NEW };

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

describe.each(LOCALES)('With the keyboard alone and without JavaScript, in %s', (locale) => {
  beforeEach(() => stage.renew({ locale, javaScriptEnabled: false }));

  it('an account is set up from the mail', async () => {
    const { email } = await invite(stage.world, stage.org.id);
    await stage.followLinkTo(email);
    await fillByKeyboard(stage.window, chosen);
    await stage.shows('.account');
    expect(stage.window.page.url()).toContain('/ui/login/login');
    await stage.begin();
    await stage.isBack();
  });

  it('the rules of a new password are ticked off once all are met', async () => {
    const { email } = await invite(stage.world, stage.org.id);
    await stage.followLinkTo(email);
    const marks = (): Promise<string> =>
      stage.window.page.locator('.rules ul').evaluate((list) => getComputedStyle(list).listStyleType);
    await walkTo(stage.window, 'input[name="password"]');
    await stage.window.page.keyboard.type('Another-Horse-');
    expect(await marks()).toBe('disc');
    await stage.window.page.keyboard.type('8');
    expect(await marks()).toBe('"✓ "');
  });

  it('a forgotten password is replaced with a typed code, and the sign-in continues', async () => {
    const person = await stage.person();
    await stage.begin();
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await stage.shows('input[name="password"]');
    await pressByKeyboard(stage.window, '.ways .link');
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await stage.shows('input[name="code"]');
    const { code } = await stage.linkTo(person.email);
    await fillByKeyboard(stage.window, { code: `${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase(), ...chosen });
    await stage.isBack();
  });

  it('a user registers, agrees to the terms, verifies the address and returns to the application', async () => {
    const email = newAddress();
    await stage.begin({
      prompt: 'create',
      ...within(
        await stage.orgWith('privacy', {
          tosLink: 'https://acme.test/terms',
          privacyLink: 'https://acme.test/privacy',
        }),
      ),
    });
    for (const [name, value] of Object.entries({ email, ...NAMES, ...chosen })) {
      await walkTo(stage.window, `input[name="${name}"]`);
      await stage.window.page.keyboard.type(value);
    }
    await walkTo(stage.window, 'input[name="terms"]');
    await stage.window.page.keyboard.press('Space');
    await pressByKeyboard(stage.window, '#submit');
    await stage.shows('input[name="code"]');
    await fillByKeyboard(stage.window, { code: (await stage.linkTo(email)).code });
    await stage.isBack();
  });

  it('an address is proved on the way, after a code that was wrong', async () => {
    const person = await stage.person({ emailVerified: false });
    await stage.begin();
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await fillByKeyboard(stage.window, { password: person.password });
    await fillByKeyboard(stage.window, { code: 'WRONG1' });
    await stage.shows('.notice-error');
    await fillByKeyboard(stage.window, { code: (await stage.linkTo(person.email)).code });
    await stage.isBack();
  });

  it('an app is set up as a second factor', async () => {
    const { id: orgId } = await stage.orgWith('login', { forceMfa: true, secondFactors: ['otp'] });
    const person = await stage.person({ orgId });
    await stage.begin();
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await fillByKeyboard(stage.window, { password: person.password });
    await pressByKeyboard(stage.window, 'button[name="factor"][value="otp"]');
    await stage.shows('.seed code');
    const seed = (await stage.window.page.locator('.seed code').innerText()).replaceAll(/\s/g, '');
    stage.world.plant(seed);
    await fillByKeyboard(stage.window, { code: new TOTP({ secret: seed }).generate() });
    await stage.shows('.codes');
    await pressByKeyboard(stage.window, '#submit');
    await stage.isBack();
  });

  it('a password that has expired is changed', async () => {
    const person = await stage.personWithPasswordOf(40);
    await stage.begin();
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await fillByKeyboard(stage.window, { password: person.password });
    await fillByKeyboard(stage.window, { oldPassword: person.password, newPassword: NEW, newPasswordRepeat: NEW });
    await stage.isBack();
  });

  it('one of two accounts is chosen', async () => {
    const people = [await stage.person(), await stage.person()];
    for (const person of people) {
      await stage.begin({ prompt: 'login', login_hint: person.loginName });
      await fillByKeyboard(stage.window, { password: person.password });
      await stage.isBack();
    }
    await stage.begin();
    await pressByKeyboard(stage.window, `button[name="userID"][value="${people[0]!.id}"]`);
    await stage.isBack();
  });

  it('the reader can choose another language', async () => {
    const other = locale === 'en-GB' ? 'de' : 'en';
    await stage.begin();
    await pressByKeyboard(stage.window, '.languages summary');
    await pressByKeyboard(stage.window, `.languages button[value="${other}"]`);
    await stage.shows(`html[lang="${other}"]`);
  });

  it('a user signs out', async () => {
    const person = await stage.person();
    await stage.begin();
    await fillByKeyboard(stage.window, { loginName: person.loginName });
    await fillByKeyboard(stage.window, { password: person.password });
    await stage.isBack();
    await stage.goto(paths.endSession);
    await pressByKeyboard(stage.window, 'button[type="submit"]'); // an address that was typed is asked about
    await stage.window.page.waitForURL(`**${pagePaths.signedOut}`);
    await stage.begin();
    await stage.shows('input[name="loginName"]');
  });
});
