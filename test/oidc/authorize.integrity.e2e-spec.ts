import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/client/client.service.js';
import { OrgService } from '../../src/org/org.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { Browser } from '../support/browser.js';
import { EDITOR, type TestClient } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { answerOf, RelyingParty } from '../support/relying-party.js';
import { expectPage400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

const requestIdIn = (path: string): string => new URL(path, world.issuer).searchParams.get('authRequestID')!;
const callbackOf = (id: string): string => `/oauth/v2/authorize/callback?id=${id}`;

describe('The id of a pending request opens nothing by itself', () => {
  it('neither before nor after the victim signed in, nor in another browser that is signed in [AUT-057]', async () => {
    const [alice, bob] = [await world.cast.alice, await world.cast.bob];
    const attacker = web1.elsewhere();
    const begun = await attacker.authorize();
    const id = requestIdIn(begun.page!.path);
    // The victim follows the attacker's link, first with an empty browser, then signed in.
    const victim = web1.elsewhere();
    expect((await victim.browser.get(begun.page!.path)).page!.status).toBeGreaterThanOrEqual(400);
    await victim.signIn(alice);
    for (const path of [begun.page!.path, callbackOf(id)]) {
      const arrival = await victim.browser.get(path);
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBeGreaterThanOrEqual(400);
    }
    // The attacker polls, without a cookie, as another user, and in the browser that began it.
    const other = web1.elsewhere();
    await other.signIn(bob);
    for (const browser of [new Browser(world), other.browser])
      expect((await browser.get(callbackOf(id))).redirect).toBeUndefined();
    expect((await attacker.browser.get(callbackOf(id))).redirect).toBeUndefined();
  });

  it('and its form is refused in another browser [AUT-057]', async () => {
    const begun = await web1.elsewhere().authorize();
    const victim = web1.elsewhere();
    await victim.authorize();
    const form = begun.page!.formWith('loginName');
    const posted = await victim.browser.request('POST', form.action, { ...form.fields, loginName: 'alice' });
    expect(posted.status).toBe(403);
  });
});

describe('Two requests in one browser', () => {
  it('finished in reverse order get each its own code, state, nonce and address [AUT-058]', async () => {
    const alice = await world.cast.alice;
    const browser = new Browser(world);
    const one = new RelyingParty(world, await world.cast.web1, browser);
    const two = new RelyingParty(world, await world.cast.web2, browser);
    const first = await one.authorize({ state: 'one', nonce: 'nonce one' });
    const second = await two.authorize({ state: 'two', nonce: 'nonce two' });
    const secondDone = await two.enter(second, alice);
    const firstDone = await one.enter(await browser.get(first.page!.path), alice);
    for (const [rp, arrival, name] of [
      [two, secondDone, 'two'],
      [one, firstDone, 'one'],
    ] as const) {
      expect(arrival.redirect).toContain(rp.client.redirectUri);
      const answer = answerOf(arrival.redirect!);
      expect(answer['state']).toBe(name);
      const tokens = (await rp.redeem(answer['code']!)).json<{ id_token: string }>();
      expect(decodeJwt(tokens.id_token)).toMatchObject({ nonce: `nonce ${name}`, aud: rp.client.clientId });
    }
  });
});

describe('A finished request', () => {
  it('gives no second code, by back button, reload or the form once more [AUT-059]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const begun = await rp.authorize();
    const id = requestIdIn(begun.page!.path);
    const named = await rp.browser.submit(begun.page!, { loginName: alice.loginName });
    const done = await rp.browser.submit(named.page!, { password: alice.password });
    expect(done.redirect).toMatch(/code=/);
    for (const arrival of [
      await rp.browser.get(callbackOf(id)),
      await rp.browser.get(begun.page!.path),
      await rp.browser.submit(named.page!, { password: alice.password }),
      await rp.browser.submit(begun.page!, { loginName: alice.loginName }),
    ]) {
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBe(410);
    }
  });

  it('asked for at once from two tabs gives one code [AUT-059]', async () => {
    const rp = web1.elsewhere();
    await rp.signIn(await world.cast.alice);
    world.clock.advance('1s');
    const begun = await rp.authorize({ prompt: 'select_account' });
    const id = requestIdIn(begun.page!.path);
    await rp.browser.submitOnce(begun.page!, { userID: (await world.cast.alice).id });
    const both = await Promise.all(Array.from({ length: 8 }, () => rp.browser.copy().get(callbackOf(id))));
    expect(both.filter(({ redirect }) => redirect?.includes('code='))).toHaveLength(1);
  });
});

describe('A request that was left for too long', () => {
  it('is expired, whatever the password; no code, no session [AUT-060]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const begun = await rp.authorize();
    const named = await rp.browser.submit(begun.page!, { loginName: alice.loginName });
    world.clock.advance('61m');
    const late = await rp.browser.submit(named.page!, { password: alice.password });
    expect([late.redirect, late.page?.status]).toEqual([undefined, 410]);
    expect((await rp.authorize({ prompt: 'none' })).redirect).toMatch(/error=login_required/);
  });
});

describe('Redirects after credentials', () => {
  it('are 303 or 302, so that no browser sends the password on [AUT-061]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const named = await rp.browser.submit((await rp.authorize()).page!, { loginName: alice.loginName });
    let reply = await rp.browser.submitOnce(named.page!, { password: alice.password });
    const statuses = [reply.status];
    while (reply.location?.startsWith('/')) {
      reply = await rp.browser.request('GET', reply.location);
      statuses.push(reply.status);
    }
    expect(reply.location).toMatch(/^https:\/\/rp1\.test\/cb\?code=/);
    for (const status of statuses) expect([302, 303]).toContain(status);
  });
});

describe('Pages', () => {
  it('do not reveal their address, load nothing from elsewhere and are not stored [AUT-063]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const begun = (await rp.authorize()).page!;
    const named = (await rp.browser.submit(begun, { loginName: alice.loginName })).page!;
    const refused = (await rp.browser.submit(named, { password: 'wrong' })).page!;
    const error = (await rp.authorize({ client_id: 'nobody' })).page!;
    const chooser = (await rp.enter(await rp.authorize({ prompt: 'select_account' }), alice)).page;
    const posted = (await rp.authorize({ response_mode: 'form_post' })).page;
    for (const page of [begun, named, refused, error, chooser, posted].filter((shown) => shown !== undefined)) {
      expect(page.reply.header('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/);
      expect(page.reply.header('cache-control')).toBe('no-store');
      expect(page.reply.header('x-frame-options')).toBe('DENY');
      expect(page.reply.header('content-security-policy')).toMatch(/frame-ancestors 'none'/);
      const sources = page
        .all('script, link, img, iframe')
        .map((element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '');
      for (const source of sources) expect(source).toMatch(/^\/(ui|oauth)\//);
      expect(page.find('meta[http-equiv]')).toBeNull();
    }
  });

  it('let a browser go back to the application after the form, and nowhere else [AUT-063]', async () => {
    const begun = (await web1.elsewhere().authorize()).page!;
    expect(begun.reply.header('content-security-policy')).toMatch(/form-action 'self' https:\/\/rp1\.test(;|$)/);
  });
});

describe('Who was deactivated', () => {
  const changes: ReadonlyArray<[string, (client: TestClient, active: boolean) => Promise<unknown>]> = [
    [
      'the client',
      async (client, active) =>
        world.transaction((tx) =>
          world.get(ClientService).changeState(tx, client.id, active ? 'active' : 'inactive', EDITOR),
        ),
    ],
    [
      'its project',
      async (_, active) =>
        world.transaction(async (tx) =>
          world.get(ProjectService).changeState(tx, await world.cast.projectQ, active ? 'active' : 'inactive', EDITOR),
        ),
    ],
    [
      'its organization',
      async (_, active) =>
        world.transaction(async (tx) =>
          world.get(OrgService).changeState(tx, (await world.cast.orgB).id, active ? 'active' : 'inactive', EDITOR),
        ),
    ],
  ];

  it.each(changes)('%s, gets a page at the start and no code at the end [AUT-064]', async (_, setActive) => {
    const alice = await world.cast.alice;
    const rp = new RelyingParty(world, await world.cast.web3);
    const named = await rp.browser.submit((await rp.authorize()).page!, { loginName: alice.loginName });
    const signedIn = await rp.browser.submitOnce(named.page!, { password: alice.password });
    const second = await rp.authorize({ prompt: 'select_account' });
    await setActive(rp.client, false);
    expectPage400(await rp.authorizeOnce());
    for (const arrival of [
      await rp.browser.get(signedIn.location!),
      await rp.browser.get(callbackOf(requestIdIn(named.page!.path) || '0')),
    ]) {
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBeGreaterThanOrEqual(400);
    }
    expect((await rp.browser.get(second.page!.path)).redirect).toBeUndefined();
    await setActive(rp.client, true);
    expect((await rp.authorize()).redirect).toMatch(/code=/);
  });
});

describe('A browser without cookies', () => {
  it('gets a page that says so, without an alternative [AUT-065]', async () => {
    const reply = await sendUnchecked(world.origin, { path: web1.authorizePath() });
    expect(reply.status).toBe(302);
    const next = await sendUnchecked(world.origin, { path: reply.location! });
    expect(next.status).toBe(400);
    expect(next.text).toMatch(/cookie/i);
    const callback = await sendUnchecked(world.origin, { path: callbackOf(requestIdIn(reply.location!)) });
    expect([callback.status, callback.location]).toEqual([400, undefined]);
  });
});
