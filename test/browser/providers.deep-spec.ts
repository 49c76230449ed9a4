import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Secret } from '../../src/foundation/config/secret.js';
import { addJwt, addOidc, changeIdp, link, linksOf, OUTBOUND, setPolicy } from '../idp/external.js';
import type { TestClient, TestOrg, TestPerson } from '../support/builders.js';
import { type Parameters, toQuery } from '../support/http.js';
import { JwtProxy } from '../support/jwt-proxy.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { STRANGER_SECRET, StrangerProvider } from '../support/stranger-provider.js';
import { type Claims, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { inspect, LOCALES } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let application: Application;
let client: TestClient;
let upstream: Upstream;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true, env: OUTBOUND });
  application = await startApplication((origin) => ({
    authority: world.issuer,
    client_id: 'wiki',
    redirect_uri: `${origin}/`,
  }));
  client = await world.add.client({
    projectId: await world.cast.projectP,
    name: 'Wiki',
    clientId: 'wiki',
    devMode: true,
    redirectUris: [`${application.at(OTHER_SITE)}/`],
  });
  upstream = await startUpstream(world);
});
afterAll(async () => {
  await closeWindows();
  await upstream.close();
  await application.close();
  await world.close();
});
beforeEach(async () => {
  upstream.lies = {};
  window = await Window.again(browser);
});

/** A company, and what an application sends that asks for its people. */
interface Company {
  readonly org: TestOrg;
  readonly over: Parameters;
}

async function company(): Promise<Company> {
  const org = await world.add.org();
  return { org, over: { scope: `openid urn:service:iam:org:id:${org.id}` } };
}

async function begin(over: Parameters = {}): Promise<void> {
  await window.page.goto(
    `${world.issuer}${paths.authorize}?${toQuery(new RelyingParty(world, client).parameters(over))}`,
  );
}

const isBack = (): Promise<void> => window.page.waitForURL(`${application.at(OTHER_SITE)}/?*code=*`);
const press = (value: string): Promise<void> => window.follow(`button[name="decision"][value="${value}"]`);
const pressProvider = (name: string): Promise<void> => window.page.locator('.provider', { hasText: name }).click();
/** Past the page on the way to the provider, which leaves by itself. */
const isReturned = (): Promise<void> => window.page.waitForURL('**/login/externalidp/callback?*');

/** The provider sends each visitor back at once as this person, or with an error. */
function everybodyIs(about: Claims | { readonly error: string }): void {
  const authorize = (request: IncomingMessage, response: ServerResponse): void => {
    const { state, code, iss } = upstream.answerTo(`${upstream.issuer}${request.url}`, about);
    const answer = 'error' in about ? { state, iss, error: about['error'] as string } : { state, code, iss };
    response
      .writeHead(302, { Location: `${world.issuer}/ui/login/login/externalidp/callback?${toQuery(answer)}` })
      .end();
  };
  upstream.lies = { answer: { '/authorize': authorize } };
}

describe('Signing in through a provider in a browser', () => {
  it('ends at the application, by the pages of npm oidc-provider, without JavaScript of ours', async () => {
    const { org, over } = await company();
    const stranger = await StrangerProvider.start(`${world.issuer}/ui/login/login/externalidp/callback`, (login) => ({
      given_name: 'Greta',
      family_name: 'Stranger',
      preferred_username: login,
      email: `${login}@mail.test`,
      email_verified: true,
    }));
    try {
      window = await Window.again(browser, { javaScriptEnabled: false });
      const { page } = window;
      const idpId = await addOidc(
        world,
        stranger.issuer,
        { name: 'Strangers', autoRegister: true, clientSecret: new Secret(STRANGER_SECRET) },
        org.id,
      );
      await begin(over);
      await pressProvider('Strangers');
      await page.fill('input[name="login"]', 'greta');
      await page.fill('input[name="password"]', 'any');
      await page.click('button[type="submit"]');
      await page.waitForSelector('input[name="prompt"][value="consent"]', { state: 'attached' });
      await page.click('button[type="submit"]');
      await isBack();
      expect(await linksOf(world, idpId)).toMatchObject([{ externalUserId: 'greta', displayName: 'greta' }]);
      expect(stranger.errors).toEqual([]);
    } finally {
      await stranger.close();
    }
  });

  it('goes straight there, from the typed name, if the company has no passwords', async () => {
    const { org } = await company();
    const person = await world.add.person({ orgId: org.id, password: '', state: 'active' });
    await setPolicy(world, org.id, { allowUsernamePassword: false });
    const idpId = await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
    await link(world, idpId, person.id, org.id, 'p-1');
    everybodyIs({ sub: 'p-1' });
    await begin();
    await window.submit({ loginName: `anybody@${org.domain}` });
    await isBack();
    expect(window.complaints).toEqual([]);
  });

  it('goes straight there by the scope of the provider', async () => {
    const { org } = await company();
    const idpId = await addOidc(world, upstream.issuer, { autoRegister: true }, org.id);
    everybodyIs({ sub: 'p-2', email: 'p-2@mail.test', email_verified: true });
    await begin({ scope: `openid urn:service:iam:org:id:${org.id} urn:service:iam:org:idp:id:${idpId}` });
    await isBack();
    expect(window.complaints).toEqual([]);
  });

  it('is refused there, and continues in another language without being sent there again', async () => {
    const { org } = await company();
    const idpId = await addOidc(world, upstream.issuer, {}, org.id);
    everybodyIs({ error: 'access_denied' });
    await begin({ scope: `openid urn:service:iam:org:id:${org.id} urn:service:iam:org:idp:id:${idpId}` });
    await window.page.click('footer summary');
    await window.page.click('footer button[value="de"]');
    await window.page.waitForSelector('h1:text-is("Anmelden")');
    expect(window.complaints).toEqual([]);
  });

  it('links an account, by the keyboard alone', async () => {
    const { org, over } = await company();
    const person = await world.add.person({ orgId: org.id });
    const idpId = await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
    everybodyIs({ sub: 'p-3', preferred_username: 'pat there' });
    const { page } = window;
    const { keyboard } = page;
    const tabTo = async (selector: string): Promise<void> => {
      for (
        let n = 0;
        n < 15 && !(await page.locator(selector).evaluate((element) => element === document.activeElement));
        n += 1
      )
        await keyboard.press('Tab');
      await keyboard.press('Enter');
    };
    await begin(over);
    await tabTo('.provider');
    await page.waitForSelector('button[value="link"]');
    await tabTo('button[value="link"]');
    // The browser moves the cursor there once it has drawn the page, which may be after it is loaded.
    await window.shows('#loginName:focus');
    await keyboard.type(person.loginName);
    await keyboard.press('Enter');
    await window.shows('#password:focus');
    await keyboard.type(person.password);
    await keyboard.press('Enter');
    await page.waitForSelector('button[value="skip"]');
    await tabTo('button[value="link"]');
    await isBack();
    expect(await linksOf(world, idpId)).toEqual([
      { userId: person.id, externalUserId: 'p-3', displayName: 'pat there' },
    ]);
    expect(window.complaints).toEqual([]);
  });

  it('works through a proxy that passes the browser on with a JWT', async () => {
    const { org, over } = await company();
    const person = await world.add.person({ orgId: org.id });
    const proxy = await JwtProxy.start(world);
    try {
      const idpId = await addJwt(world, proxy.origin, { name: 'Gateway' }, org.id);
      await link(world, idpId, person.id, org.id, 'p-4');
      proxy.admits = { sub: 'p-4' };
      await begin(over);
      await pressProvider('Gateway');
      await isBack();
      expect(window.complaints).toEqual([]);
    } finally {
      await proxy.close();
    }
  });
});

/** An unknown user who returns from a provider with a name that is hard to display. */
async function unknown({ autoRegister = false, passwords = true } = {}): Promise<Company> {
  const found = await company();
  await addOidc(world, upstream.issuer, { name: 'כניסת החברה', autoRegister }, found.org.id);
  if (!passwords) await setPolicy(world, found.org.id, { allowUsernamePassword: false });
  everybodyIs({ sub: `u-${Date.now()}`, preferred_username: 'ליאור כהן' });
  await begin(found.over);
  if (passwords) await pressProvider('כניסת');
  await window.shows('button[name="decision"]');
  return found;
}

/** Whose name is read from right to left. */
const lior = (orgId: string): Promise<TestPerson> =>
  world.add.person({ orgId, profile: { firstName: 'ליאור', lastName: 'כהן' } });

async function linking(): Promise<TestPerson> {
  const { org } = await unknown();
  const person = await lior(org.id);
  await press('link');
  await window.signIn(person);
  await window.shows('button[value="skip"]');
  return person;
}

async function byProvider({ isGone = false } = {}): Promise<void> {
  const { org, over } = await company();
  const person = await world.add.person({
    orgId: org.id,
    password: '',
    state: 'active',
    profile: { firstName: 'ליאור', lastName: 'כהן' },
  });
  const idpId = await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
  await link(world, idpId, person.id, org.id, 'p-5');
  everybodyIs({ sub: 'p-5' });
  await begin(over);
  await pressProvider('Company');
  await isBack();
  if (isGone) await changeIdp(world, idpId, 'deactivate', org.id);
  await begin({ ...over, prompt: 'login' });
}

/** Every page, and how one comes to it. */
const pages: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  [
    'provider-buttons',
    async () => {
      const { org, over } = await company();
      for (const [name, stylingType] of [
        ['Acme Workforce', 'vendor'],
        ['כניסת החברה', 'vendor'],
        ['Partner portal of the Northern Timetable Union', 'unspecified'],
        ['→', 'vendor'],
      ] as const) {
        await addOidc(world, upstream.issuer, { name, stylingType }, org.id);
      }
      await begin(over);
    },
  ],
  [
    'provider-password',
    async () => {
      const { org } = await company();
      await addOidc(world, upstream.issuer, { name: 'Company accounts', stylingType: 'vendor' }, org.id);
      await begin();
      await window.submit({ loginName: `ada@${org.domain}` });
      await window.shows('#password');
    },
  ],
  [
    'provider-onward',
    async () => {
      const { org } = await company();
      await addOidc(world, upstream.issuer, { name: 'Company accounts', stylingType: 'vendor' }, org.id);
      await setPolicy(world, org.id, { allowUsernamePassword: false });
      await window.page.route(`${upstream.issuer}/authorize?*`, (route) => route.fulfill({ status: 204 })); // which leaves the page where it is
      await begin();
      await window.submit({ loginName: `ada@${org.domain}` });
      await window.shows('.provider');
    },
  ],
  [
    'provider-choice',
    async () => {
      const { org } = await company();
      for (const name of ['Company accounts', 'Partners']) await addOidc(world, upstream.issuer, { name }, org.id);
      await setPolicy(world, org.id, { allowUsernamePassword: false });
      await begin();
      await window.submit({ loginName: `ada@${org.domain}` });
      await window.shows('.providers');
    },
  ],
  ['provider-unknown', async () => void (await unknown())],
  ['provider-unknown-email', async () => void (await unknown({ autoRegister: true }))],
  [
    'provider-unknown-email-wrong',
    async () => {
      await unknown({ autoRegister: true });
      await world.cast.orgB;
      await window.fillIn({ email: 'ada@orgb.test' }); // the domain of another organization
      await press('create');
      await window.shows('.notice-error');
    },
  ],
  ['provider-unknown-closed', async () => void (await unknown({ passwords: false }))],
  [
    'provider-linking',
    async () => {
      await unknown();
      await press('link');
      await window.shows('#loginName');
    },
  ],
  ['provider-link', async () => void (await linking())],
  [
    'provider-link-taken',
    async () => {
      await linking();
      await world.rows(
        "INSERT INTO idp_link (idp_id, external_user_id, user_id, display_name, sequence, creation_date, change_date) SELECT l.idp_id, l.identity->>'subject', u.id, '', 1, now(), now() FROM idp_login l, user_account u WHERE u.kind = 'human' ORDER BY l.created_at DESC LIMIT 1",
      );
      await press('link');
      await window.shows('.notice-error');
    },
  ],
  ['provider-again', async () => byProvider()],
  ['provider-gone', async () => byProvider({ isGone: true })],
  [
    'provider-declined',
    async () => {
      const { org, over } = await company();
      await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
      everybodyIs({ error: 'access_denied' });
      await begin(over);
      await pressProvider('Company');
      await isReturned();
    },
  ],
  [
    'provider-unavailable',
    async () => {
      const { org, over } = await company();
      await addOidc(world, 'http://127.0.0.1:9', { name: 'Company accounts' }, org.id);
      await begin(over);
      await pressProvider('Company');
      await window.page.waitForURL('**/login/externalidp?*');
    },
  ],
  [
    'provider-account-refused',
    async () => {
      const { org, over } = await company();
      const idpId = await addOidc(world, upstream.issuer, { name: 'Company accounts' }, org.id);
      const carol = await world.cast.carol;
      await link(world, idpId, carol.id, carol.orgId, 'carol-there');
      everybodyIs({ sub: 'carol-there' });
      await begin(over);
      await pressProvider('Company');
      await isReturned();
    },
  ],
];

describe.each(LOCALES)('The pages about providers in %s', (locale) => {
  const headings = new Set<string>();

  beforeEach(async () => {
    window = await Window.again(browser, { locale });
  });

  it.each(pages)(
    '%s fits a phone and a desktop, in light and dark mode, is accessible, and nothing is refused or fails',
    async (name, reach) => {
      await reach();
      await window.page.waitForLoadState();
      headings.add(await window.page.locator('h1').innerText());
      await inspect(window, name, locale);
    },
  );

  it('have all been visited', () => {
    expect(headings.size).toBe(10);
  });
});
