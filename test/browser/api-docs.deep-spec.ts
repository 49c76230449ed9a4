import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { SwaggerPage } from './swagger-page.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let window: Window;
let docs: SwaggerPage;
let isSignedIn = false;

/** One page for all tests: opening it takes longer than most of them. */
beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  window = await Window.open(browser);
  docs = await SwaggerPage.open(window.page, world.issuer);
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

afterEach(async () => {
  expect(window.complaints).toEqual([]);
  if (!isSignedIn) return;
  await window.page.context().clearCookies();
  await window.page.evaluate(() => [sessionStorage, localStorage].forEach((storage) => storage.clear()));
  await docs.reload();
  isSignedIn = false;
});

describe('Swagger UI at /docs', () => {
  it('signs an administrator in by code and PKCE with what is filled in, and then asks as that person', async () => {
    isSignedIn = true;
    const { adminLoginName: loginName, adminPassword } = world.firstStart;
    expect(await docs.clientId()).toBe('swagger');
    await docs.authorize({ loginName, password: adminPassword.reveal() });
    const { status, body } = await docs.execute('E-mail texts of the instance', 'GetDefaultInitMessageText');
    expect([status, body]).toEqual(['200', expect.stringContaining('{{.FirstName}}')]);
  });

  it('takes a personal access token that is pasted', async () => {
    isSignedIn = true;
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    expect((await docs.execute('E-mail texts of the instance', 'GetDefaultInitMessageText')).status).toBe('200');
  });

  it('offers two ways to sign in, and asks for nothing that an administrator does not have', async () => {
    await window.page.click('button.authorize');
    const dialogue = window.page.locator('.modal-ux');
    expect(await dialogue.locator('h4').allInnerTexts()).toEqual([
      expect.stringContaining('OAuth2'),
      expect.stringContaining('Bearer'),
    ]);
    expect(await dialogue.innerText()).not.toMatch(/scope|client_secret|client_id|basic/i);
    expect(await dialogue.locator('input:visible').evaluateAll((fields) => fields.map(({ id }) => id))).toEqual([
      'auth-bearer-value',
    ]);
    await dialogue.locator('button.btn-done').first().click();
  });

  it('shows what a refusal looks like', async () => {
    const { status, body } = await docs.execute('E-mail texts of the instance', 'GetDefaultInitMessageText');
    expect([status, body]).toEqual(['401', expect.stringContaining('token.missing')]);
    window.complaints.splice(0, 1); // the browser notes the refusal that was asked for
  });

  it('shows the protocol endpoints with their fields', async () => {
    const token = await docs.unfold('OAuth', 'IssueToken');
    await token.locator('tr[data-property-name="code_verifier"]').waitFor();
    expect((await docs.execute('OpenID Connect', 'ListKeys')).status).toBe('200');
  });

  it('goes to the public URL when it is opened under another name of the machine', async () => {
    const { page } = window;
    await page.goto(`${world.issuer.replace('127.0.0.1', 'localhost')}/docs`);
    await page.waitForURL(`${world.issuer}/docs`);
    await page.waitForSelector('.opblock-tag');
  });

  it.each([390, 1280])('fits into a screen of %i pixels', async (width) => {
    await window.page.setViewportSize({ width, height: 900 });
    expect(await window.isTooWide()).toBe(false);
  });
});
