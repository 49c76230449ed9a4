import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, decodeJwt, exportSPKI, importJWK, SignJWT } from 'jose';
import { ChangeChannel, EVERYTHING } from '../../src/foundation/database/change-channel.js';
import { ClientRow } from '../../src/project/client/client.entity.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { type Arrival, Browser } from '../support/browser.js';
import { EDITOR, makeKey, type TestPerson } from '../support/builders.js';
import { type Parameters, toQuery } from '../support/http.js';
import { otherSpellings } from '../support/jwt-spellings.js';
import { answerOf, paths, publishedKeys, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { expectDead, expectEscaped, expectInactive, expectPage400, XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

const BYE = 'https://rp1.test/bye';

let world: World;
let alice: TestPerson;
let bob: TestPerson;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  bob = await world.cast.bob;
  await Promise.all([world.cast.web2, world.cast.web3]);
});
afterAll(() => world.close());

async function signedIn(person = alice): Promise<{ rp: RelyingParty; tokens: Tokens }> {
  const rp = new RelyingParty(world, await world.cast.web1);
  return { rp, tokens: await rp.tokens(person, { scope: 'openid offline_access' }) };
}

const isSignedIn = async (rp: RelyingParty): Promise<boolean> =>
  (await rp.authorize({ prompt: 'none' })).redirect!.includes('code=');

/** Opens the endpoint as a browser would that follows a link of another site, or a typed address. */
async function open(
  rp: RelyingParty,
  over: Parameters,
  site: 'cross-site' | 'same-site' | 'same-origin' | 'none' = 'cross-site',
): Promise<Arrival> {
  rp.browser.headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
  try {
    return await rp.endSession(over);
  } finally {
    rp.browser.headers = {};
  }
}

describe('GET /oidc/v1/end_session with the hint of the current session', () => {
  it.each(['GET', 'POST'])('ends it and goes to the registered URI with the state, by %s [INT-023]', async (method) => {
    const { rp, tokens } = await signedIn();
    const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state: 'S 1&=' };
    const arrival = method === 'GET' ? await open(rp, parameters) : await rp.browser.post(paths.endSession, parameters);
    expect(arrival.redirect).toBe(`${BYE}?state=${encodeURIComponent('S 1&=')}`);
    expect(await isSignedIn(rp)).toBe(false);
  });

  it('without a URI shows a page that says so', async () => {
    const { rp, tokens } = await signedIn();
    const arrival = await open(rp, { id_token_hint: tokens.id_token });
    expect([arrival.page?.status, arrival.page?.path]).toEqual([200, '/ui/login/logout/done']);
    expect(await isSignedIn(rp)).toBe(false);
  });

  it('accepts a hint that has expired [INT-026]', async () => {
    const { rp, tokens } = await signedIn();
    world.clock.advance('2d');
    expect((await open(rp, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })).redirect).toBe(BYE);
    expect(await isSignedIn(rp)).toBe(false);
  });

  it('ends the access tokens of the session at once; refresh tokens of offline_access live on [INT-030]', async () => {
    const { rp, tokens } = await signedIn();
    const stolen = rp.browser.copy();
    await open(rp, { id_token_hint: tokens.id_token });
    expectInactive(await rp.introspect(tokens.access_token));
    expectDead(await rp.userinfo(tokens.access_token));
    expect(await isSignedIn(new RelyingParty(world, rp.client, stolen))).toBe(false);
    expect((await stolen.get(rp.authorizePath())).page?.find('input[name="loginName"]')).not.toBeNull();
    expect((await rp.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it("ends only that user's session if two are signed in", async () => {
    const { rp, tokens } = await signedIn(alice);
    await rp.signIn(bob, { prompt: 'login', login_hint: bob.loginName });
    await open(rp, { id_token_hint: tokens.id_token });
    const answer = await rp.authorize({ prompt: 'none' });
    const { sub } = decodeJwt(tokensOf(await rp.redeem(answerOf(answer.redirect!)['code']!)).id_token);
    expect(sub).toBe(bob.id);
  });
});

describe('Another site', () => {
  it('cannot sign a user out by anything that a page loads: no cookie is sent, and no response is framed [INT-021]', async () => {
    const { rp } = await signedIn();
    const bare = new Browser(world);
    for (const destination of ['image', 'iframe', 'empty']) {
      bare.headers = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Dest': destination, Origin: 'https://evil.test' };
      const reply = await bare.request('GET', paths.endSession);
      expect(reply.header('access-control-allow-origin')).toBeUndefined();
      await bare.request('POST', paths.endSession, {});
    }
    const { page } = await open(rp, {});
    expect(page!.reply.header('x-frame-options')).toBe('DENY');
    expect(page!.reply.header('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    expect(await isSignedIn(rp)).toBe(true);
    const setCookie = (await new RelyingParty(world, rp.client).authorizeOnce()).header('set-cookie');
    expect(setCookie).toMatch(/; SameSite=Lax/);
    expect(setCookie).toMatch(/; HttpOnly/);
  });

  it.each<Parameters>([{}, { client_id: 'web1' }, { client_id: 'web1', post_logout_redirect_uri: BYE, state: 'S1' }])(
    'that links here without a hint makes the user confirm the sign-out first: %j [INT-022]',
    async (parameters) => {
      const { rp, tokens } = await signedIn();
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, {}]) {
        rp.browser.headers = headers;
        const asked = await rp.endSession(parameters);
        rp.browser.headers = {};
        expect([asked.redirect, asked.page?.status]).toEqual([undefined, 200]);
        expect(await isSignedIn(rp)).toBe(true);
      }
      const asked = await open(rp, parameters);
      // A form without the token, with that of another browser, or with a no, changes nothing.
      const other = await signedIn(bob);
      const strange = (await open(other.rp, parameters)).page!.formWith('csrf').fields['csrf'];
      for (const csrf of ['', 'x', strange]) {
        expect(
          (await rp.browser.submitOnce(asked.page!, { decision: 'sign-out', csrf })).status,
        ).toBeGreaterThanOrEqual(400);
      }
      // Nor does a right one that another origin sends.
      for (const said of [{ Origin: 'https://evil.test' }, { 'Sec-Fetch-Site': 'same-site' }]) {
        rp.browser.headers = said;
        expect((await rp.browser.submitOnce(asked.page!, { decision: 'sign-out' })).status).toBe(400);
        rp.browser.headers = {};
      }
      await rp.browser.submit(asked.page!, { decision: 'stay' });
      expect(await isSignedIn(rp)).toBe(true);
      const done = await rp.browser.submit(asked.page!, { decision: 'sign-out' });
      if (parameters['post_logout_redirect_uri'] === undefined) expect(done.page?.path).toBe('/ui/login/logout/done');
      else expect(done.redirect).toBe(`${BYE}?state=S1`);
      expect(await isSignedIn(rp)).toBe(false);
      expectDead(await rp.userinfo(tokens.access_token));
    },
  );

  it.each(['same-site', 'none'] as const)(
    'is treated like the same site, or a link in a mail: %s is asked about too (RP-Initiated Logout §2)',
    async (site) => {
      const { rp } = await signedIn();
      const asked = await open(rp, {}, site);
      expect(asked.page?.find('button[name="decision"]')).toBeTruthy();
      expect(await isSignedIn(rp)).toBe(true);
      expect((await rp.browser.submit(asked.page!, { decision: 'sign-out' })).page?.path).toBe('/ui/login/logout/done');
      expect(await isSignedIn(rp)).toBe(false);
    },
  );

  it.each<Parameters>([{ client_id: 'web1' }, { post_logout_redirect_uri: BYE }, { state: 'S1' }])(
    'is treated like an application that shares our origin: %j is asked about too (RP-Initiated Logout §2)',
    async (parameters) => {
      const { rp } = await signedIn();
      expect((await open(rp, parameters, 'same-origin')).page?.find('button[name="decision"]')).toBeTruthy();
      expect(await isSignedIn(rp)).toBe(true);
    },
  );

  it('is not a page of ours, which has asked already', async () => {
    const { rp } = await signedIn();
    expect((await open(rp, {}, 'same-origin')).page?.path).toBe('/ui/login/logout/done');
    expect(await isSignedIn(rp)).toBe(false);
  });
});

describe('The page of a refused sign-out', () => {
  const STILL = 'You are still signed in.';

  it('shows what was wrong, and whether the user is still signed in', async () => {
    const { rp, tokens } = await signedIn();
    const wrong: ReadonlyArray<readonly [Parameters, string]> = [
      [{ id_token_hint: 'x' }, 'The application sent a proof of your sign-in that we cannot verify.'],
      [
        { id_token_hint: tokens.id_token, client_id: 'web2' },
        'The proof of your sign-in was issued for another application than the one that asks.',
      ],
      [
        { client_id: 'web1', post_logout_redirect_uri: 'https://evil.test/' },
        'The application asked us to send you to an address that is not registered for it.',
      ],
      [{ client_id: 'nobody' }, 'The application that sent you here is not registered, or it is not active.'],
    ];
    for (const [parameters, words] of wrong) {
      const mine = await open(rp, parameters);
      expect(mine.page!.text).toContain(words);
      expect(mine.page!.text).toContain(STILL);
      const stranger = await open(new RelyingParty(world, rp.client, new Browser(world)), parameters);
      expect(stranger.page!.status).toBe(400);
      expect(stranger.page!.text).toContain(words);
      expect(stranger.page!.text).not.toMatch(/still signed in/i);
    }
    expect(await isSignedIn(rp)).toBe(true);
  });
});

describe('A hint that does not match', () => {
  it('for a user other than the one who is signed in asks first, and does not redirect before [INT-024]', async () => {
    const { tokens: bobs } = await signedIn(bob);
    const { rp } = await signedIn(alice);
    const asked = await open(rp, { id_token_hint: bobs.id_token, post_logout_redirect_uri: BYE });
    expect([asked.redirect, asked.page?.status]).toEqual([undefined, 200]);
    expect(asked.page!.text).toContain('alice@orga.test');
    expect(await isSignedIn(rp)).toBe(true);
    expect((await rp.browser.submit(asked.page!, { decision: 'sign-out' })).redirect).toBe(BYE);
  });

  it('that was not signed by us gets a page, and the session stays active [INT-025]', async () => {
    const { rp, tokens } = await signedIn();
    const jwt = await new RelyingParty(world, await world.cast.web4).tokens(alice);
    const [jwk] = (await publishedKeys(world)).keys;
    const claims = decodeJwt(tokens.id_token);
    const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = { alg: 'RS256', typ: 'JWT', kid: jwk!.kid! };
    const stranger = await makeKey();
    const hs = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
    const pem = await exportSPKI((await importJWK(jwk!, 'RS256')) as CryptoKey);
    const [first, , third] = tokens.id_token.split('.');
    const bad = [
      `${first}.${encode({ ...claims, sub: bob.id })}.${third}`,
      `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`,
      `${hs}.${createHmac('sha256', pem).update(hs).digest('base64url')}`,
      await new SignJWT({ ...claims, iss: 'https://other.test' }).setProtectedHeader(header).sign(stranger.privateKey),
      jwt.access_token,
      tokens.access_token,
      tokens.refresh_token,
      'x',
      'a.b.c',
      tokens.id_token.slice(0, -1),
      ...otherSpellings(tokens.id_token), // one spelling (RFC 7515 §2)
    ];
    for (const hint of bad) {
      const reply = await rp.browser.request(
        'GET',
        `${paths.endSession}?${toQuery({ id_token_hint: hint, post_logout_redirect_uri: BYE })}`,
      );
      expectPage400(reply);
    }
    expect(await isSignedIn(rp)).toBe(true);
  });
});

describe('A hint of a client that is inactive or gone', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['inactive', (id) => world.transaction((tx) => world.get(ClientService).changeState(tx, id, 'inactive', EDITOR))],
    [
      'gone',
      (id) =>
        world.transaction(async (tx) => {
          await tx.entities.delete(ClientRow, { id });
          await world.get(ChangeChannel).announce(tx, 'client', EVERYTHING);
        }),
    ],
  ])('%s gets a page that says so, with a URI and without, and the session stays active [INT-028]', async (_, end) => {
    const { rp } = await signedIn();
    const client = await world.add.client({ projectId: await world.cast.projectP, postLogoutRedirectUris: [BYE] });
    const { id_token: hint } = await new RelyingParty(world, client, rp.browser).tokens(alice);
    await end(client.id);
    for (const parameters of [{ post_logout_redirect_uri: BYE }, {}]) {
      for (const method of ['GET', 'POST'] as const) {
        const sent = { id_token_hint: hint, ...parameters };
        const reply = await rp.browser.request(
          method,
          method === 'GET' ? `${paths.endSession}?${toQuery(sent)}` : paths.endSession,
          method === 'GET' ? undefined : sent,
        );
        expectPage400(reply);
        expect(reply.text).toContain(client.clientId);
      }
    }
    expect(await isSignedIn(rp)).toBe(true);
  });
});

describe('post_logout_redirect_uri', () => {
  it.each([
    'https://rp1.test/bye/',
    'https://rp1.test/bye/x',
    'https://rp1.test',
    'HTTPS://rp1.test/bye',
    'https://RP1.test/bye',
    'https://rp1.test:443/bye',
    'https://rp1.test@evil.test/bye',
    'https://user:pw@rp1.test/bye',
    'https://rp1.test/bye#f',
    'https://rp1.test/bye%23f',
    'https://rp1.test/bye/../evil',
    'https://rp1.test/bye?x=1',
    'https://rp1.test\\@evil.test/bye',
    '//rp1.test/bye',
    'https:rp1.test/bye',
    ' https://rp1.test/bye',
    'https://rp1.test/bye\n',
    'https://evil.test/',
    'javascript:x()',
    'https://rp1.test/cb',
    'https://rp1.test.evil.test/bye',
  ])('that is not registered gets a page, no redirect, and the session stays active: %s [INT-027]', async (uri) => {
    const { rp, tokens } = await signedIn();
    for (const parameters of [{ id_token_hint: tokens.id_token }, { client_id: 'web1' }]) {
      expectPage400(
        await rp.browser.request(
          'GET',
          `${paths.endSession}?${toQuery({ ...parameters, post_logout_redirect_uri: uri })}`,
        ),
      );
    }
    expect(await isSignedIn(rp)).toBe(true);
  });

  it("of another client, or with a client_id that is not the hint's, gets a page [INT-028]", async () => {
    const { rp, tokens } = await signedIn();
    const wrong: Parameters[] = [
      { client_id: 'web1', post_logout_redirect_uri: 'https://rp2.test/bye' },
      { id_token_hint: tokens.id_token, post_logout_redirect_uri: 'https://rp2.test/bye' },
      { id_token_hint: tokens.id_token, client_id: 'web2', post_logout_redirect_uri: 'https://rp2.test/bye' },
      { id_token_hint: tokens.id_token, client_id: 'web2' },
      { client_id: 'nobody', post_logout_redirect_uri: BYE },
    ];
    for (const parameters of wrong)
      expectPage400(await rp.browser.request('GET', `${paths.endSession}?${toQuery(parameters)}`));
    expect(await isSignedIn(rp)).toBe(true);
    expect(
      (await open(rp, { id_token_hint: tokens.id_token, client_id: 'web1', post_logout_redirect_uri: BYE })).redirect,
    ).toBe(BYE);
  });

  it('without hint and client is compared with nothing, so there is no redirect [INT-028]', async () => {
    const { rp } = await signedIn();
    const asked = await open(rp, { post_logout_redirect_uri: BYE });
    const done = await rp.browser.submit(asked.page!, { decision: 'sign-out' });
    expect([asked.redirect, done.redirect, done.page?.path]).toEqual([undefined, undefined, '/ui/login/logout/done']);
  });
});

describe('state', () => {
  it.each([...XSS, '\r\nSet-Cookie: a=b', '&error=x#y', 'é 😀'])(
    'comes back encoded, and escaped on the question: %j [INT-029]',
    async (state) => {
      const { rp, tokens } = await signedIn();
      const asked = await open(rp, { client_id: 'web1', post_logout_redirect_uri: BYE, state });
      expectEscaped(asked.page!.reply, state);
      expect(asked.page!.formWith('csrf').fields['state']).toBe(state);
      const reply = await rp.browser.request(
        'GET',
        `${paths.endSession}?${toQuery({ id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE, state })}`,
      );
      expect(reply.location).toBe(`${BYE}?state=${encodeURIComponent(state)}`);
      expect(reply.location).toMatch(/^[\x21-\x7e]+$/);
    },
  );
});

describe('A sign-in that was going on in another tab', () => {
  it('ends in a new session; the old one and its tokens stay ended [INT-031]', async () => {
    const { rp, tokens } = await signedIn();
    world.clock.advance('1s');
    const tab = await rp.authorize({ prompt: 'login' });
    await open(rp, { id_token_hint: tokens.id_token });
    const done = await rp.browser.submit(tab.page!, { password: alice.password });
    const renewed = tokensOf(await rp.redeem(rp.toAnswer(done)['code']!));
    expect(decodeJwt(renewed.id_token)['sid']).not.toBe(decodeJwt(tokens.id_token)['sid']);
    expect((await rp.userinfo(renewed.access_token)).status).toBe(200);
    expectDead(await rp.userinfo(tokens.access_token));
  });
});

it('can be repeated, and works without a signed-in user', async () => {
  const { rp, tokens } = await signedIn();
  for (let i = 0; i < 2; i += 1) {
    expect((await open(rp, { id_token_hint: tokens.id_token, post_logout_redirect_uri: BYE })).redirect).toBe(BYE);
  }
  expect((await open(new RelyingParty(world, rp.client), {})).page?.status).toBe(200);
});
