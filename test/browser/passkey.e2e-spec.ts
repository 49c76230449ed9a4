import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { setPolicy } from '../login/factor-turns.js';
import type { TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { launchChromium } from './chromium.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let person: TestPerson;
let window: Window;

beforeAll(async () => {
  browser = await launchChromium();
  world = await startWorld({ realTime: true, hasName: true });
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 1 });
  person = await world.add.person({ orgId });
  await world.rows("UPDATE user_account SET creation_date = creation_date - interval '1 day' WHERE id = $1", [
    person.id,
  ]);
  window = await Window.open(browser, { viewport: { width: 390, height: 844 } });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

/** Opens the sign-in of an application, whose answer is taken from the address bar. */
async function begin(): Promise<void> {
  const web1 = new RelyingParty(world, await world.cast.web1);
  await window.page.goto(`${world.issuer}${web1.authorizePath()}`);
}

/** The browser is sent back to the application, which does not exist. */
async function backAfter(work: () => Promise<unknown>): Promise<void> {
  const back = window.page.waitForRequest(/^https:\/\/rp1\.test\/cb\?.*code=/, { timeout: 30_000 });
  // What the browser was doing ends when it leaves.
  await work().catch(() => undefined);
  await back;
}

describe('A passkey in a browser', () => {
  it('is made after a password on a phone, and then offered by the field of the first page', async () => {
    const { page } = window;
    const debug = await page.context().newCDPSession(page);
    await debug.send('WebAuthn.enable');
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await begin();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(true);
    await page.fill('#loginName', person.loginName);
    await page.click('#submit');
    await page.fill('#password', person.password);
    await page.click('#submit');
    await page.getByRole('button', { name: 'Create a passkey' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForSelector('#name');
    expect(await page.title()).toMatch(/^Passkey created/);
    await page.click('#submit');
    for (const code of await page.locator('.codes code').allInnerTexts()) world.plant(code);
    await backAfter(() => page.click('#submit'));
    // Another visit: nobody is named, nothing is pressed.
    await page.context().clearCookies();
    await backAfter(begin);
    const sessions = await world.rows('SELECT 1 FROM session WHERE passkey_checked_at IS NOT NULL AND user_id = $1', [
      person.id,
    ]);
    expect(sessions).toHaveLength(1);
    expect(window.complaints.filter((text) => /Content.Security|script/i.test(text))).toEqual([]);
  });
});
