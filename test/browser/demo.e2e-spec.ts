import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestPerson } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let alice: TestPerson;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true, env: { DEMO_PORT: String(await freePort()) } });
  alice = await world.cast.alice;
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

beforeEach(async () => {
  window = await Window.open(browser);
  await window.page.goto(`${world.config.demo.origin!}/`);
  await window.shows('#signed-out:not([hidden])');
});
afterEach(async () => {
  expect(window.complaints).toEqual([]);
  await window.close();
});

async function signIn(): Promise<void> {
  const { page } = window;
  await page.click('#sign-in');
  await page.waitForSelector('input[name="loginName"]');
  await window.signIn(alice);
  await page.waitForSelector('#signed-in:not([hidden])');
  await saysFinally('Signed in.');
}

async function saysFinally(text: string): Promise<void> {
  await window.page.getByRole('status').filter({ hasText: text }).waitFor();
}

const textOf = (id: string): Promise<string> => window.page.locator(`#${id}`).innerText();

describe('The demo application', () => {
  it('signs a person in and shows the tokens and userinfo, with no code left in the address', async () => {
    await signIn();
    expect(await textOf('name')).toBe('Alice Liddell');
    expect(JSON.parse(await textOf('id-token'))).toMatchObject({ iss: world.issuer, aud: 'demo', sub: alice.id });
    expect(JSON.parse(await textOf('userinfo-claims'))).toMatchObject({ sub: alice.id, email: alice.email });
    expect(await textOf('access-token')).not.toBe('');
    expect(await textOf('lifetime')).toMatch(/^The access token is valid for (?:12 h|11 h \d+ min)\.$/);
    expect(window.page.url()).toBe(`${world.config.demo.origin!}/`);
  });

  it('refreshes its tokens', async () => {
    await signIn();
    const before = [await textOf('access-token'), await textOf('refresh-token')];
    await window.page.click('#refresh');
    await saysFinally('The tokens are new.');
    const after = [await textOf('access-token'), await textOf('refresh-token')];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it('renews silently in a frame where the browser lets the cookie travel', async () => {
    await signIn();
    await window.page.click('#renew');
    await saysFinally('The session is alive');
  });

  it('signs out and comes back signed out', async () => {
    await signIn();
    await window.page.click('#sign-out');
    await window.shows('#signed-out:not([hidden])');
    await saysFinally('Signed out.');
    await window.page.click('#sign-in');
    await window.shows('input[name="loginName"]');
  });

  it('leads to the account chooser and to the registration', async () => {
    await signIn();
    await window.page.click('#switch');
    await window.page.getByRole('heading', { name: 'Choose an account' }).waitFor();
    await window.page.goBack();
    await window.shows('#signed-in:not([hidden])');
    await window.page.click('#sign-out');
    await window.shows('#signed-out:not([hidden])');
    await window.page.click('#register');
    await window.page.getByRole('heading', { name: 'Create an account' }).waitFor();
  });

  it('shows what went wrong when the service refuses', async () => {
    await window.page.goto(
      `${world.config.demo.origin!}/?error=access_denied&error_description=The+user+declined.&state=unknown`,
    );
    await window.page.locator('#message.error').waitFor();
    expect(await textOf('message')).not.toBe('');
    expect(await window.page.locator('#signed-out').isVisible()).toBe(true);
  });

  it.each([390, 1280])('fits into a screen of %i pixels, in light and dark', async (width) => {
    await signIn();
    for (const colorScheme of ['light', 'dark'] as const) {
      await window.page.emulateMedia({ colorScheme });
      await window.page.setViewportSize({ width, height: 844 });
      expect(await window.isTooWide()).toBe(false);
    }
    const hidden = await window.page
      .locator('#code')
      .evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(hidden).toBe(0); // The code is read as a whole, without scrolling within it.
  });
});
