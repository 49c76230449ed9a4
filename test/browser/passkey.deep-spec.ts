import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, CDPSession } from 'playwright-core';
import { paths } from '../../src/org/instance/paths.js';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { setPolicy } from '../login/factor-turns.js';
import { linkTo } from '../login/invited.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { fillByKeyboard, photograph, pressByKeyboard, walkTo } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let person: TestPerson;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true, hasName: true });
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 1 });
  person = await world.add.person({ orgId });
  await world.rows("UPDATE user_account SET creation_date = creation_date - interval '1 day' WHERE id = $1", [
    person.id,
  ]);
  window = await Window.open(browser, PHONE);
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

const PHONE = { viewport: { width: 390, height: 844 } };
const PLATFORM = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;
/** A key on a key ring: no screen, no PIN. */
const ROAMING = {
  protocol: 'ctap2',
  transport: 'usb',
  hasResidentKey: false,
  hasUserVerification: false,
  automaticPresenceSimulation: true,
} as const;

/** A phone beside the browser: not of this device, unlocked by its owner, and its keys are synchronized. */
const ELSEWHERE = {
  protocol: 'ctap2',
  transport: 'usb',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  defaultBackupEligibility: true,
  defaultBackupState: true,
} as const;

/** Connects an authenticator to the browser; the answer takes it away. */
async function connect(
  { page }: Window,
  options: typeof PLATFORM | typeof ROAMING | typeof ELSEWHERE,
): Promise<() => Promise<void>> {
  const debug: CDPSession = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', { options });
  return async () => {
    await debug.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  };
}

/** The link of the mail that a manager has sent. */
async function linkFor({ id, email }: TestPerson): Promise<string> {
  await world.transaction(async (tx) =>
    world.get(PersonService).sendPasskeyLink(tx, await world.get(UserService).get(tx, id), EDITOR),
  );
  return `${world.issuer}${await linkTo(world, email)}`;
}

/** Nothing sticks out, axe finds nothing, and there is a picture of it with SCREENSHOTS=1. */
async function expectSound(at: Window, name: string): Promise<void> {
  expect([await at.isTooWide(), await at.accessibilityFindings()]).toEqual([false, []]);
  await photograph(at, name);
}

/** Opens the sign-in of an application, whose answer is taken from the address bar. */
async function begin(at = window): Promise<void> {
  const web1 = new RelyingParty(world, await world.cast.web1);
  await at.page.goto(`${world.issuer}${web1.authorizePath()}`);
}

/** The browser is sent back to the application, which does not exist. */
async function backAfter(work: () => Promise<unknown>, at = window): Promise<void> {
  const back = at.page.waitForRequest(/^https:\/\/rp1\.test\/cb\?.*code=/, { timeout: 30_000 });
  // What the browser was doing ends when it leaves.
  await work().catch(() => undefined);
  await back;
  // Its error page is a navigation as well, which would interrupt the next one.
  for (let waited = 0; !at.page.url().startsWith('chrome-error:'); waited += 20) {
    if (waited > 20_000) throw new Error(`The browser stayed at ${at.page.url()}.`);
    await sleep(20);
  }
}

describe('A passkey in a browser', () => {
  it('is made after a password on a phone, then offered by the field of the first page, and gets another name', async () => {
    const { page } = window;
    await connect(window, PLATFORM);
    await begin();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(true);
    await page.fill('#loginName', person.loginName);
    await page.click('#submit');
    await page.fill('#password', person.password);
    await page.click('#submit');
    await page.waitForSelector('button[value="passkey"]');
    await expectSound(window, 'passkeyOffer');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.waitForSelector('form[data-passkey]:not([hidden])');
    await expectSound(window, 'passkeySetUp');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForSelector('#name');
    expect(await page.title()).toMatch(/^Passkey created/);
    await expectSound(window, 'keyName');
    await page.click('#submit');
    await page.waitForSelector('.codes code');
    for (const code of await page.locator('.codes code').allInnerTexts()) world.plant(code);
    await backAfter(() => page.click('#submit'));
    // Another visit: nobody is named, nothing is pressed.
    await page.context().clearCookies();
    await backAfter(begin);
    const sessions = await world.rows('SELECT 1 FROM session WHERE passkey_checked_at IS NOT NULL AND user_id = $1', [
      person.id,
    ]);
    expect(sessions).toHaveLength(1);
    // By keyboard, on the page of its owner.
    await page.goto(`${world.issuer}${paths.accountKeys}`);
    await page.waitForSelector('.account-items');
    await expectSound(window, 'account-keys');
    await pressByKeyboard(window, 'button[value="rename"]');
    await page.waitForSelector('#name');
    await expectSound(window, 'account-keyName');
    await fillByKeyboard(window, { name: 'My phone' });
    await page.waitForSelector('[role="status"]:not(:empty)');
    expect(await page.innerText('.account-items')).toContain('My phone');
    await pressByKeyboard(window, 'button[value="remove"]');
    await page.waitForSelector('.button-danger');
    await expectSound(window, 'account-keyRemoval');
    expect(window.complaints.filter((text) => /Content.Security|script/i.test(text))).toEqual([]);
  });

  it('is made by the link of a mail, in one tab of two, by keyboard, without a fault on a phone', async () => {
    const reader = await Window.open(browser, PHONE);
    await connect(reader, PLATFORM);
    const owner = await world.add.person({ orgId: person.orgId });
    const link = await linkFor(owner);
    await reader.page.goto(link);
    await expectSound(reader, 'passkeyLinkCode');
    await walkTo(reader, '#submit');
    await reader.page.keyboard.press('Enter');
    await reader.page.waitForSelector('form[data-passkey]:not([hidden])');
    await expectSound(reader, 'passkeyLinkKey');
    // The second tab has come as far.
    const tab = await reader.page.context().newPage();
    await tab.goto(link);
    await tab.click('#submit');
    await tab.waitForSelector('form[data-passkey]:not([hidden])');
    await tab.close();
    await walkTo(reader, '#submit');
    await reader.page.keyboard.press('Enter');
    await reader.page.waitForFunction(() => document.title.startsWith('Your passkey is ready'));
    await expectSound(reader, 'passkeyDone');
    await reader.page.goto(link);
    await reader.page.click('#submit');
    await reader.page.waitForSelector('.notice-error');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  it('may be refused without leaving the page, which gives its place in the history away when the key is sent', async () => {
    const visitor = await Window.open(browser, PHONE);
    const { page } = visitor;
    const debug = await page.context().newCDPSession(page);
    await debug.send('WebAuthn.enable');
    const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', { options: PLATFORM });
    const isPresent = (enabled: boolean) =>
      debug.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
    const owner = await world.add.person({ orgId: person.orgId });
    await begin(visitor);
    await visitor.submit({ loginName: owner.loginName });
    await page.waitForSelector('#password');
    await page.click('form[data-passkey] button'); // the authenticator has no key
    await page.waitForSelector('.key-status:not(:empty)');
    await page.reload();
    await page.waitForSelector('#password');

    await page.goto(await linkFor(owner));
    await page.click('#submit');
    await page.click('form[data-passkey]:not([hidden]) button');
    await page.waitForFunction(() => document.title.startsWith('Your passkey is ready'));
    await isPresent(false); // otherwise the field for the name would sign in at once
    await begin(visitor);
    await visitor.submit({ loginName: owner.loginName });
    await page.waitForSelector('#password');
    await isPresent(true);
    await page.click('form[data-passkey] button');
    await page.waitForSelector('.codes code');
    for (const code of await page.locator('.codes code').allInnerTexts()) world.plant(code);
    await backAfter(() => page.click('#submit'), visitor);
    for (const _left of ['the recovery codes', 'the password']) {
      const isThere = page.waitForEvent('framenavigated');
      await backAfter(() => page.goBack(), visitor);
      await isThere;
    }
    await visitor.close();
  });

  it('says without scripts that it needs them, and the link keeps its code', async () => {
    const plain = await Window.open(browser, { ...PHONE, javaScriptEnabled: false });
    const owner = await world.add.person({ orgId: person.orgId });
    const link = await linkFor(owner);
    await plain.page.goto(link);
    expect(await plain.page.innerText('main')).toContain('Passkeys and security keys need JavaScript.');
    await plain.page.click('#submit');
    await plain.page.waitForURL(/passwordless\/init$/);
    expect(await plain.page.innerText('main')).toContain('Passkeys and security keys need JavaScript.');
    expect(await plain.page.locator('form[data-passkey]').isVisible()).toBe(false);
    expect(await world.rows('SELECT 1 FROM user_code WHERE user_id = $1', [owner.id])).toHaveLength(1);
    await plain.close();
  });
});

describe('The passkey of another device in a browser', () => {
  const OFFER = 'Add a passkey to this device?';
  const WIDTHS = [390, 1280];
  let desk: Window;
  let owner: TestPerson;
  let takeAway: () => Promise<void>;

  /** Somebody whose phone has a passkey, made by a link of a mail. */
  beforeEach(async () => {
    const { id: orgId } = await world.add.org();
    owner = await world.add.person({ orgId });
    desk = await Window.open(browser, PHONE);
    takeAway = await connect(desk, ELSEWHERE);
    await desk.page.goto(await linkFor(owner));
    await desk.page.click('#submit');
    await desk.page.waitForSelector('form[data-passkey]:not([hidden])');
    await desk.page.click('#submit');
    await desk.page.waitForFunction(() => document.title.startsWith('Your passkey is ready'));
  });
  afterEach(() => desk.close());

  const keysOf = (): Promise<object[]> =>
    world.rows('SELECT id FROM auth_factor WHERE kind = $1 AND user_id = $2', ['passkey', owner.id]);
  const isShown = (title: string): Promise<unknown> =>
    desk.page.waitForFunction((wanted) => document.querySelector('h1')?.textContent === wanted, title);

  /** Presses the button of the first page; the phone answers. */
  async function signInByPhone(): Promise<void> {
    await begin(desk);
    const { page } = desk;
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  }

  /** The recovery codes that come before the offer, the first time. */
  async function keepCodes(): Promise<void> {
    const { page } = desk;
    await page.waitForSelector('.codes code');
    for (const code of await page.locator('.codes code').allInnerTexts()) world.plant(code);
    await page.click('#submit');
  }

  it('is followed by the offer of one for this device, which is made there and signs in the next time', async () => {
    const { page } = desk;
    await signInByPhone();
    await keepCodes();
    await isShown(OFFER);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      await expectSound(desk, `passkeyHere.${width}`);
    }
    await takeAway();
    await connect(desk, PLATFORM);
    await walkTo(desk, 'button[name="decision"][value="add"]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('form[data-passkey]:not([hidden])');
    await isShown('Create a passkey');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForSelector('#name');
    await backAfter(() => page.click('#submit'), desk);
    expect(await keysOf()).toHaveLength(2);
    // The new one answers by itself, and is of this device: nothing is offered.
    await page.context().clearCookies();
    await backAfter(() => begin(desk), desk);
    expect(desk.complaints.filter((text) => /Content.Security|script/i.test(text))).toEqual([]);
  });

  it('is enough for those who want none here now: a cookie of this browser remembers it', async () => {
    const { page } = desk;
    await signInByPhone();
    await keepCodes();
    await isShown(OFFER);
    await backAfter(() => page.click('button[name="decision"][value="skip"]'), desk);
    expect(await keysOf()).toHaveLength(1);
    const cookies = await page.context().cookies();
    const declined = cookies.find(({ name }) => name === 'gatehouse-passkey');
    expect(declined).toMatchObject({ value: 'not-wanted', httpOnly: true, sameSite: 'Lax' });
    expect(declined!.expires).toBeGreaterThan(Date.now() / 1_000);
    // Another visit of the same browser, without its session.
    await page.context().clearCookies({ name: /^(?!gatehouse-passkey$)/ });
    await backAfter(signInByPhone, desk);
  });
});

describe('A lost passkey in a browser', () => {
  it('is replaced by a mail, where there are no passwords', async () => {
    const desk = await Window.open(browser, PHONE);
    const { page } = desk;
    const { id: orgId } = await world.add.org();
    const owner = await world.add.person({ orgId });
    await connect(desk, PLATFORM);
    await page.goto(await linkFor(owner));
    await page.click('#submit');
    await page.waitForSelector('form[data-passkey]:not([hidden])');
    await page.click('#submit');
    await page.waitForFunction(() => document.title.startsWith('Your passkey is ready'));
    await setPolicy(world, orgId, { allowUsernamePassword: false });
    await desk.close();
    const other = await Window.open(browser, PHONE);
    await begin(other);
    await other.submit({ loginName: owner.loginName });
    await other.page.getByRole('button', { name: 'I have lost my passkey' }).click();
    await other.page.waitForFunction(() => document.title.startsWith('Get a new passkey'));
    await expectSound(other, 'passkeyLost');
    await fillByKeyboard(other, { loginName: owner.loginName });
    await other.page.waitForFunction(() => document.title.startsWith('Add a passkey'));
    await expectSound(other, 'passkeyLostSent');
    await other.close();
  });
});

describe('A security key in a browser', () => {
  it('is a second step, and gives way to a recovery code when it is lost', async () => {
    const { id: orgId } = await world.add.org();
    await setPolicy(world, orgId, { forceMfa: true, secondFactors: ['u2f'], passwordlessType: 'not_allowed' });
    const owner = await world.add.person({ orgId });
    const desk = await Window.open(browser, PHONE);
    const { page } = desk;
    const takeAway = await connect(desk, ROAMING);
    await begin(desk);
    await desk.signIn(owner);
    await page.getByRole('button', { name: 'Use a security key' }).click();
    await page.waitForSelector('form[data-passkey]:not([hidden])');
    await expectSound(desk, 'securityKeySetUp');
    await page.click('#submit');
    await page.waitForSelector('#name');
    await page.click('#submit');
    await page.waitForSelector('.codes code');
    const codes = await page.locator('.codes code').allInnerTexts();
    for (const code of codes) world.plant(code);
    await backAfter(() => page.click('#submit'), desk);
    await page.context().clearCookies();
    await begin(desk);
    await desk.signIn(owner);
    await page.waitForSelector('form[data-passkey]:not([hidden])');
    await expectSound(desk, 'securityKey');
    await backAfter(() => page.click('#submit'), desk);
    // It is lost.
    await takeAway();
    await page.context().clearCookies();
    await begin(desk);
    await desk.signIn(owner);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.waitForSelector('input[name="code"]');
    await backAfter(() => desk.submit({ code: codes[0] ?? '' }), desk);
    expect(desk.complaints.filter((text) => /Content.Security|script/i.test(text))).toEqual([]);
    await desk.close();
  });
});
