import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { OrgService } from '../../src/org/org.service.js';
import { LabelService, type LabelSettings } from '../../src/org/policy/label.service.js';
import { ENGLISH_LOGIN_TEXTS, type LoginTexts } from '../../src/text/login-catalogue/catalogue.js';
import { LoginTextService } from '../../src/text/login-text.service.js';
import type { Page } from '../support/browser.js';
import { EDITOR, type TestOrg } from '../support/builders.js';
import { send, toQuery } from '../support/http.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { begin, beginPassword, pageOf, requestIdOf } from './turns.js';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let world: World;
let web1: RelyingParty;
let org: TestOrg;
let scope: string;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  web1 = new RelyingParty(world, await world.cast.web1);
  org = await world.add.org();
  scope = `openid urn:service:iam:org:id:${org.id}`;
});

const colors = { primaryColor: '#7c2d12', backgroundColor: '#fff7ed' };

async function label(settings: LabelSettings, activate = true, ownerId = org.id): Promise<void> {
  const labels = world.get(LabelService);
  await labels.add(ownerId, settings, EDITOR);
  if (activate) await labels.activate(ownerId, EDITOR);
}

const sheetsOf = (page: Page): string[] => page.all('link[rel="stylesheet"]').map((link) => link.getAttribute('href')!);
const brandOf = (page: Page): string | undefined => sheetsOf(page)[1];

describe('The colours of an organization', () => {
  it('come as a stylesheet after ours, kept for good under an address of its own', async () => {
    await label(colors);
    const page = await begin(web1, { scope });
    const href = brandOf(page)!;
    expect(href).toMatch(new RegExp(`^${paths.brand}/${org.id}/[\\w-]{12}\\.css$`));
    expect(page.reply.header('content-security-policy')).toContain("style-src 'self';");
    const sheet = await send(world.origin, { path: href });
    expect([sheet.status, sheet.header('content-type'), sheet.header('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect(sheet.text).toContain('--button:#7c2d12');
    expect(sheet.text).toContain('--ground:#fff7ed');
    expect(sheet.text).toContain('@media (prefers-color-scheme:dark)');
    expect(sheet.headers['set-cookie']).toBeUndefined();
  });

  it('are seen once they are activated, and have another address when they change', async () => {
    await label(colors, false);
    expect(brandOf(await begin(web1, { scope }))).toBeUndefined();
    await world.get(LabelService).activate(org.id, EDITOR);
    const first = brandOf(await begin(web1, { scope }))!;
    await world.get(LabelService).update(org.id, { primaryColor: '#14532d' }, EDITOR);
    await world.get(LabelService).activate(org.id, EDITOR);
    expect(brandOf(await begin(web1, { scope }))).not.toBe(first);
    const old = await send(world.origin, { path: first });
    expect([old.status, old.header('cache-control'), old.text.includes('#14532d')]).toEqual([200, 'no-cache', true]);
  });

  it('are on every page of its sign-ins, and on no page of others', async () => {
    await label(colors);
    const person = await world.add.person({ orgId: org.id });
    expect(brandOf(await begin(web1))).toBeUndefined();
    expect(brandOf(await beginPassword(web1, person.loginName))).toBeDefined();
    expect(
      brandOf(
        pageOf(
          await web1.browser.submit(await beginPassword(web1, person.userName, { scope }), {
            password: 'Wrong-Password-1',
          }),
        ),
      ),
    ).toBeDefined();
    expect(
      brandOf(await begin(web1.elsewhere(), { scope: `openid urn:service:iam:org:id:${(await world.add.org()).id}` })),
    ).toBeUndefined();
  });

  it.each(['unknown', '..%2f..', '900000000000000001'])('are not there for %s', async (owner) => {
    expect((await send(world.origin, { path: `${paths.brand}/${owner}/abcdefghijkl.css` })).status).toBe(404);
    expect((await send(world.origin, { path: `${paths.brand}/${org.id}/x%00.css` })).status).toBe(404);
  });

  it('have only one theme if the label sets one', async () => {
    await label({ ...colors, themeMode: 'dark' });
    const page = await begin(web1, { scope });
    expect(page.find('meta[name="color-scheme"]')?.getAttribute('content')).toBe('dark');
    expect((await send(world.origin, { path: brandOf(page)! })).text).toMatch(/^:root\{color-scheme:dark;[^}]*\}\n$/);
  });
});

describe('Logo, icon and product', () => {
  it('are those of the label', async () => {
    const labels = world.get(LabelService);
    await labels.add(org.id, { disableWatermark: true }, EDITOR);
    for (const slot of ['logo', 'icon'] as const) await labels.setImage(org.id, slot, PIXEL, EDITOR);
    await labels.activate(org.id, EDITOR);
    const page = await begin(web1, { scope });
    const logo = page.find('.brand img')!;
    expect(logo.getAttribute('alt')).toBe(org.domain);
    for (const src of [logo.getAttribute('src')!, page.find('link[rel="icon"]')!.getAttribute('href')!]) {
      const image = await send(world.origin, { path: src });
      expect([image.status, image.header('content-type')]).toEqual([200, 'image/png']);
    }
    expect(page.text).not.toContain('Gatehouse');
    expect((await begin(web1.elsewhere())).text).toContain('Sign-in by Gatehouse');
  });

  it('are found, as the colours are, for an organization whose id an import has kept: acme.test|a/b?', async () => {
    const id = 'acme.test|a/b?';
    const labels = world.get(LabelService);
    await world.transaction((tx) =>
      world.get(OrgService).add(tx, { id, name: 'Acme', domain: 'acme-kept.test' }, EDITOR),
    );
    await labels.add(id, colors, EDITOR);
    await labels.setImage(id, 'logo', PIXEL, EDITOR);
    await labels.activate(id, EDITOR);
    const page = await begin(web1, { scope: `openid urn:service:iam:org:id:${id}` });
    for (const path of [brandOf(page)!, page.find('.brand img')!.getAttribute('src')!])
      expect([path, (await send(world.origin, { path })).status]).toEqual([path, 200]);
  });
});

describe('The label setting of a project', () => {
  it('keeps the colours of its owner, or takes those of the user who signs in', async () => {
    const owner = await world.add.org();
    await label(colors, true, owner.id);
    const of = async (
      privateLabelingSetting:
        | 'unspecified'
        | 'enforce_project_resource_owner_policy'
        | 'allow_login_user_resource_owner_policy',
    ): Promise<RelyingParty> =>
      new RelyingParty(
        world,
        await world.add.client({ projectId: await world.add.project({ orgId: owner.id, privateLabelingSetting }) }),
      );
    const titleOf = async (client: RelyingParty, over = {}): Promise<string> => (await begin(client, over)).title;
    const [plain, enforced, allowed] = [
      await of('unspecified'),
      await of('enforce_project_resource_owner_policy'),
      await of('allow_login_user_resource_owner_policy'),
    ];
    expect([await titleOf(plain), await titleOf(enforced), await titleOf(allowed)]).toEqual([
      'Sign in · Acme',
      `Sign in · ${owner.domain}`,
      `Sign in · ${owner.domain}`,
    ]);
    expect([
      await titleOf(plain, { scope }),
      await titleOf(enforced, { scope }),
      await titleOf(allowed, { scope }),
    ]).toEqual([`Sign in · ${org.domain}`, `Sign in · ${owner.domain}`, `Sign in · ${org.domain}`]);
    expect(brandOf(await begin(enforced, { scope }))).toContain(owner.id);
  });
});

describe('Words of an organization', () => {
  const blank = Object.fromEntries(
    Object.entries(ENGLISH_LOGIN_TEXTS).map(([screen, fields]) => [
      screen,
      Object.fromEntries(Object.keys(fields).map((field) => [field, ''])),
    ]),
  ) as unknown as LoginTexts;
  const own: LoginTexts = {
    ...blank,
    loginText: { ...blank.loginText, title: 'Hello <b>you</b>', nextButtonText: 'Onwards' },
  };

  it('stand on its pages in that language, as text, until they are taken back', async () => {
    const texts = world.get(LoginTextService);
    await texts.set(org.id, 'en', own, EDITOR);
    const page = await begin(web1, { scope });
    expect([page.heading, page.find('#submit')?.text.trim()]).toEqual(['Hello <b>you</b>', 'Onwards']);
    expect(page.find('h1 b')).toBeNull();
    expect(page.find('label[for="loginName"]')?.text).toBe('Login name');
    expect((await begin(web1.elsewhere(), { scope, ui_locales: 'de' })).heading).toBe('Anmelden');
    expect((await begin(web1.elsewhere())).heading).toBe('Sign in');
    await texts.reset(org.id, 'en', EDITOR);
    expect((await begin(web1.elsewhere(), { scope })).heading).toBe('Sign in');
  });

  it('of the instance are on the pages of all organizations without their own', async () => {
    const { id } = (await world.rows<{ id: string }>('SELECT id FROM instance'))[0]!;
    const texts = world.get(LoginTextService);
    await texts.set(id, 'en', { ...blank, passwordText: { ...blank.passwordText, title: 'Prove it' } }, EDITOR);
    await texts.set(org.id, 'en', own, EDITOR);
    expect((await beginPassword(web1, 'nobody')).heading).toBe('Prove it');
    expect((await beginPassword(web1.elsewhere(), 'nobody', { scope })).heading).toBe('Prove it');
    await texts.reset(id, 'en', EDITOR);
  });
});

describe('The language', () => {
  async function choose(page: Page, language: string, client = web1): Promise<Page> {
    const { action, method, fields } = page.forms.at(-1)!;
    const values = { ...fields, ui_locales: language };
    if (method === 'POST') return pageOf(await client.browser.post(action, values));
    return pageOf(await client.browser.get(`${action}?${toQuery(values)}`));
  }

  it('is chosen on the page, and stays for the rest of the sign-in', async () => {
    const first = await begin(web1);
    expect(first.find('footer button[name="ui_locales"][value="de"]')?.text).toBe('Deutsch');
    const german = await choose(first, 'de');
    expect([german.heading, german.find('html')?.getAttribute('lang')]).toEqual(['Anmelden', 'de']);
    expect(german.find('footer button[aria-current]')?.text.trim()).toBe('Deutsch');
    expect(german.find('footer summary')?.text.trim()).toBe('Sprache: Deutsch');
    const password = pageOf(await web1.browser.submit(german, { loginName: 'nobody' }));
    expect(password.heading).toBe('Passwort eingeben');
    const wrong = pageOf(await web1.browser.submit(password, { password: 'x' }));
    expect(wrong.title).toContain('Fehler');
    expect((await choose(wrong, 'en')).heading).toBe('Enter your password');
  });

  it('is chosen before what the application asks for, and leaves the page that was turned to where it is', async () => {
    const page = await begin(web1, { ui_locales: 'en', prompt: 'create' });
    const register = pageOf(await web1.browser.get(`${paths.register}?authRequestID=${requestIdOf(page)}`));
    const german = await choose(register, 'de');
    expect([german.heading, german.path.split('?')[0]]).toEqual(['Konto erstellen', paths.register]);
  });

  it('is kept in no cookie, and one that we have not is passed over', async () => {
    const page = await begin(web1);
    const before = new Map(web1.browser.cookies);
    expect((await choose(page, 'tlh')).heading).toBe('Sign in');
    await choose(page, 'de');
    expect(web1.browser.cookies).toEqual(before);
  });

  it('can be chosen on pages of no sign-in and of errors, too', async () => {
    for (const path of [
      paths.signedOut,
      paths.hub,
      paths.passwordReset,
      '/ui/login/nothing',
      `/oauth/v2/authorize?client_id=unknown&redirect_uri=x`,
    ]) {
      const page = pageOf(await web1.browser.get(path));
      const german = await choose(page, 'de');
      expect([path, german.status, german.find('html')?.getAttribute('lang')]).toEqual([path, page.status, 'de']);
    }
  });

  it('chosen on the question about signing out does not sign out', async () => {
    const person = await world.add.person({ orgId: org.id });
    await web1.signIn(person);
    web1.browser.headers = { 'Sec-Fetch-Site': 'cross-site' };
    const asked = pageOf(await web1.browser.get(paths.endSession));
    web1.browser.headers = { 'Sec-Fetch-Site': 'same-origin' };
    const german = await choose(asked, 'de');
    expect(german.heading).toBe('Abmelden?');
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).code).toBeDefined();
    expect(pageOf(await web1.browser.submit(german, { decision: 'sign-out' })).status).toBe(200);
    expect(web1.toAnswer(await web1.authorize({ prompt: 'none' })).error).toBe('login_required');
  });
});
