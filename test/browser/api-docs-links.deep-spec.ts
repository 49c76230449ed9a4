import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, Locator, Request } from 'playwright-core';
import { DocsLinks } from '../../src/admin/kit/docs-link.js';
import { startWorld, type World } from '../support/world.js';
import { closeWindows, openChromium } from './chromium.js';
import { SwaggerPage } from './swagger-page.js';
import { Window } from './window.js';

const API = /^\/(admin|management|auth|v2)\//;

let browser: Browser;
let world: World;
let window: Window;
/** Calls that change something, since the test began. */
let sent: Request[];

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
});
afterAll(async () => {
  await closeWindows();
  await world.close();
});

beforeEach(async () => {
  window = await Window.open(browser);
  sent = [];
  window.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (API.test(pathname) && !pathname.endsWith('/_search')) sent.push(request);
  });
});

const form = (id: string): Locator => window.page.locator(`.opblock[id$="-${id}"]:has(.opblock-body)`);
const field = (id: string, name: string): Locator =>
  form(id).locator(`[data-param-name="${name}"]`).locator('input, select').first();
const filled = async (id: string, name: string): Promise<string> => field(id, name).inputValue();
const linkTo = (...link: Parameters<DocsLinks['to']>): string => `${world.issuer}${world.get(DocsLinks).to(...link)}`;

async function follow(address: string): Promise<SwaggerPage> {
  return SwaggerPage.at(window.page, address);
}

/** Presses Execute, and returns what was sent. */
async function execute(id: string): Promise<{ path: string; org: string | undefined; body: string | null }> {
  sent.length = 0;
  await form(id).locator('button.execute').click();
  await form(id).locator('.docs-answer .docs-status strong').waitFor();
  expect(sent).toHaveLength(1);
  const [request] = sent as [Request];
  const org = await request.headerValue('x-service-orgid');
  return { path: new URL(request.url()).pathname, org: org ?? undefined, body: request.postData() };
}

describe('A link to an operation at /docs', () => {
  it('opens it, filled in, for whoever signs in then, and sends exactly that when they press Execute', async () => {
    const { id: orgId } = await world.add.org();
    const person = await world.add.person({ orgId });
    const token = world.firstStart.personalAccessToken!.reveal();
    const headers = { authorization: `Bearer ${token}`, 'x-service-orgid': orgId };
    await fetch(`${world.issuer}/management/v1/users/${person.id}/_lock`, { method: 'POST', headers });

    const docs = await follow(linkTo('UnlockUser', { id: person.id }, orgId));
    await form('UnlockUser').waitFor();
    const { adminLoginName: loginName, adminPassword } = world.firstStart;
    await docs.authorize({ loginName, password: adminPassword.reveal() });
    expect(await filled('UnlockUser', 'id')).toBe(person.id);
    expect(await filled('UnlockUser', 'x-service-orgid')).toBe(orgId);
    expect(await form('UnlockUser').locator('.docs-scope').innerText()).toMatch(/^Acts in the organization /);
    expect(await form('UnlockUser').locator('.docs-linked').innerText()).toContain('id, organization');
    expect(sent).toEqual([]);
    expect(await execute('UnlockUser')).toEqual({
      path: `/management/v1/users/${person.id}/_unlock`,
      org: orgId,
      body: null,
    });
    expect(await form('UnlockUser').locator('.docs-status strong').innerText()).toBe('200');
    expect(await form('UnlockUser').evaluate((element) => element.getBoundingClientRect().top)).toBeLessThan(720);

    await docs.reload();
    await form('UnlockUser').waitFor();
    expect(await filled('UnlockUser', 'id')).toBe(person.id);
    expect(await filled('UnlockUser', 'x-service-orgid')).toBe(orgId);
  });

  it('replaces what an earlier one has filled in, and its answer, while the page is open', async () => {
    const docs = await follow(linkTo('UnlockUser', { id: '111' }, '222'));
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    expect((await execute('UnlockUser')).path).toBe('/management/v1/users/111/_unlock');
    await field('UnlockUser', 'id').fill('typed');
    await window.page.keyboard.press('Tab');

    await window.page.evaluate(() => (location.hash = '#/Users/UnlockUser?id=333'));
    await window.page.waitForFunction(() => document.querySelector('.docs-answer') === null);
    expect(await filled('UnlockUser', 'id')).toBe('333');
    expect(await execute('UnlockUser')).toMatchObject({ path: '/management/v1/users/333/_unlock', org: undefined });

    await window.page.evaluate((hash) => (location.hash = hash), linkTo('GetUserByID', { id: '444' }).split('#')[1]!);
    await form('GetUserByID').waitFor();
    expect(await filled('GetUserByID', 'id')).toBe('444');
    expect(await filled('UnlockUser', 'id')).toBe('333');
    window.complaints.length = 0; // the browser notes the refusals that were asked for
  });

  it('means the object that it names, also where another one was chosen on the page', async () => {
    const docs = await follow(`${world.issuer}/docs`);
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    const { userId } = JSON.parse((await docs.execute('Human users', 'AddHumanUser')).body) as { userId: string };
    await docs.execute('Users', 'ListUsers');
    const use = form('ListUsers').locator('.docs-use:visible');
    const others = await use.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!));
    const index = others.findIndex((label) => !label.includes(userId));
    await use.nth(index).click();
    await window.page.evaluate((id) => (location.hash = `#/Users/GetUserByID?id=${id}`), userId);
    await form('GetUserByID').waitFor();
    expect(await filled('GetUserByID', 'id')).toBe(userId);
    expect((await execute('GetUserByID')).path).toBe(`/management/v1/users/${userId}`);
  });

  it('fills in members of the body, which are sent alone', async () => {
    const docs = await follow(linkTo('AddOrgMember', { userId: '111', roles: ['ORG_OWNER_VIEWER'] }));
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    const { body } = await execute('AddOrgMember');
    expect(JSON.parse(body!)).toEqual({ userId: '111', roles: ['ORG_OWNER_VIEWER'] });
    await window.page.evaluate(() => (location.hash = '#/Members/AddOrgMember?userId=222'));
    await window.page.waitForFunction(() => document.querySelector('.docs-answer') === null);
    expect(JSON.parse((await execute('AddOrgMember')).body!)).toEqual({ userId: '222' });
    window.complaints.length = 0; // the browser notes the refusals that were asked for
  });

  it('of a stranger sends nothing by itself, shows what it fills in as text, and asks before anything is removed [ADM-116]', async () => {
    const person = await world.add.person({ orgId: (await world.add.org()).id });
    const docs = await follow(`${world.issuer}/docs`);
    await docs.pasteToken(world.firstStart.personalAccessToken!.reveal());
    sent.length = 0;
    const markup = '<img src=x onerror=x()>';
    const others = 'execute=true&url=https://evil.example&__proto__=1&configUrl=/x&Authorization=1&constructor=2';
    await follow(`${world.issuer}/docs?reload#/Users/RemoveUser?id=${encodeURIComponent(markup)}&x-org=<b>&${others}`);
    await form('RemoveUser').waitFor();
    expect(await filled('RemoveUser', 'id')).toBe(markup);
    expect(await form('RemoveUser').locator('.docs-scope').innerText()).toBe('Acts in the organization <b>');
    expect(await window.page.locator('#docs img[src="x"], .docs-scope b').count()).toBe(0);
    expect(await window.page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);

    await window.page.evaluate((id) => (location.hash = `#/Users/RemoveUser?id=${id}`), person.id);
    await window.page.waitForFunction(
      (id) => document.querySelector<HTMLInputElement>('[data-param-name="id"] input')?.value === id,
      person.id,
    );
    await form('RemoveUser').locator('button.execute').click();
    const question = window.page.locator('dialog.docs-question');
    expect(await question.innerText()).toContain(person.id);
    await question.getByRole('button', { name: 'Cancel' }).click();
    expect(sent).toEqual([]);

    for (const broken of ['#/Users/RemoveUserMetadata?id=1&key=..', '#/Users/RemoveUserMetadata?id=1&key=%2e%2E']) {
      await window.page.evaluate((hash) => (location.hash = hash), broken);
      await form('RemoveUserMetadata').waitFor();
      expect(await filled('RemoveUserMetadata', 'key')).toBe('');
      await form('RemoveUserMetadata').locator('button.execute').click();
    }
    expect(sent).toEqual([]);
    await window.page.evaluate(() => (location.hash = '#/Users/UnlockUser?id=../../../admin/v1?a%23b'));
    await form('UnlockUser').waitFor();
    expect((await execute('UnlockUser')).path).toBe('/management/v1/users/..%2F..%2F..%2Fadmin%2Fv1%3Fa%23b/_unlock');
    window.complaints.splice(0, 1); // the browser notes the refusal that was asked for
    expect(window.complaints).toEqual([]);
  });

  it.each([
    ['of half an escape', '#/Users/UnlockUser?id=%'],
    ['of bytes that are no text', '#/Users/UnlockUser?id=%FF_%zz'],
    ['to nothing', '#/Users/Nothing?id=%'],
    ['of 80,000 letters', `#/Users/LockUser?${'a=1&'.repeat(20_000)}`],
  ])('leaves the page usable if it is one %s [ADM-116]', async (_, hash) => {
    await follow(`${world.issuer}/docs${hash}`);
    await window.page.evaluate(() => (location.hash = '#/Users/UnlockUser?id=5'));
    await form('UnlockUser').waitFor();
    expect(await filled('UnlockUser', 'id')).toBe('5');
    expect(sent).toEqual([]);
    expect(window.complaints).toEqual([]);
  });

  it('is made of operations and fields that exist', () => {
    expect(() => world.get(DocsLinks).to('Nothing')).toThrow('There is no operation Nothing.');
    expect(() => world.get(DocsLinks).to('UnlockUser', { user: '1' })).toThrow('No link fills in user of UnlockUser.');
    expect(world.get(DocsLinks).to('CreateProjectV2')).toBe('/docs#/Projects%20v2/CreateProjectV2');
  });
});
