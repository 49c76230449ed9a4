import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, CDPSession, Locator } from 'playwright-core';
import { png } from '../support/images.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { photograph } from './inspection.js';
import { SwaggerPage } from './swagger-page.js';
import { Window } from './window.js';

const MAX_BYTES = 0.61 * 1024 * 1024;
/** Of the thread that the page runs on. How long one waits depends on what else the machine does. */
const MAX_SECONDS = 1.5;

let browser: Browser;
let world: World;
let window: Window;
let docs: SwaggerPage;
let wire: CDPSession;

/** What came over the wire, by path. */
const received = new Map<string, number>();

/** One window for all tests: opening the page takes longer than most of them. */
beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  window = await Window.open(browser, { viewport: { width: 1280, height: 900 } });
  wire = await window.page.context().newCDPSession(window.page);
  await wire.send('Network.enable');
  await wire.send('Performance.enable', { timeDomain: 'threadTicks' });
  const paths = new Map<string, string>();
  wire.on('Network.requestWillBeSent', ({ requestId, request }) => paths.set(requestId, new URL(request.url).pathname));
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    received.set(paths.get(requestId) ?? '', encodedDataLength);
  });
  docs = await SwaggerPage.open(window.page, world.issuer);
});
afterAll(async () => {
  expect(window.complaints).toEqual([]);
  await closeWindows();
  await world.close();
});

const search = async (phrase: string): Promise<string> => {
  await window.page.fill('#docs-search', phrase);
  await window.page.waitForFunction(
    (text) => text === '' || document.querySelector('#docs-found')?.textContent?.includes(`“${text}”`),
    phrase.trim(),
  );
  return window.page.locator('#docs-found').innerText();
};
const hits = (): Promise<string[]> => window.page.locator('.docs-hits a').allInnerTexts();
const opened = (id: string): Locator => window.page.locator(`.opblock[id$="-${id}"]:has(.opblock-body)`);

const nameOfOption = async (form: Locator, text: string): Promise<string> =>
  form.locator('option', { hasText: text }).first().innerText();

describe('The page at /docs', () => {
  it('is ready after at most 1.5 s of processor time', async () => {
    const { metrics } = await wire.send('Performance.getMetrics');
    expect(metrics.find(({ name }) => name === 'TaskDuration')!.value).toBeLessThan(MAX_SECONDS);
  });

  it('comes with at most 0.61 MB over the wire, and asks for nothing twice that has not changed', async () => {
    const sum = [...received.values()].reduce((all, one) => all + one, 0);
    expect(sum).toBeLessThan(MAX_BYTES);
    received.clear();
    await docs.reload();
    expect([...received.values()].reduce((all, one) => all + one, 0)).toBeLessThan(20_000);
  });

  it('finds tasks and operations by a question, with an index of at most 62 kB that no browser makes', async () => {
    await window.page.keyboard.press('/');
    expect(await search('why can’t Ilse sign in')).toMatch(/^\d+ results for/);
    expect((await hits())[0]).toContain('Somebody cannot sign in');
    expect(await window.page.locator('#operations').isVisible()).toBe(false);
    expect(received.get('/docs/search.json')).toBeLessThan(62_000);
  });

  it('leads from the field to what was found by arrows and Enter, and can be passed on as an address', async () => {
    await search('LOCK user');
    expect(window.page.url()).toContain('search=LOCK+user');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('ArrowUp');
    const first = window.page.locator('.docs-hits a').first();
    expect(await first.evaluate((link) => link === document.activeElement)).toBe(true);
    expect(await first.getAttribute('href')).toBe('#/Users/LockUser');
    await window.page.keyboard.press('Enter');
    await opened('LockUser').waitFor();
    expect(window.page.url()).not.toContain('search=');
    await window.page.goto(`${world.issuer}/docs?search=require%20mfa`, { waitUntil: 'commit' });
    await window.page.waitForSelector('.docs-hits a');
    expect((await hits())[0]).toContain('Require a second factor');
    await window.page.focus('#docs-search');
    await window.page.keyboard.press('Enter');
    await window.page.locator('.docs-start details[open] summary', { hasText: 'Require a second factor' }).waitFor();
  });

  it('says what was looked for when nothing is found', async () => {
    await search('xyzzy');
    expect(await window.page.locator('.docs-nothing').innerText()).toMatch(/Nothing found for.*xyzzy/);
    await window.page.getByRole('button', { name: 'Show all tasks and operations' }).click();
    await window.page.locator('.opblock-tag').first().waitFor();
  });

  it('hides the misspelt operations of older interfaces', async () => {
    await search('SetDeafultLanguage');
    expect((await hits()).filter((one) => /deafult/i.test(one))).toEqual([]);
    await search('');
  });

  it('leads from tasks to operations, and from one operation to the next', async () => {
    await window.page.getByText('Let people sign in to my application').click();
    await window.page.locator('.docs-start').getByRole('link', { name: 'AddProject' }).first().click();
    await opened('AddProject').waitFor();
    await opened('AddProject').getByRole('link', { name: 'AddOIDCApp' }).click();
    await opened('AddOIDCApp').waitFor();
  });

  it('keeps a sign-in over a reload', async () => {
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    await docs.reload();
    expect((await docs.execute('Organizations', 'GetMyOrg')).status).toBe('200');
  });

  it('shows the id that is sent, also in forms that were open before', async () => {
    const lock = await docs.unfold('Users', 'LockUser');
    const example = await lock.locator('[data-param-name="id"] input').inputValue();
    const { body } = await docs.execute('Human users', 'AddHumanUser');
    const { userId } = JSON.parse(body) as { userId: string };
    expect(example).not.toBe(userId);
    await expect(lock.locator('[data-param-name="id"] input').inputValue()).resolves.toBe(userId);
  });

  it('offers what was made here, by its name, also after a reload', async () => {
    await docs.reload();
    const unlock = await docs.unfold('Users', 'UnlockUser');
    expect(await unlock.getByLabel('Known users').innerText()).toContain('Ilse Brandt');
    const member = await docs.unfold('Members', 'AddOrgMember');
    await member.getByLabel('userId').selectOption({ label: await nameOfOption(member, 'Ilse Brandt') });
    const [{ id }] = (await world.rows<{ id: string }>(
      "SELECT id FROM user_account WHERE display_name = 'Ilse Brandt'",
    )) as [{ id: string }];
    expect(await member.locator('textarea').inputValue()).toContain(id);
  });

  it('lets forms name what a list has shown', async () => {
    await docs.execute('Users', 'ListUsers');
    const lock = await docs.unfold('Users', 'LockUser');
    const use = opened('ListUsers').locator('tr', { hasText: 'Ilse Brandt' }).locator('.docs-use').first();
    await use.click();
    const id = (await use.getAttribute('aria-label'))!.replace('Use the ID ', '');
    await expect(lock.locator('[data-param-name="id"] input').inputValue()).resolves.toBe(id);
  });

  it.each([
    ['Users', 'GetUserByLoginNameGlobal', 'loginName'],
    ['Organizations', 'GetOrgByDomainGlobal', 'domain'],
    ['Users', 'GetUserByID', 'id'],
    ['Users', 'GetUserMetadata', 'key'],
  ])('sends what a program has typed into %s %s the moment before', async (tag, id, name) => {
    const form = await docs.unfold(tag, id);
    await form.evaluate((element, named) => {
      const field = element.querySelector<HTMLInputElement>(`[data-param-name="${named}"] input`)!;
      // As React hears of it.
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'typed-at-once');
      field.dispatchEvent(new Event('input', { bubbles: true }));
      element.querySelector<HTMLButtonElement>('button.execute')!.click();
    }, name);
    await form.locator('.docs-answer .docs-status strong').waitFor();
    expect(await form.locator('.docs-curl').textContent()).toContain('typed-at-once');
    window.complaints.length = 0; // the browser notes the 404 that was asked for
  });

  it('reads a picture from a file', async () => {
    const logo = await docs.unfold('Appearance', 'SetLabelPolicyLogo');
    const buffer = png({ width: 1, height: 1 });
    await logo.locator('input[type="file"]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer });
    await window.page.waitForFunction(
      (text) =>
        (document.querySelector('.opblock[id$="-SetLabelPolicyLogo"] textarea') as HTMLTextAreaElement).value.includes(
          text,
        ),
      buffer.toString('base64'),
    );
    expect((await docs.execute('Appearance', 'SetLabelPolicyLogo')).status).toBe('200');
  });

  it('shows times and people in answers as one says them', async () => {
    await docs.execute('Events', 'ListEvents');
    const events = opened('ListEvents').locator('.docs-table');
    expect(await events.locator('th').allInnerTexts()).toEqual(['creationDate', 'sentence', 'id']);
    expect(await events.innerText()).toMatch(/Added the user “Ilse Brandt”/);
    expect(await events.locator('tbody tr').first().locator('td').first().innerText()).not.toMatch(/\dT\d\d:/);
  });

  it('brings the answer into view, without the token, and folds what else could come', async () => {
    await docs.execute('Organizations', 'GetMyOrg');
    const org = opened('GetMyOrg');
    const place = await org.locator('.docs-answer').boundingBox();
    expect(place!.y).toBeGreaterThanOrEqual(0);
    expect(place!.y + Math.min(place!.height, 300)).toBeLessThanOrEqual(900);
    expect(await org.locator('.docs-curl').textContent()).not.toContain(world.firstStart.personalAccessToken!.reveal());
    expect(await org.locator('.docs-curl').textContent()).toContain('$TOKEN');
    expect(await org.locator('.responses-table').count()).toBe(0);
  });

  it('shows the same call in TypeScript, first with the example and then with what was sent', async () => {
    const form = await docs.unfold('Users', 'IsUserUnique');
    const programs = form.locator('.docs-curl');
    await programs.locator('summary').click();
    expect(await programs.getByRole('tab').allInnerTexts()).toEqual(['TypeScript']);
    expect(await programs.getByRole('tabpanel', { name: 'TypeScript' }).innerText()).toContain(
      'await isUserUnique(gatehouse, { userName: ',
    );
    await form.locator('[data-param-name="userName"] input').fill("o'brien");
    await window.page.keyboard.press('Tab'); // a field that is left is drawn anew
    await form.locator('button.execute').click();
    await form.locator('.docs-answer .docs-status strong').waitFor();
    expect(await programs.getByRole('tab').allInnerTexts()).toEqual(['curl', 'TypeScript']);
    await programs.getByRole('tab', { name: 'TypeScript' }).focus();
    await window.page.keyboard.press('ArrowLeft');
    expect(await programs.getByRole('tab', { selected: true }).innerText()).toBe('curl');
    await window.page.keyboard.press('ArrowRight');
    const shown = await programs.getByRole('tabpanel').filter({ visible: true }).innerText();
    expect(shown).toContain("await isUserUnique(gatehouse, { userName: 'o\\'brien', ");
    expect(shown).toContain(`connect({ url: '${world.issuer}', token: process.env['TOKEN'] })`);
  });

  it('loads what is there before an update replaces it', async () => {
    const update = await docs.unfold('Login policy', 'UpdateLoginPolicy');
    await update.getByRole('button', { name: 'Load what is there' }).click();
    await window.page.waitForFunction(
      (text) =>
        (document.querySelector('.opblock[id$="-UpdateLoginPolicy"] textarea') as HTMLTextAreaElement).value.includes(
          text,
        ),
      '"ignoreUnknownUsernames": true',
    );
    expect((await docs.execute('Login policy', 'UpdateLoginPolicy')).status).toBe('200');
  });

  it('loads the roles of a member, which only a search returns', async () => {
    const [{ id: userId }] = (await world.rows<{ id: string }>(
      "SELECT id FROM user_account WHERE display_name = 'Ilse Brandt'",
    )) as [{ id: string }];
    const added = await docs.execute('Members', 'AddOrgMember', { userId, roles: ['ORG_OWNER_VIEWER'] });
    expect(added.status).toBe('200');
    const update = await docs.unfold('Members', 'UpdateOrgMember');
    await update.getByRole('button', { name: 'Load what is there' }).click();
    await window.page.waitForFunction(
      (text) =>
        (document.querySelector('.opblock[id$="-UpdateOrgMember"] textarea') as HTMLTextAreaElement).value.includes(
          text,
        ),
      'ORG_OWNER_VIEWER',
    );
    expect(JSON.parse(await update.locator('textarea').inputValue())).toEqual({ roles: ['ORG_OWNER_VIEWER'] });
  });

  it('asks before it removes anything, and says what', async () => {
    const remove = await docs.unfold('Users', 'RemoveUser');
    await remove.locator('button.execute').click();
    const question = window.page.locator('dialog.docs-question');
    expect(await question.innerText()).toMatch(/Ilse Brandt[\s\S]*cannot be undone/);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(await remove.locator('.docs-answer').count()).toBe(0);
    await remove.locator('button.execute').click();
    await question.getByRole('button', { name: 'Yes, do it' }).click();
    expect(await remove.locator('.docs-status strong').innerText()).toBe('200');
  });

  it('has the letters of its buttons in the color of its text, also in dark mode', async () => {
    await window.page.emulateMedia({ colorScheme: 'dark' });
    const remove = await docs.unfold('Projects', 'RemoveProject');
    await remove.locator('button.execute').click();
    const question = window.page.locator('dialog.docs-question');
    const cancel = question.getByRole('button', { name: 'Cancel' });
    const colorOf = (locator: Locator): Promise<string> =>
      locator.evaluate((element) => getComputedStyle(element).color);
    expect(await colorOf(cancel)).toBe(await colorOf(question));
    await cancel.click();
    await window.page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows a mail and a login page as their readers see them, in a frame that cannot reach the page', async () => {
    const { status } = await docs.execute('E-mail texts of the instance', 'PreviewMessageText');
    expect(status).toBe('200');
    const frame = opened('PreviewMessageText').locator('.docs-preview iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
    await frame.contentFrame().locator('a').first().waitFor();
    expect(await frame.contentFrame().locator('body').innerText()).not.toContain('<');
    await photograph(window, 'swagger-ui-preview');
    await docs.execute('Appearance', 'PreviewLoginPage');
    const page = opened('PreviewLoginPage').locator('.docs-preview iframe').contentFrame();
    expect(await page.locator('h1').evaluate((title) => getComputedStyle(title).fontWeight)).not.toBe('400');
    await page.locator('input[name="loginName"]').waitFor();
  });

  it('works in another organization when one is chosen, and says so in every form', async () => {
    const { id, domain: name } = await world.add.org();
    await docs.reload();
    await window.page.getByLabel('Organization', { exact: true }).selectOption({ label: name });
    expect(await window.page.locator('.docs-banner').innerText()).toContain(name);
    const { body } = await docs.execute('Organizations', 'GetMyOrg');
    expect(JSON.parse(body)).toMatchObject({ org: { id } });
    expect(await opened('GetMyOrg').locator('.docs-scope').innerText()).toBe(`Acts in the organization ${name}`);
    await window.page.getByRole('button', { name: 'Back to my own organization' }).click();
    expect(await opened('GetMyOrg').locator('.docs-scope').innerText()).toBe('Acts in your own organization');
  });

  it('stays usable with an answer of 5 MB: its beginning, and a file with all of it', async () => {
    const result = Array.from({ length: 10_000 }, (_, index) => ({
      id: String(914_796_799_359_000_000n + BigInt(index)),
      userName: `user-${index}`,
      preferredLoginName: 'x'.repeat(420),
    }));
    const body = JSON.stringify({ details: {}, result });
    await window.page.route('**/management/v1/users/_search', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body }),
    );
    const form = await docs.unfold('Users', 'ListUsers');
    const began = Date.now();
    await form.locator('button.execute').click();
    const saved = window.page.waitForEvent('download');
    await form.getByRole('button', { name: 'Download all of it' }).click();
    expect(Date.now() - began).toBeLessThan(10_000);
    await (await saved).delete();
    expect(await form.locator('.docs-table tbody tr').count()).toBe(200);
    expect((await form.locator('.docs-body pre').innerText()).length).toBeLessThan(25_000);
    await window.page.unroute('**/management/v1/users/_search');
  });

  it.each(['light', 'dark'] as const)('fits on a phone, %s', async (colorScheme) => {
    await window.page.emulateMedia({ colorScheme });
    await window.page.setViewportSize({ width: 390, height: 844 });
    expect(await window.isTooWide()).toBe(false);
    const [button, field] = await Promise.all(
      ['button.authorize', '#docs-search'].map((selector) => window.page.locator(selector).first().boundingBox()),
    );
    expect(button!.y + button!.height).toBeLessThanOrEqual(field!.y);
    const widths = await window.page
      .locator('.opblock-tag small')
      .evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
    expect(widths.length).toBeGreaterThan(10);
    expect(Math.min(...widths)).toBeGreaterThan(300); // A description beside a long name was a column of single letters.
    const findings = await window.accessibilityFindings();
    expect(findings.filter((one) => one.startsWith('color-contrast'))).toEqual([]);
    await photograph(window, `swagger-ui-phone-${colorScheme}`);
    await window.page.setViewportSize({ width: 1280, height: 900 });
    await photograph(window, `swagger-ui-${colorScheme}`);
  });
});
