import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { startWorld, type World } from '../support/world.js';
import { launchChromium } from './chromium.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let window: Window;

beforeAll(async () => {
  browser = await launchChromium();
  world = await startWorld({ realTime: true });
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

beforeEach(async () => {
  window = await Window.open(browser);
  await window.page.goto(`${world.issuer}/docs`);
  await window.page.waitForSelector('.opblock');
});
afterEach(async () => {
  expect(window.complaints).toEqual([]);
  await window.close();
});

const operation = (page: Page, tag: string, id: string): Locator => page.locator(`[id="operations-${tag}-${id}"]`);
/** One way to authorize, in the dialogue. */
const way = (page: Page, name: string): Locator => page.locator('.modal-ux .auth-container').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) });

/** Tries the operation with the values that are filled in; the status and the body. */
async function execute(target: Locator): Promise<{ status: string; body: string }> {
  await target.locator('.opblock-summary').click();
  await target.locator('button.execute').click();
  const row = target.locator('.live-responses-table tbody tr.response').first();
  const status = await row.locator('.response-col_status').innerText();
  return { status: status.trim(), body: await row.locator('.response-col_description').innerText() };
}

describe('Swagger UI at /docs', () => {
  it('signs an administrator in by code and PKCE with what is filled in, and then asks as that person', async () => {
    const { page } = window;
    const { adminLoginName: loginName, adminPassword } = world.firstStart;
    await page.click('button.authorize');
    expect(await way(page, 'oauth2').locator('input[data-name="clientId"], #client_id_authorizationCode').first().inputValue()).toBe('swagger');
    const opened = page.waitForEvent('popup');
    await way(page, 'oauth2').getByRole('button', { name: 'Apply given OAuth2 credentials' }).click();
    const popup = await opened;
    const closed = popup.waitForEvent('close');
    await popup.fill('input[name="loginName"]', loginName);
    await popup.click('#submit');
    await popup.fill('input[name="password"]', adminPassword.reveal());
    await popup.click('#submit');
    await closed;
    await way(page, 'oauth2').getByRole('button', { name: 'Remove authorization' }).waitFor();
    await page.locator('.modal-ux button.btn-done').first().click();
    const { status, body } = await execute(operation(page, 'Message_texts', 'GetDefaultInitMessageText'));
    expect([status, body]).toEqual(['200', expect.stringContaining('{{.FirstName}}')]);
  });

  it('takes a personal access token that is pasted', async () => {
    const { page } = window;
    await page.click('button.authorize');
    await way(page, 'token').locator('input').fill(world.firstStart.personalAccessToken!.reveal());
    await way(page, 'token').locator('button.authorize').click();
    await page.locator('.modal-ux button.btn-done').first().click();
    expect((await execute(operation(page, 'Message_texts', 'GetDefaultInitMessageText'))).status).toBe('200');
  });

  it('shows what a refusal looks like', async () => {
    const { status, body } = await execute(operation(window.page, 'Message_texts', 'GetDefaultInitMessageText'));
    expect([status, body]).toEqual(['401', expect.stringContaining('token.missing')]);
    window.complaints.splice(0, 1); // the browser notes the refusal that was asked for
  });

  it('shows the protocol endpoints with their fields', async () => {
    const token = operation(window.page, 'OAuth', 'IssueToken');
    await token.locator('.opblock-summary').click();
    await token.locator('tr[data-property-name="code_verifier"]').waitFor();
    expect((await execute(operation(window.page, 'OpenID_Connect', 'ListKeys'))).status).toBe('200');
  });

  it('goes to the public URL when it is opened under another name of the machine', async () => {
    const { page } = window;
    await page.goto(`${world.issuer.replace('127.0.0.1', 'localhost')}/docs`);
    await page.waitForURL(`${world.issuer}/docs`);
  });

  it.each([390, 1280])('fits into a screen of %i pixels', async (width) => {
    await window.page.setViewportSize({ width, height: 900 });
    expect(await window.isTooWide()).toBe(false);
  });
});
