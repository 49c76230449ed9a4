import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { paths } from '../../src/org/instance/paths.js';
import { setPolicy } from '../login/factor-turns.js';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let person: TestPerson;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true, hasName: true });
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 0 });
  person = await world.add.person({ orgId });
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

it('A passkey that is removed on the account page leaves the password manager of the browser', async () => {
  const window = await Window.open(browser);
  const { page } = window;
  const debug = await page.context().newCDPSession(page);
  await debug.send('WebAuthn.enable');
  const { authenticatorId } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const stored = async (): Promise<number> =>
    (await debug.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  await page.goto(`${world.issuer}${paths.accountKeys}`);
  await window.signIn(person);
  await page.click('button[value="add-passkey"]');
  // A key is made only after a proof of its own.
  await page.waitForSelector('#password');
  await window.submit({ password: person.password });
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForSelector('#name');
  await page.click('#submit');
  await page.waitForSelector('.codes code');
  for (const code of await page.locator('.codes code').allInnerTexts()) world.plant(code);
  await page.click('#submit');
  await page.waitForSelector('button[value="remove"]');
  expect(await stored()).toBe(1);
  await page.click('button[value="remove"]');
  await page.click('.button-danger');
  await page.waitForSelector('[role="status"]:not(:empty)');
  for (let waited = 0; (await stored()) > 0 && waited < 50; waited += 1) await page.waitForTimeout(100);
  expect(await stored()).toBe(0);
  expect(window.complaints).toEqual([]);
});
