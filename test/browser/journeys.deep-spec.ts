import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { type Invited, invite } from '../login/invited.js';
import { PASSWORD } from '../support/builders.js';
import { heading, inspect, LOCALES } from './inspection.js';
import { NAMES, newAddress, Stage, within } from './stage.js';

const NEW = 'Another-Horse-8';
const chosen = { password: NEW };
const links = {
  tosLink: 'https://acme.test/{{.Lang}}/terms',
  privacyLink: 'https://acme.test/privacy',
  helpLink: 'https://acme.test/help',
  docsLink: 'https://acme.test/docs',
  customLink: 'https://status.acme.test',
  customLinkText: 'מצב השירות',
  supportEmail: 'help@acme.test',
};

let stage: Stage;

beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Somebody whose account was just made, at the link of their mail. */
async function followsInvitation(over: { password?: string } = {}): Promise<Invited> {
  const invited = await invite(stage.world, stage.org.id, over);
  await stage.followLinkTo(invited.email);
  return invited;
}

/** Somebody who signs in and has yet to prove the address. */
async function provesAddress(): Promise<string> {
  const person = await stage.person({ emailVerified: false });
  await stage.signIn(person);
  await stage.shows('input[name="code"]');
  return person.email;
}

/** The same in another browser than the one that waits. */
async function provesAddressElsewhere(): Promise<void> {
  const { path } = await stage.linkTo(await provesAddress());
  await stage.window.page.context().clearCookies();
  await stage.goto(path);
}

async function waitsForResetCode(): Promise<string> {
  const person = await stage.person();
  await stage.forgetsPassword(person);
  await stage.window.submit();
  await stage.shows('input[name="code"]');
  return person.email;
}

/** Every page of a journey, and how one comes to it. */
const pages: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ['set-up', async () => void (await followsInvitation())],
  [
    'set-up-wrong',
    async () => {
      await followsInvitation();
      await stage.window.submitUnchecked({ password: 'short' });
    },
  ],
  [
    'set-up-again',
    async () => {
      await followsInvitation();
      await stage.window.follow('button[value="resend"]');
      await stage.shows('.notice-info');
    },
  ],
  ['set-up-by-hand', () => stage.goto(pagePaths.userInit)],
  [
    'set-up-by-hand-wrong',
    async () => {
      await stage.goto(pagePaths.userInit);
      await stage.window.submitUnchecked({ loginName: ' ', ...chosen });
    },
  ],
  ['set-up-with-password', async () => void (await followsInvitation({ password: PASSWORD }))],
  [
    'set-up-done',
    async () => {
      await followsInvitation({ password: PASSWORD });
      await stage.window.submit();
      await stage.isPast('code');
    },
  ],
  ['verify-email', async () => void (await provesAddress())],
  [
    'verify-email-wrong',
    async () => {
      await provesAddress();
      await stage.window.submitUnchecked({ code: 'WRONG1' });
    },
  ],
  ['verify-email-link', provesAddressElsewhere],
  ['verify-email-by-hand', () => stage.goto(pagePaths.mailVerification)],
  [
    'email-verified',
    async () => {
      await provesAddressElsewhere();
      await stage.window.submit();
      await stage.isPast('code');
    },
  ],
  ['password-reset', async () => stage.forgetsPassword(await stage.person())],
  [
    'password-reset-missing',
    async () => {
      await stage.goto(pagePaths.passwordReset);
      await stage.window.submitUnchecked({ loginName: ' ' });
    },
  ],
  ['password-new', async () => void (await waitsForResetCode())],
  [
    'password-new-wrong',
    async () => {
      await waitsForResetCode();
      await stage.window.submitUnchecked({ code: 'WRONG1', ...chosen });
    },
  ],
  ['password-new-by-hand', () => stage.goto(pagePaths.passwordInit)],
  [
    'password-done',
    async () => {
      const { path } = await stage.linkTo(await waitsForResetCode());
      await stage.window.page.context().clearCookies();
      await stage.goto(path);
      await stage.window.submit(chosen);
      await stage.isPast('code');
    },
  ],
  [
    'password-reset-closed',
    async () =>
      stage.goto(`${pagePaths.passwordReset}?orgID=${(await stage.orgWith('login', { hidePasswordReset: true })).id}`),
  ],
  [
    'password-expiry',
    async () => {
      await stage.signIn(await stage.personWithPasswordOf(25));
      await stage.shows('button[value="later"]');
    },
  ],
  [
    'password-expired',
    async () => {
      await stage.signIn(await stage.personWithPasswordOf(40));
      await stage.shows('input[name="newPassword"]');
    },
  ],
  [
    'passwords-not-allowed',
    async () =>
      stage.begin({
        ...within(await stage.orgWith('login', { allowUsernamePassword: false })),
        login_hint: 'somebody',
      }),
  ],
  ['register-terms', async () => stage.begin({ prompt: 'create', ...within(await stage.orgWith('privacy', links)) })],
  [
    'register-terms-missing',
    async () => {
      await stage.begin({ prompt: 'create', ...within(await stage.orgWith('privacy', links)) });
      await stage.window.submitUnchecked({ email: 'x', ...NAMES, ...chosen });
    },
  ],
  [
    'register-code',
    async () => {
      await stage.begin({ prompt: 'create' });
      await stage.window.submit({ email: newAddress(), ...NAMES, ...chosen });
      await stage.shows('input[name="code"]');
    },
  ],
  [
    'registration-closed',
    async () => stage.begin({ prompt: 'create', ...within(await stage.orgWith('login', { allowRegister: false })) }),
  ],
  [
    'login-name-within',
    async () => stage.begin(within(await stage.orgWith('domain', { userLoginMustBeDomain: true }))),
  ],
  ['login-name-links', async () => stage.begin(within(await stage.orgWith('privacy', links)))],
  [
    'login-name-unknown',
    async () => {
      await stage.begin(within(await stage.orgWith('login', { ignoreUnknownUsernames: false })));
      await stage.window.submitUnchecked({ loginName: 'nobody-at-all' });
    },
  ],
  ['branded-login-name', async () => stage.begin(within(await stage.brandedOrg()))],
  [
    'branded-password-wrong',
    async () => {
      await stage.asksForPassword({ loginName: 'שלום' }, within(await stage.brandedOrg()));
      await stage.window.submitUnchecked({ password: 'wrong' });
    },
  ],
  ['branded-register', async () => stage.begin({ prompt: 'create', ...within(await stage.brandedOrg()) })],
  [
    'accounts-right-to-left',
    async () => {
      const { id: orgId } = await stage.brandedOrg();
      const mixed = await stage.person({ orgId, profile: { ...NAMES, displayName: 'عبد الرحمن بن محمد (Support) 2' } });
      for (const person of [await stage.person(), mixed]) {
        await stage.begin({ prompt: 'login', login_hint: person.loginName });
        await stage.window.submit({ password: person.password });
        await stage.isBack();
      }
      await stage.begin({ prompt: 'select_account' });
    },
  ],
  [
    'consent-right-to-left',
    async () => {
      await stage.begin({}, await stage.asking());
      await stage.window.signIn(await stage.person());
      await stage.shows('button[value="cancel"]');
    },
  ],
  [
    'signed-in-right-to-left',
    async () => {
      await stage.signIn(await stage.person());
      await stage.isBack();
      await stage.goto(pagePaths.hub);
    },
  ],
  [
    'success',
    async () => {
      // What the page goes on to by itself would be a program of this device, which is not there.
      await stage.window.page.route('**/oauth/v2/authorize/callback?*', (route) => route.fulfill({ status: 204 }));
      await stage.begin({ redirect_uri: 'com.example.app:/cb' }, await stage.world.cast.nat1);
      await stage.window.signIn(await stage.person());
      await stage.shows('a#submit');
    },
  ],
];

describe.each(LOCALES)('The pages of journeys in %s', (locale) => {
  const headings = new Set<string>();

  beforeEach(() => stage.renew({ locale }));

  it.each(pages)(
    '%s fits a phone and a desktop, in light and dark mode, is accessible, and nothing is refused or fails',
    async (name, reach) => {
      await reach();
      headings.add(await heading(stage.window));
      await inspect(stage.window, name, locale);
    },
  );

  it('have all been visited', () => {
    expect(headings.size).toBeGreaterThanOrEqual(17);
  });
});
