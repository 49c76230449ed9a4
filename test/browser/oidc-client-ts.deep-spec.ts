import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { UserManagerSettings } from 'oidc-client-ts';
import type { Browser } from 'playwright-core';
import type { TestPerson } from '../support/builders.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, SAME_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

const CLIENT_ID = 'spa';

let browser: Browser;
let world: World;
let application: Application;
let alice: TestPerson;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  alice = await world.cast.alice;
  application = await startApplication(settingsAt);
  const origins = [SAME_SITE, OTHER_SITE].map(application.at);
  await world.add.client({
    projectId: await world.cast.projectP,
    clientId: CLIENT_ID,
    authMethod: 'none',
    clientType: 'user_agent',
    devMode: true,
    redirectUris: origins.flatMap((origin) => [`${origin}/`, `${origin}/silent`]),
    postLogoutRedirectUris: origins.map((origin) => `${origin}/bye`),
  });
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

beforeEach(async () => {
  window = await Window.open(browser);
});
afterEach(async () => {
  expect(window.complaints).toEqual([]);
  await window.close();
});

function settingsAt(origin: string): UserManagerSettings {
  return {
    authority: world.issuer,
    client_id: CLIENT_ID,
    redirect_uri: `${origin}/`,
    silent_redirect_uri: `${origin}/silent`,
    popup_redirect_uri: `${origin}/silent`,
    post_logout_redirect_uri: `${origin}/bye`,
    scope: 'openid profile email offline_access',
    loadUserInfo: true,
    silentRequestTimeoutInSeconds: 25, // against what hangs, not against what is slow
    automaticSilentRenew: false,
    monitorSession: false,
  };
}

/** From the application through the login pages back to it. */
async function signIn(host: string): Promise<void> {
  const { page } = window;
  await page.goto(`${application.at(host)}/`);
  await page.evaluate(() => void manager.signinRedirect());
  await page.waitForSelector('input[name="loginName"]');
  await window.signIn(alice);
  await page.waitForURL(`${application.at(host)}/?*`);
  await page.evaluate(() => manager.signinCallback());
}

/** The error of a silent renewal in a frame, or `none`. */
const renewInFrame = (): Promise<string> =>
  window.page.evaluate(() =>
    manager.signinSilent({ forceIframeAuth: true }).then(
      () => 'none',
      (error: { error?: string; message: string }) => error.error ?? error.message,
    ),
  );

describe.each([
  ['of the same site', SAME_SITE],
  ['of another site', OTHER_SITE],
])('oidc-client-ts in a browser, on an origin %s', (_, host) => {
  it('signs a person in by code and PKCE, and reads id_token and userinfo across origins', async () => {
    await signIn(host);
    const user = await window.page.evaluate(() => manager.getUser());
    expect(user).toMatchObject({
      token_type: 'Bearer',
      profile: { iss: world.issuer, aud: CLIENT_ID, sub: alice.id, name: 'Alice Liddell', email: alice.email },
    });
  });

  it('signs a person in in a window that it opened', async () => {
    await window.page.goto(`${application.at(host)}/`);
    const opened = window.page.waitForEvent('popup');
    const subject = window.page.evaluate(() => manager.signinPopup().then(({ profile }) => profile.sub));
    const popup = new Window(await opened);
    await popup.signIn(alice);
    expect(await subject).toBe(alice.id);
  });

  it('refreshes with its refresh token', async () => {
    await signIn(host);
    const [before, after] = await window.page.evaluate(async () => [
      await manager.getUser(),
      await manager.signinSilent(),
    ]);
    expect(after!.refresh_token).not.toBe(before!.refresh_token);
    expect(after!.access_token).not.toBe(before!.access_token);
    expect(after!.profile.sub).toBe(alice.id);
  });

  it('revokes its tokens', async () => {
    await signIn(host);
    const refreshing = await window.page.evaluate(async () => {
      const user = await manager.getUser();
      await manager.revokeTokens();
      await manager.storeUser(user);
      return manager.signinSilent().then(
        () => 'alive',
        (error: { error: string }) => error.error,
      );
    });
    expect(refreshing).toBe('invalid_grant');
    window.complaints.splice(0, 1); // the browser notes the refusal that was asked for
  });

  it('signs out and returns, and no user is signed in afterwards', async () => {
    await signIn(host);
    const { page } = window;
    await page.evaluate(() => void manager.signoutRedirect({ state: 'bye' }));
    await page.waitForURL(`${application.at(host)}/bye?*`);
    await page.evaluate(() => manager.signoutCallback());
    expect(await page.evaluate(() => manager.getUser())).toBeNull();
    expect(await renewInFrame()).toBe('login_required');
    await page.evaluate(() => void manager.signinRedirect());
    await page.waitForSelector('input[name="loginName"]');
  });
});

describe('oidc-client-ts in a browser, renewing in a hidden frame', () => {
  it('gets new tokens where the browser lets our cookie travel: on an origin of the same site', async () => {
    await signIn(SAME_SITE);
    const before = await window.page.evaluate(() => manager.getUser());
    expect(await renewInFrame()).toBe('none');
    const after = await window.page.evaluate(() => manager.getUser());
    expect(after!.access_token).not.toBe(before!.access_token);
    expect(after!.profile['auth_time']).toBe(before!.profile['auth_time']);
  });

  it('gets login_required if the browser withholds our cookie: on an origin of another site', async () => {
    await signIn(OTHER_SITE);
    expect(await renewInFrame()).toBe('login_required');
  });
});
