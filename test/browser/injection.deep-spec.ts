import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { TestClient, TestPerson } from '../support/builders.js';
import { type Parameters, toQuery } from '../support/http.js';
import { paths, RelyingParty } from '../support/relying-party.js';
import { XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { type Application, OTHER_SITE, startApplication } from './application.js';
import { closeWindows, openChromium } from './chromium.js';
import { Window } from './window.js';

let browser: Browser;
let world: World;
let application: Application;
let redirectUri: string;
let client: TestClient;
let window: Window;

beforeAll(async () => {
  browser = await openChromium();
  world = await startWorld({ realTime: true });
  application = await startApplication((origin) => ({
    authority: world.issuer,
    client_id: 'wiki',
    redirect_uri: `${origin}/`,
  }));
  redirectUri = `${application.at(OTHER_SITE)}/`;
  client = await world.add.client({ projectId: await world.cast.projectP, devMode: true, redirectUris: [redirectUri] });
});
afterAll(async () => {
  await closeWindows();
  await application.close();
  await world.close();
});

/** With the content policy switched off: only what the pages escape stands between a payload and the person. */
beforeEach(async () => {
  window = await Window.again(browser, { bypassCSP: true });
});

async function open(path: string, query: Parameters): Promise<void> {
  await window.page.goto(`${world.issuer}${path}?${toQuery(query)}`);
}

const everywhere = (payload: string, ...names: string[]): Parameters =>
  Object.fromEntries(names.map((name) => [name, payload]));
const request = (over: Parameters): Parameters => new RelyingParty(world, client).parameters(over);

/** Nothing in the page runs a script: not by itself, not when the user points at it or presses it. */
async function expectHarmless(): Promise<void> {
  const { suspicious, text } = await window.page.evaluate(() => {
    const elements = [...document.querySelectorAll('*')];
    for (const element of elements) element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
    const attributes = elements
      .flatMap(({ attributes }) => [...attributes])
      .filter(
        ({ name, value }) =>
          /^on/i.test(name) ||
          /^\s*javascript:/i.test(['href', 'src', 'action', 'formaction'].includes(name) ? value : ''),
      )
      .map(({ name, value }) => `${name}=${value}`);
    return { suspicious: attributes, text: document.body.innerText };
  });
  expect(suspicious).toEqual([]);
  // What a template would make of {{7919*1009}}: no other number of a page happens to contain it.
  expect(text).not.toContain('7990271');
  expect(window.complaints).toEqual([]);
}

/** Every parameter that a caller can have shown, or put into the page, without being signed in. */
const places: ReadonlyArray<readonly [string, (payload: string) => Promise<void>]> = [
  [
    'what an authorization request may carry',
    (payload) =>
      open(
        paths.authorize,
        request(
          everywhere(
            payload,
            'login_hint',
            'ui_locales',
            'state',
            'nonce',
            'prompt',
            'id_token_hint',
            'acr_values',
            'display',
            'error',
            'error_description',
            'code',
            'orgID',
          ),
        ),
      ),
  ],
  ['an unknown client_id', (payload) => open(paths.authorize, request({ client_id: payload }))],
  [
    'an unregistered redirect_uri',
    (payload) => open(paths.authorize, request({ redirect_uri: payload, state: payload })),
  ],
  [
    'a hint of a sign-out',
    (payload) => open(paths.endSession, everywhere(payload, 'id_token_hint', 'state', 'ui_locales')),
  ],
  ['an unknown client_id of a sign-out', (payload) => open(paths.endSession, { client_id: payload })],
  [
    'an unregistered address of a sign-out',
    (payload) =>
      open(paths.endSession, { client_id: client.clientId, post_logout_redirect_uri: payload, state: payload }),
  ],
  [
    'what a login page may carry',
    (payload) =>
      open(
        '/ui/login/login',
        everywhere(payload, 'authRequestID', 'userID', 'loginname', 'code', 'orgID', 'error', 'error_description'),
      ),
  ],
  [
    'a login page without a user',
    (payload) =>
      open(
        '/ui/login/login',
        everywhere(payload, 'userID', 'loginname', 'code', 'orgID', 'error', 'error_description'),
      ),
  ],
  ['the path of a login page', (payload) => open(`/ui/login/${encodeURIComponent(payload)}`, {})],
  [
    'the login name, after the form',
    async (payload) => {
      await open(paths.authorize, request({}));
      await window.submit({ loginName: payload });
      await window.shows('input[name="password"]');
    },
  ],
  [
    'every field of the registration, after the form',
    async (payload) => {
      await open(paths.authorize, request({ prompt: 'create' }));
      await window.page.evaluate(() => document.querySelector('form')!.setAttribute('novalidate', ''));
      const fields = ['email', 'firstName', 'lastName', 'userName', 'password'];
      await window.submit(Object.fromEntries(fields.map((name) => [name, payload])));
      await window.shows('.notice-error');
    },
  ],
];

describe('A payload runs no script, even with the content policy switched off [LOG-013]', () => {
  it('and would be noticed if it did', async () => {
    await open('/ui/login/login', {});
    await window.page.setContent('<title>Defect</title><script>x()</script>');
    expect(window.complaints).toEqual(['A planted script has run.']);
  });

  it.each(places)('in %s', async (_, reach) => {
    for (const payload of XSS) {
      await reach(payload);
      await expectHarmless();
    }
  });

  it('in the state that travels in a form', async () => {
    const person = await world.cast.alice;
    await open(paths.authorize, request({}));
    await window.signIn(person);
    await window.page.waitForURL(`${redirectUri}?*`);
    for (const state of XSS) {
      const posted = window.page.waitForRequest((sent) => sent.method() === 'POST' && sent.url() === redirectUri);
      await open(paths.authorize, request({ response_mode: 'form_post', state })).catch(() => undefined); // the form leaves by itself
      expect(new URLSearchParams((await posted).postData() ?? '').get('state')).toBe(state);
      await window.page.waitForURL(redirectUri); // or else the form interrupts the next visit
      expect(window.complaints).toEqual([]);
    }
  });

  it.each(XSS)('in the names of a person, an application and an organization: %j [LOG-015]', async (payload) => {
    const org = await world.add.org(undefined, payload);
    const projectId = await world.add.project({ orgId: org.id, name: payload });
    const wiki = await world.add.client({
      projectId,
      name: payload,
      consentPage: true,
      devMode: true,
      redirectUris: [redirectUri],
    });
    const name = payload.replaceAll('\u2028', ''); // no control characters in the names of people
    const profile = { firstName: name, lastName: name, displayName: name, nickName: name };
    const person: TestPerson = await world.add.person({ orgId: org.id, profile });
    const asking = new RelyingParty(world, wiki);
    await open(
      paths.authorize,
      asking.parameters({ prompt: 'consent', scope: `openid urn:service:iam:org:id:${org.id}` }),
    );
    await window.signIn(person);
    await window.shows('button[value="cancel"]');
    await expectHarmless();
    await open(paths.authorize, asking.parameters({ prompt: 'select_account' }));
    await expectHarmless();
    await open('/ui/login/login', {});
    await expectHarmless();
  });
});
