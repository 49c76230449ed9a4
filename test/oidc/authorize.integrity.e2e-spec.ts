import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { OrgService } from '../../src/org/org.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { ProjectService } from '../../src/project/project.service.js';
import { AuthRequestRow } from '../../src/session/auth-request/auth-request.entity.js';
import { type Answer, AuthRequestRepository } from '../../src/session/auth-request/auth-request.repository.js';
import { AuthRequestService } from '../../src/session/auth-request/auth-request.service.js';
import { requestIdOf } from '../login/turns.js';
import { Browser, Page } from '../support/browser.js';
import { EDITOR, type TestClient } from '../support/builders.js';
import { sendUnchecked } from '../support/http.js';
import { answerOf, newPkce, RelyingParty } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { expectPage400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterAll(() => world.close());

const callbackOf = (id: string): string => `/oauth/v2/authorize/callback?id=${id}`;
const hubOf = (id: string): string => `/ui/login/login?authRequestID=${id}`;

describe('The id of a pending request gives no access by itself', () => {
  it('neither before nor after the victim signed in, nor in another browser that is signed in [AUT-057]', async () => {
    const [alice, bob] = [await world.cast.alice, await world.cast.bob];
    const attacker = web1.elsewhere();
    const begun = await attacker.authorize();
    const id = requestIdOf(begun.page!);
    // The victim follows the attacker's link, first with an empty browser, then signed in.
    const victim = web1.elsewhere();
    expect((await victim.browser.get(hubOf(id))).page!.status).toBeGreaterThanOrEqual(400);
    await victim.signIn(alice);
    for (const path of [hubOf(id), callbackOf(id)]) {
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
  it('that are finished in reverse order each get their own code, state, nonce and address [AUT-058]', async () => {
    const alice = await world.cast.alice;
    const browser = new Browser(world);
    const one = new RelyingParty(world, await world.cast.web1, browser);
    const two = new RelyingParty(world, await world.cast.web2, browser);
    const first = await one.authorize({ state: 'one', nonce: 'nonce one' });
    const second = await two.authorize({ state: 'two', nonce: 'nonce two' });
    const secondDone = await two.enter(second, alice);
    const firstDone = await one.enter(await browser.get(hubOf(requestIdOf(first.page!))), alice);
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

describe('Requests that are answered at the same moment', () => {
  /** An answer in which as little as possible is the default. */
  const anAnswer = async (): Promise<Answer> => {
    const rp = web1.elsewhere();
    rp.pkce = newPkce();
    const code = await rp.code(await world.cast.alice, {
      scope: 'openid offline_access',
      claims: '{"userinfo":{"email":null}}',
      acr_values: 'urn:example:any',
      nonce: 'of the sample',
    });
    const { redeemedAt: _, ...answer } = await read(world.get(AuthRequestService).openCode(code)!);
    return answer;
  };
  const read = async (id: string): Promise<AuthRequestRow> =>
    world.transaction(async (tx) => tx.entities.findOneByOrFail(AuthRequestRow, { id }));
  const add = async (answers: readonly Answer[]): Promise<boolean[]> =>
    Promise.all(answers.map((answer) => world.get(AuthRequestRepository).add(answer)));
  const named = (answer: Answer, name: string, count = 4): Answer[] =>
    Array.from({ length: count }, (_, at) => ({ ...answer, id: `${name}-${at}` }));

  it('are stored by one statement, each as it would be by itself', async () => {
    const answer = await anAnswer();
    const answers = named(answer, 'together').reverse();
    const statements = await statementsDuring(async () => {
      expect(await add(answers)).toEqual([true, true, true, true]);
    });
    expect(statements.map((text) => text.split(':')[0])).toEqual(['auth_request.add_together']);
    for (const { id } of answers) expect(await read(id)).toEqual({ ...answer, id, redeemedAt: null });
    expect(await add(named({ ...answer, claims: null, nonce: null }, 'without'))).toEqual([true, true, true, true]);
    expect(await read('without-0')).toMatchObject({ claims: null, nonce: null });
  });

  it('are answered once each, also if one is among them twice [AUT-059]', async () => {
    const answers = named(await anAnswer(), 'once');
    await add(answers.slice(0, 1));
    expect(await add([...answers, answers[3]!])).toEqual([false, true, true, true, false]);
  });

  it('and are visits to one pushed request are answered once, whatever their ids [PAR-006]', async () => {
    const answers = named({ ...(await anAnswer()), pushedId: 'pushed once' }, 'pushed');
    expect((await add(answers)).filter((isAdded) => isAdded)).toEqual([true]);
  });
});

describe('A finished request', () => {
  it('gives no second code, by the back button, a reload or the form [AUT-059]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const begun = await rp.authorize();
    const named = await rp.browser.submit(begun.page!, { loginName: alice.loginName });
    const done = await rp.browser.submit(named.page!, { password: alice.password });
    expect(done.redirect).toMatch(/code=/);
    const ids = [requestIdOf(begun.page!), requestIdOf(named.page!)];
    for (const path of ids.flatMap((id) => [callbackOf(id), hubOf(id)])) {
      const arrival = await rp.browser.get(path);
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBe(410);
    }
    world.clock.advance('10s');
    for (const arrival of [
      await rp.browser.submit(named.page!, { password: alice.password }),
      await rp.browser.submit(begun.page!, { loginName: alice.loginName }),
    ]) {
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBe(410);
    }
  });

  it('gives the same code to a form that is sent again within ten seconds, until that is redeemed [AUT-059]', async () => {
    const alice = await world.cast.alice;
    const rp = web1.elsewhere();
    const named = await rp.browser.submit((await rp.authorize()).page!, { loginName: alice.loginName });
    const password = { password: alice.password };
    const before = (await world.rows('SELECT 1 FROM auth_request')).length;
    const first = answerOf((await rp.browser.submit(named.page!, password)).redirect!);
    const again = answerOf((await rp.browser.submit(named.page!, password)).redirect!);
    expect([again['state'], again['iss']]).toEqual([first['state'], first['iss']]);
    expect(await world.rows('SELECT 1 FROM auth_request')).toHaveLength(before + 1);
    expect((await rp.redeem(again['code']!)).status).toBe(200);
    const late = await rp.browser.submit(named.page!, password);
    expect([late.redirect, late.page?.status]).toEqual([undefined, 410]);
    expect((await rp.redeem(first['code']!)).status).toBe(400);
  });

  it('gives one code if it is finished in eight tabs at once [AUT-059]', async () => {
    const rp = web1.elsewhere();
    const alice = await world.cast.alice;
    await rp.signIn(alice);
    world.clock.advance('1s');
    const begun = (await rp.authorize({ prompt: 'select_account' })).page!;
    const before = (await world.rows('SELECT 1 FROM auth_request')).length;
    const tabs = Array.from({ length: 8 }, () => rp.browser.copy().submitOnce(begun, { userID: alice.id }));
    const codes = (await Promise.all(tabs)).map(({ location }) => answerOf(location!)['code']!);
    expect(await world.rows('SELECT 1 FROM auth_request')).toHaveLength(before + 1);
    expect((await rp.redeem(codes[0]!)).status).toBe(200);
    expect((await rp.redeem(codes[7]!)).status).toBe(400);
  });
});

describe('A request that is older than its lifetime', () => {
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

describe('A sign-in is interrupted by a deactivation, and', () => {
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

  it.each(changes)('gets a page at the start and no code at the end: %s [AUT-064]', async (_, setActive) => {
    const alice = await world.cast.alice;
    const rp = new RelyingParty(world, await world.cast.web3);
    const code = await rp.code(alice);
    world.clock.advance('1s');
    const chooser = await rp.authorize({ prompt: 'select_account' });
    const named = await rp.authorize({ prompt: 'login' });
    await setActive(rp.client, false);
    expectPage400(await rp.authorizeOnce());
    for (const arrival of [
      await rp.browser.submit(named.page!, { password: alice.password }),
      await rp.browser.submit(chooser.page!, { userID: alice.id }),
      await rp.browser.get(callbackOf(requestIdOf(chooser.page!))),
    ]) {
      expect(arrival.redirect).toBeUndefined();
      expect(arrival.page!.status).toBeGreaterThanOrEqual(400);
    }
    expect((await rp.redeem(code)).status).toBeGreaterThanOrEqual(400);
    await setActive(rp.client, true);
    expect((await rp.authorize()).redirect).toMatch(/code=/);
  });
});

describe('A browser without cookies', () => {
  it('gets a page that says so, without an alternative [AUT-065]', async () => {
    const reply = await sendUnchecked(world.origin, { path: web1.authorizePath() });
    const form = new Page(reply, '/').formWith('loginName');
    const body = { ...form.fields, loginName: 'alice' };
    const next = await sendUnchecked(world.origin, { method: 'POST', path: form.action, body });
    expect([next.status, next.location]).toEqual([403, undefined]);
    expect(next.text).toMatch(/cookie/i);
    const callback = await sendUnchecked(world.origin, { path: callbackOf(form.fields['authRequestID']!) });
    expect([callback.status, callback.location]).toEqual([400, undefined]);
  });
});
