import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { paths as pagePaths } from '../../src/org/instance/paths.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { Callers, SYSTEM_AUDIENCE } from '../admin/callers.js';
import { EDITOR, type TestClient, type TestPerson, uniqueName } from '../support/builders.js';
import { Device } from '../support/device.js';
import { type Parameters, toQuery } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { fillByKeyboard, heading, inspect, LOCALES, photograph } from './inspection.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let application: Application;
let client: TestClient;
let alice: TestPerson;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  alice = await world.cast.alice;
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
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

beforeEach(async () => {
  window = await Window.again(browser);
});

async function open(path: string, query: Parameters = {}): Promise<void> {
  await window.page.goto(`${world.issuer}${path}?${toQuery(query)}`);
}

/** A sign-in for the application. */
async function begin(over: Parameters = {}, at = client): Promise<void> {
  await open(paths.authorize, new RelyingParty(world, at).parameters(over));
}

/** The code of a device that has just asked. */
async function beginDevice(): Promise<void> {
  const tv = await world.add.client({
    projectId: await world.cast.projectP,
    authMethod: 'none',
    grantTypes: ['device_code'],
    redirectUris: [],
  });
  const codes = await new Device(world, tv).start({ scope: 'openid profile email' });
  await window.page.goto(codes.verification_uri_complete);
  await window.submit({});
}

const isBack = (): Promise<void> => window.page.waitForURL(`${application.at(OTHER_SITE)}/?*`);

/** Two people have signed in with this browser. */
async function beTwo(): Promise<void> {
  for (const person of [alice, await world.cast.bob]) {
    await begin({ prompt: 'login', login_hint: person.loginName });
    await window.submit({ password: person.password });
    await isBack();
  }
}

/** Every page, and how one comes to it. */
const pages: ReadonlyArray<readonly [string, () => Promise<void>]> = [
  ['login-name', () => begin()],
  [
    'login-name-missing',
    async () => {
      await begin();
      await window.submit({ loginName: ' ' });
    },
  ],
  [
    'password',
    async () => {
      await begin();
      await window.submit({ loginName: alice.loginName });
    },
  ],
  [
    'password-wrong',
    async () => {
      await begin();
      await window.signIn({ ...alice, password: 'wrong-Password-1' });
    },
  ],
  [
    'password-of-a-very-long-name',
    async () => {
      await begin();
      await window.submit({ loginName: `${'a-name-without-end-'.repeat(10)}@orga.test` });
    },
  ],
  [
    'accounts',
    async () => {
      await beTwo();
      await begin({ prompt: 'select_account' });
    },
  ],
  ['device', () => open(pagePaths.device)],
  [
    'device-wrong',
    async () => {
      await open(pagePaths.device);
      await window.submit({ user_code: 'BBBB-BBBB' });
    },
  ],
  [
    'device-confirm',
    async () => {
      await beginDevice();
      await window.signIn(alice);
    },
  ],
  ['register', () => begin({ prompt: 'create' })],
  [
    'register-wrong',
    async () => {
      await begin({ prompt: 'create' });
      await window.submitUnchecked({
        email: alice.email,
        firstName: 'A',
        lastName: 'B',
        userName: alice.userName,
        password: 'too-short',
      });
    },
  ],
  [
    'password-change',
    async () => {
      await begin();
      await window.signIn(await world.add.person({ orgId: alice.orgId, passwordChangeRequired: true }));
    },
  ],
  [
    'password-change-wrong',
    async () => {
      await begin();
      await window.signIn(await world.add.person({ orgId: alice.orgId, passwordChangeRequired: true }));
      await window.submitUnchecked({ oldPassword: 'wrong', newPassword: 'short' });
    },
  ],
  [
    'consent',
    async () => {
      const asking = await world.add.client({ projectId: await world.cast.projectP, consentPage: true });
      await begin({ scope: 'openid profile email phone address offline_access' }, asking);
      await window.signIn(alice);
    },
  ],
  [
    'consent-administration',
    async () => {
      const asking = await world.add.client({ projectId: await world.cast.projectP, name: uniqueName('Staff portal') });
      await world.transaction((tx) => world.get(ClientService).changeAdministration(tx, asking.id, 'allowed', EDITOR));
      await world.changesToArrive();
      await begin({ scope: `openid profile ${SYSTEM_AUDIENCE}` }, asking);
      await window.signIn(await new Callers(world).manager(['ORG_OWNER', 'ORG_USER_MANAGER', 'IAM_OWNER_VIEWER']));
    },
  ],
  [
    'sign-out',
    async () => {
      await beTwo(); // and now the application, of another site, wants them signed out
      await window.page.evaluate((url) => location.assign(url), `${world.issuer}${paths.endSession}`);
      await window.shows('#submit');
    },
  ],
  [
    'signed-in',
    async () => {
      await beTwo();
      await open('/ui/login/login');
    },
  ],
  ['signed-out', () => open('/ui/login/logout/done')],
  [
    'expired',
    async () => {
      await begin();
      await open('/ui/login/login', { authRequestID: 'unknown' });
    },
  ],
  ['cookies', () => open('/ui/login/login', { authRequestID: 'unknown' })],
  [
    'form-of-another-browser',
    async () => {
      await begin();
      await window.page.context().clearCookies();
      await window.submit({ loginName: alice.loginName });
    },
  ],
  ['error-unknown-redirect', () => begin({ redirect_uri: `https://evil.test/${'long/'.repeat(40)}` })],
  ['error-not-found', () => open('/ui/login/nothing')],
];

describe.each(LOCALES)('The pages in %s', (locale) => {
  const headings = new Set<string>();

  beforeEach(async () => {
    window = await Window.again(browser, { locale });
  });

  it.each(pages)(
    '%s fits a phone and a desktop, in light and dark mode, is accessible, and nothing is refused or fails',
    async (name, reach) => {
      await reach();
      headings.add(await heading(window));
      await inspect(window, name, locale);
    },
  );

  it('have all been visited', () => {
    expect(headings.size).toBeGreaterThanOrEqual(12);
  });
});

describe('A sign-in', () => {
  it('works with the keyboard alone', async () => {
    await begin();
    await fillByKeyboard(window, { loginName: alice.loginName });
    await fillByKeyboard(window, { password: alice.password });
    await isBack();
  });

  it('begins in the field that is asked for', async () => {
    // The browser moves the cursor once it has drawn the page, which may be after it is loaded.
    const hasCursor = (name: string): Promise<unknown> =>
      window.page.waitForFunction(
        (wanted) => (document.activeElement as HTMLInputElement | null)?.name === wanted,
        name,
      );
    await begin();
    await expect(hasCursor('loginName')).resolves.toBeDefined();
    await window.submit({ loginName: alice.loginName });
    await window.shows('input[name="password"]');
    await expect(hasCursor('password')).resolves.toBeDefined();
  });

  it('works without JavaScript, also where the answer travels in a form', async () => {
    window = await Window.again(browser, { javaScriptEnabled: false });
    await begin();
    await window.signIn(alice);
    await isBack();
    await begin({ response_mode: 'form_post' });
    await window.shows(`form[action="${client.redirectUri}"]`);
    await photograph(window, 'form-post.en-GB');
    const [request] = await Promise.all([
      window.page.waitForRequest((sent) => sent.method() === 'POST'),
      window.submit(),
    ]);
    expect(request.url()).toBe(client.redirectUri);
    expect(new URLSearchParams(request.postData() ?? '').get('state')).toBe('S1');
  });

  it.each(LOCALES)(
    'is also accessible where a response is in a form that must be submitted by hand, in %s',
    async (locale) => {
      window = await Window.again(browser, { locale });
      await begin();
      await window.signIn(alice);
      await isBack();
      await window.page.route('**/form-post.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: '' }),
      );
      await begin({ response_mode: 'form_post' });
      await inspect(window, 'form-post-by-hand', locale);
    },
  );

  it('sends the form of form_post by itself where scripts run', async () => {
    await begin();
    await window.signIn(alice);
    await isBack();
    const posted = window.page.waitForRequest((sent) => sent.method() === 'POST' && sent.url() === client.redirectUri);
    await begin({ response_mode: 'form_post' }).catch(() => undefined); // the form leaves by itself
    expect(new URLSearchParams((await posted).postData() ?? '').get('code')).not.toBeNull();
    await window.page.waitForURL(client.redirectUri); // or else the form interrupts what the window does next
    expect(window.complaints).toEqual([]);
  });

  it('ends at the application only because its origin is in the form-action of the page', async () => {
    await begin();
    await window.signIn(alice);
    await isBack();
    expect(window.complaints).toEqual([]);
    await begin({ prompt: 'login' });
    await window.page.route(window.page.url(), async (route) => {
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy'] ?? '';
      expect(policy).toContain(`form-action 'self' ${application.at(OTHER_SITE)};`);
      await route.fulfill({
        response,
        headers: { ...response.headers(), 'content-security-policy': policy.replace(application.at(OTHER_SITE), '') },
      });
    });
    await window.page.reload();
    const complaint = window.nextComplaint();
    await window.fillIn({ password: alice.password });
    await window.press('#submit');
    expect(await complaint).toContain('form-action');
  });
});
