import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { paths } from '../../src/org/instance/paths.js';
import { PasskeyService } from '../../src/user/factor/passkey.service.js';
import { addOidc, comeBack, leave, link, OUTBOUND } from '../idp/external.js';
import { setPolicy } from '../login/factor-turns.js';
import { ORIGIN, optionsOf } from '../login/passkey-turns.js';
import { pageOf } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { Authenticator } from '../support/authenticator.js';
import type { Arrival, Page } from '../support/browser.js';
import type { TestPerson } from '../support/builders.js';
import type { Parameters } from '../support/http.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { type Claims, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { AccountHolder, tokenFor } from './account-turns.js';

const ASKED = 'Confirm that it is you';
const EMAIL = 'mallory@evil.test';
const SYSTEM = 'urn:service:iam:org:project:id:service:aud';

let world: World;
let upstream: Upstream;
let idpId: string;
let person: TestPerson;
let holder: AccountHolder;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ publicUrl: ORIGIN, env: OUTBOUND });
  upstream = await startUpstream(world);
});

afterAll(async () => {
  await upstream.close();
  await world.close();
});

/** A user who has nothing to sign in with but an account at the provider. */
beforeEach(async () => {
  world.clock.advance('1h');
  const { id: orgId } = await world.add.org();
  await setPolicy(world, orgId, { mfaInitSkipLifetimeSeconds: 0 });
  await world.changesToArrive();
  idpId = await addOidc(world, upstream.issuer, { name: 'Elsewhere' }, orgId);
  person = await world.add.person({ orgId });
  await link(world, idpId, person.id, orgId, person.userName);
  await world.rows('UPDATE user_account SET password_hash = NULL WHERE id = $1', [person.id]);
  holder = new AccountHolder(world, person);
  web1 = new RelyingParty(world, await world.cast.console, holder.browser);
});

/** What the provider says of the time at which its user has signed in there, `seconds` ago. */
const said = (seconds: number): Claims => ({ auth_time: world.now() - seconds });
const back = async (url: string, about: Claims = {}): Promise<Arrival> =>
  comeBack(holder.browser, upstream.answerTo(url, { sub: person.userName, ...about }));
const inOrg = (over: Parameters = {}): Parameters => ({
  scope: `openid urn:service:iam:org:id:${person.orgId}`,
  ...over,
});

/** At an application. The provider asks its user for nothing, and says nothing of it, unless `about` does. */
async function signIn(about: Claims = {}, over: Parameters = {}): Promise<string> {
  const { code } = web1.toAnswer(await back(await leave(web1, idpId, inOrg(over)), about));
  return code ?? '';
}

/** From the page that asks for a proof: what the provider is asked for. */
async function toProvider(page: Page): Promise<URL> {
  expect(page.heading).toBe(ASKED);
  return new URL((await holder.browser.press(page, 'Continue with Elsewhere')).redirect ?? '');
}

const open = async (path: string): Promise<Page> => pageOf(await holder.browser.get(path));
const isOpen = async (path: string): Promise<boolean> => (await open(path)).path === path;
const newEmails = (): Promise<Array<{ email: string }>> =>
  world.rows('SELECT email FROM pending_email WHERE user_id = $1', [person.id]);
const keysOf = async (): Promise<number> => (await world.get(PasskeyService).list(person.id)).length;
async function send(path: string, fields: Record<string, string>): Promise<Arrival> {
  return holder.browser.post(path, { csrf: await tokenFor(holder, path), ...fields });
}

describe('A sign-in that a provider has answered from its own session', () => {
  it('is not enough for a page about credentials, and leads to the provider with max_age [ACC-018]', async () => {
    await signIn();
    expect((await open(paths.account)).path).toBe(paths.account);
    for (const path of [paths.accountContact, paths.accountSteps, paths.accountData]) {
      const { searchParams } = await toProvider(await open(path));
      expect([path, searchParams.get('max_age')]).toEqual([path, '600']);
    }
  });

  it('is not enough for a form that is sent at once [ACC-018]', async () => {
    await signIn();
    const asked = pageOf(await send(paths.accountContact, { email: EMAIL, decision: 'email' }));
    expect([asked.heading, await newEmails()]).toEqual([ASKED, []]);
  });

  it.each<[string, () => Claims]>([
    ['says when its user has signed in', () => said(0)],
    ['says no time, but was asked for a new proof', () => ({})],
  ])('is followed by one turn to a provider that %s; then the change is made [ACC-018]', async (_, about) => {
    await signIn();
    const { href } = await toProvider(pageOf(await send(paths.accountContact, { email: EMAIL, decision: 'email' })));
    const again = pageOf(await back(href, about()));
    expect([again.path.split('?')[0], await newEmails()]).toEqual([paths.accountContact, []]);
    await holder.browser.submit(again, { email: EMAIL, decision: 'email' });
    expect(await newEmails()).toEqual([{ email: EMAIL }]);
    world.clock.advance('10m');
    expect(await isOpen(paths.accountContact)).toBe(true);
    world.clock.advance('1s');
    expect((await open(paths.accountContact)).heading).toBe(ASKED);
  });

  it('counts from when its user has signed in there, if the provider says so [ACC-018]', async () => {
    await signIn(said(300));
    world.clock.advance('5m');
    expect(await isOpen(paths.accountContact)).toBe(true);
    world.clock.advance('1s');
    expect((await open(paths.accountContact)).heading).toBe(ASKED);
  });

  it('does not count if its user has signed in there longer ago, or at a time to come [ACC-018]', async () => {
    for (const seconds of [601, 86_400, -3600]) {
      await signIn(said(seconds), { prompt: 'select_account' });
      expect([seconds, (await open(paths.accountContact)).heading]).toEqual([seconds, ASKED]);
    }
  });

  it('takes no proof away that was given before it [ACC-018]', async () => {
    await signIn({}, { max_age: 600 });
    await signIn({}, { prompt: 'select_account' });
    await signIn(said(3600), { prompt: 'select_account' });
    expect(await isOpen(paths.accountContact)).toBe(true);
  });

  it('gives a token with which nothing about credentials is changed over the API [ACC-011, ACC-018]', async () => {
    const change = async (about: Claims, over: Parameters): Promise<string> => {
      const scope = `openid ${SYSTEM} urn:service:iam:org:id:${person.orgId}`;
      const { access_token: token } = tokensOf(await web1.redeem(await signIn(about, { scope, ...over })));
      return new AdminApi(world.origin, token).verdict('DELETE', '/auth/v1/users/me/phone');
    };
    expect(await change({}, {})).toBe('401 token.sign_in_too_old');
    const choosing = { prompt: 'select_account' };
    expect(await change(said(3600), choosing)).toBe('401 token.sign_in_too_old');
    expect(await change({}, { ...choosing, max_age: 600 })).not.toBe('401 token.sign_in_too_old');
  });
});

describe('A key of a user of a provider', () => {
  const make = async (page: Page): Promise<void> => {
    const naming = pageOf(
      await holder.browser.submit(page, { credential: new Authenticator(ORIGIN).create(optionsOf(page)) }),
    );
    for (const code of naming.all('.codes code')) world.plant(code.text);
  };

  it('is added on the account page after a proof since it was begun, which the provider is asked for [ACC-018, PKY-017]', async () => {
    await signIn({}, { max_age: 600 });
    world.clock.advance('1m');
    const url = await toProvider(pageOf(await send(paths.accountKeys, { decision: 'add-passkey' })));
    expect(url.searchParams.get('prompt')).toBe('login');
    await make(pageOf(await back(url.href, said(0))));
    expect(await keysOf()).toBe(1);
  });

  it('that a sign-in offers is made after a proof, not from the session of the provider [ACC-018, PKY-017]', async () => {
    await setPolicy(world, person.orgId, { mfaInitSkipLifetimeSeconds: 1 });
    await world.changesToArrive();
    world.clock.advance('1m');
    const offered = pageOf(await back(await leave(web1, idpId, inOrg())));
    const url = await toProvider(pageOf(await holder.browser.submit(offered, { factor: 'passkey' })));
    expect([url.searchParams.get('prompt'), await keysOf()]).toEqual(['login', 0]);
    await make(pageOf(await back(url.href)));
    expect(await keysOf()).toBe(1);
  });
});

describe('An application that demands a new proof of a user whom a provider has signed in from its own session', () => {
  it.each<[string, Parameters, () => Claims]>([
    ['max_age, at a provider that says a time', { max_age: 600 }, () => said(500)],
    ['max_age, at a provider that says none', { max_age: 600 }, () => ({})],
    ['max_age=0', { max_age: 0 }, () => said(0)],
    ['prompt=login, at a provider whose clock is a little behind', { prompt: 'login' }, () => said(50)],
    ['prompt=login, at a provider that says no time', { prompt: 'login' }, () => ({})],
    ['both', { prompt: 'login', max_age: 600 }, () => ({})],
  ])('leads there once more, and not in circles: %s [ACC-018]', async (_, over, about) => {
    await signIn();
    const { href } = await toProvider(pageOf(await web1.authorize(inOrg(over))));
    expect(web1.toAnswer(await back(href, about()))).toMatchObject({ code: expect.any(String) });
  });

  it('is told so where it wants no page, until the proof was given [ACC-018]', async () => {
    await signIn();
    const silent = inOrg({ prompt: 'none', max_age: 600 });
    expect(web1.toAnswer(await web1.authorize(inOrg({ prompt: 'none' })))).toMatchObject({ code: expect.any(String) });
    expect(web1.toAnswer(await web1.authorize(silent)).error).toBe('login_required');
    await back((await toProvider(pageOf(await web1.authorize(inOrg({ max_age: 600 }))))).href);
    expect(web1.toAnswer(await web1.authorize(silent)).code).toBeDefined();
  });

  it('asks the provider for it also where the user chooses another account there [ACC-018]', async () => {
    const url = new URL(await leave(web1, idpId, inOrg({ prompt: 'login select_account', max_age: 600 })));
    expect([url.searchParams.get('prompt'), url.searchParams.get('max_age')]).toEqual(['select_account', '0']);
  });
});
