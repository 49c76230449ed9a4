import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportSPKI, importJWK } from 'jose';
import { toUnixSeconds } from '../../src/foundation/time/duration.js';
import type { Arrival } from '../support/browser.js';
import { makeKey, type TestPerson } from '../support/builders.js';
import { type Headers, type Parameters, type Reply, sendBytes } from '../support/http.js';
import { JwtProxy } from '../support/jwt-proxy.js';
import { otherSpellings, signTexts } from '../support/jwt-spellings.js';
import { RelyingParty } from '../support/relying-party.js';
import type { Claims } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addJwt, changeIdp, leave, link, OUTBOUND } from './external.js';

const AUDIENCE = 'gatehouse-at-the-gateway';

let world: World;
let proxy: JwtProxy;
let alice: TestPerson;
let web1: RelyingParty;
let idpId: string;

beforeAll(async () => {
  world = await startWorld({ env: { ...OUTBOUND, JWT_IDP_AUDIENCES: AUDIENCE } });
  proxy = await JwtProxy.start(world);
  alice = await world.cast.alice;
  idpId = await addJwt(world, proxy.origin);
  await link(world, idpId, alice.id, alice.orgId, 'alice-there');
});
afterAll(async () => {
  await proxy.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  proxy.upstream.lies = {};
});

/** From the proxy on: where the service sends the browser, and where that ends. */
async function goOn(reply: Reply, rp = web1): Promise<Arrival> {
  expect([
    reply.status,
    reply.location?.startsWith(`${world.issuer}/ui/login/login/jwt/callback?`),
    reply.headers['set-cookie'],
  ]).toEqual([302, true, undefined]);
  return rp.browser.get(reply.location!);
}

async function expectRefused(url: string, headers: Headers): Promise<void> {
  const reply = await proxy.pass(url, headers);
  expect([reply.status, reply.location, reply.headers['set-cookie']]).toEqual([400, undefined, undefined]);
  expect(reply.text).toContain('We could not accept the answer of the identity provider.');
}

const header = async (about: Claims = { sub: 'alice-there' }): Promise<Headers> => ({
  'x-jwt': await proxy.token(about),
});

describe('Signing in through a proxy that sends a JWT [IDP-012]', () => {
  it('ends at the application, as the linked account', async () => {
    const url = await leave(web1, idpId);
    expect(web1.toAnswer(await goOn(await proxy.pass(url, await header())))).toEqual({
      state: 'S1',
      code: expect.any(String),
      iss: world.issuer,
    });
  });

  it('sends the browser to the configured address with two opaque values and nothing else [IDP-017]', async () => {
    const url = new URL(await leave(web1, idpId));
    expect([url.origin, url.pathname, [...url.searchParams.keys()]]).toEqual([
      proxy.origin,
      '/enter',
      ['kept', 'authRequestID', 'userAgentID'],
    ]);
    expect(url.searchParams.get('kept')).toBe('1');
    expect(url.searchParams.get('userAgentID')).toMatch(/^gtb_[\w-]+$/);
    const [cookie] = [...web1.browser.cookies.values()];
    const [browser] = await world.rows<{ id: string }>('SELECT id FROM browser ORDER BY seen_at DESC LIMIT 1');
    for (const secret of [cookie!, browser!.id]) expect(url.href).not.toContain(secret);
    expect(new URL(await leave(web1, idpId)).searchParams.get('userAgentID')).not.toBe(
      url.searchParams.get('userAgentID'),
    );
  });

  it('is given up when the token is wrong, without giving details', async () => {
    const url = await leave(web1, idpId);
    const { upstream } = proxy;
    const claims = proxy.claims({ sub: 'alice-there' });
    const other = { ...(await makeKey()), kid: upstream.keys[0]!.kid };
    const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const spki = await exportSPKI((await importJWK(upstream.published[0]!, 'RS256')) as CryptoKey);
    const symmetric = `${part({ alg: 'HS256', kid: other.kid })}.${part(claims)}`;
    const tokens: string[] = [
      await upstream.sign({ ...claims, iss: 'https://evil.test' }),
      await upstream.sign(claims, {}, other),
      `${part({ alg: 'none' })}.${part(claims)}.`,
      `${symmetric}.${createHmac('sha256', spki).update(symmetric).digest('base64url')}`,
      'garbage',
      'a.b.c',
      '',
    ];
    for (const token of tokens) await expectRefused(url, { 'x-jwt': token });
    await expectRefused(url, {});
    await expectRefused(url, { Authorization: `Bearer ${await proxy.token({ sub: 'alice-there' })}` });
    expect(web1.toAnswer(await goOn(await proxy.pass(url, await header()))).code).toBeDefined(); // the right one counts still
  });

  it('is refused in another spelling, or with a member of its header doubled (RFC 7515 §2, §4)', async () => {
    const url = await leave(web1, idpId);
    const key = proxy.upstream.keys[0]!;
    const payload = JSON.stringify(proxy.claims({ sub: 'alice-there' }));
    const header = `{"alg":"RS256","kid":"${key.kid}"}`;
    const honest = signTexts(key, header, payload);
    // What no header can carry, Node's client refuses to send; blanks around a value are not part of it (RFC 9110
    // §5.5).
    const sendable = otherSpellings(honest).filter((text) => !/[\r\n]/.test(text) && text.trim() === text);
    for (const text of [...sendable, signTexts(key, header.replace('{', '{"kid":"other",'), payload)]) {
      await expectRefused(url, { 'x-jwt': text });
    }
    expect(web1.toAnswer(await goOn(await proxy.pass(url, { 'x-jwt': honest }))).code).toBeDefined();
  });

  it('is not offered any more once the proxy is deactivated', async () => {
    const url = await leave(web1, idpId);
    const token = await header();
    await changeIdp(world, idpId, 'deactivate');
    await expectRefused(url, token);
    await changeIdp(world, idpId, 'reactivate');
    const passed = await proxy.pass(url, token);
    await changeIdp(world, idpId, 'deactivate');
    expect((await web1.browser.request('GET', passed.location!)).status).toBe(403);
    await changeIdp(world, idpId, 'reactivate');
  });
});

describe('The times of a token [IDP-013]', () => {
  it.each<[string, (now: number) => Claims]>([
    ['that ends never', () => ({ exp: undefined })],
    ['without a time of issue', () => ({ iat: undefined })],
    ['of two hours ago, which counts for a day', (now) => ({ iat: now - 7200, exp: now + 86_400 })],
    ['that is over', (now) => ({ iat: now - 600, exp: now - 120 })],
    ['that is not valid yet', (now) => ({ nbf: now + 600 })],
    ['of the future', (now) => ({ iat: now + 600, exp: now + 900 })],
    ['without a subject', () => ({ sub: undefined })],
  ])('is refused when it is one %s', async (_, change) => {
    await expectRefused(await leave(web1, idpId), await header({ sub: 'alice-there', ...change(world.now()) }));
  });

  it('contain when the user authenticated there, which prompt and max_age request', async () => {
    const over = { prompt: 'login', max_age: 60 };
    await expectRefused(
      await leave(web1, idpId, over),
      await header({ sub: 'alice-there', auth_time: world.now() - 3600 }),
    );
    const reply = await proxy.pass(
      await leave(web1, idpId, over),
      await header({ sub: 'alice-there', auth_time: world.now() }),
    );
    expect(web1.toAnswer(await goOn(reply)).code).toBeDefined();
  });

  it('say from when the sign-in counts as a proof; without one it does if it was requested [ACC-018]', async () => {
    const provedAfter = async (over: Parameters, about: Claims): Promise<number | undefined> => {
      const party = web1.elsewhere();
      const reply = await proxy.pass(await leave(party, idpId, over), await header({ sub: 'alice-there', ...about }));
      await goOn(reply, party);
      const [session] = await world.rows<{ provedAt: Date | null }>(
        'SELECT external_proved_at AS "provedAt" FROM session WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
        [alice.id],
      );
      world.clock.advance('1s');
      return session?.provedAt ? toUnixSeconds(session.provedAt) : undefined;
    };
    expect(await provedAfter({}, {})).toBeUndefined();
    expect(await provedAfter({}, { auth_time: world.now() - 3600 })).toBe(world.now() - 3601);
    expect(await provedAfter({ max_age: 600 }, { auth_time: world.now() - 500 })).toBe(world.now() - 501);
    expect(await provedAfter({ max_age: 600 }, {})).toBe(world.now() - 1);
  });

  it('may be up to an hour ago', async () => {
    const now = world.now();
    const reply = await proxy.pass(
      await leave(web1, idpId),
      await header({ sub: 'alice-there', iat: now - 3500, exp: now + 60 }),
    );
    expect(web1.toAnswer(await goOn(reply)).code).toBeDefined();
  });
});

describe('The audience of a token [IDP-014]', () => {
  it.each([undefined, '', 'another-application', ['another-application'], [], { a: 1 }])(
    'must be us, and is not %j',
    async (aud) => {
      await expectRefused(await leave(web1, idpId), await header({ sub: 'alice-there', aud }));
    },
  );

  it.each([[AUDIENCE], ['another-application', AUDIENCE]])(
    'may be what JWT_IDP_AUDIENCES lists, among others: %j',
    async (...aud) => {
      expect(
        web1.toAnswer(await goOn(await proxy.pass(await leave(web1, idpId), await header({ sub: 'alice-there', aud }))))
          .code,
      ).toBeDefined();
    },
  );
});

describe('Whose browser it is [IDP-015]', () => {
  it('an attacker who sends the victim on his own errand is not signed in as the victim', async () => {
    const attacker = web1.elsewhere();
    const url = await leave(attacker, idpId);
    const passed = await proxy.pass(url, await header()); // the victim has followed the link, and the gateway knows the victim
    const victim = await web1.browser.request('GET', passed.location!);
    expect([victim.status, victim.headers['set-cookie']]).toEqual([400, undefined]);
    // What the attacker knows is the errand, not the value that the victim's browser has got.
    const { searchParams } = new URL(url);
    const guess = `/ui/login/login/jwt/callback?authRequestID=${searchParams.get('authRequestID')}&userAgentID=${searchParams.get('userAgentID')}`;
    for (const path of [guess, `${guess}&state=`, `${guess}&state=${searchParams.get('userAgentID')}`])
      expect((await attacker.browser.request('GET', path)).status).toBe(400);
  });

  it("an attacker's token does not get into a request of the victim's browser", async () => {
    const victim = web1;
    const attacker = web1.elsewhere();
    const [mine, theirs] = [new URL(await leave(attacker, idpId)), new URL(await leave(victim, idpId))];
    const mixed = new URL(mine);
    mixed.searchParams.set('authRequestID', theirs.searchParams.get('authRequestID')!);
    await expectRefused(mixed.href, await header()); // the victim's request, the attacker's browser
    const passed = await proxy.pass(mine.href, await header());
    const lured = new URL(passed.location!);
    expect((await victim.browser.request('GET', lured.pathname + lured.search)).status).toBe(400);
    lured.searchParams.set('authRequestID', theirs.searchParams.get('authRequestID')!);
    expect((await victim.browser.request('GET', lured.pathname + lured.search)).status).toBe(400);
  });

  it('a token is accepted once per round trip, and its browser continues once', async () => {
    const url = await leave(web1, idpId);
    const passed = await Promise.all(
      [header(), header(), header()].map(async (headers) => proxy.pass(url, await headers)),
    );
    expect(passed.map(({ status }) => status).sort()).toEqual([302, 400, 400]);
    const { location } = passed.find(({ status }) => status === 302)!;
    const replies = await Promise.all([web1.browser.request('GET', location!), web1.browser.request('GET', location!)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([302, 400]);
  });

  it.each(['', 'garbage', 'gtb_AAAAAAAAAAAAAAAA', 'gtc_AAAAAA', 'ÿ'])(
    'is not accepted from a value that we have not sealed: %j',
    async (userAgentID) => {
      const url = new URL(await leave(web1, idpId));
      url.searchParams.set('userAgentID', userAgentID);
      await expectRefused(url.href, await header());
    },
  );

  it('counts for an hour', async () => {
    const url = await leave(web1, idpId);
    world.clock.advance('61m');
    await expectRefused(url, await header());
  });
});

describe('The header [IDP-016]', () => {
  it.each(['Bearer ', 'bearer ', 'BEARER ', ''])('may have %j before the token', async (scheme) => {
    const reply = await proxy.pass(await leave(web1, idpId), {
      'x-jwt': scheme + (await proxy.token({ sub: 'alice-there' })),
    });
    expect(web1.toAnswer(await goOn(reply)).code).toBeDefined();
  });

  it.each<[string, (a: string, b: string) => Headers]>([
    ['two of them', (a, b) => ({ 'x-jwt': [a, b] })],
    ['the same one twice', (a) => ({ 'x-jwt': [a, a] })],
    ['two in one', (a, b) => ({ 'x-jwt': `Bearer ${a}, Bearer ${b}` })],
    ['two in one, without schemes', (a, b) => ({ 'x-jwt': `${a},${b}` })],
    ['two blanks', (a) => ({ 'x-jwt': `Bearer  ${a}` })],
    ['another scheme', (a) => ({ 'x-jwt': `Basic ${a}` })],
    ['a name with an underscore', (a) => ({ x_jwt: a })],
    ['a cookie', (a) => ({ Cookie: `x-jwt=${a}` })],
  ])('is not %s', async (_, headers) => {
    const url = await leave(web1, idpId);
    await expectRefused(
      url,
      headers(await proxy.token({ sub: 'alice-there' }), await proxy.token({ sub: 'bob-there' })),
    );
  });

  it('is not a parameter', async () => {
    const url = new URL(await leave(web1, idpId));
    url.searchParams.set('x-jwt', await proxy.token({ sub: 'alice-there' }));
    await expectRefused(url.href, {});
  });

  it('may be Authorization, of which two are two as well', async () => {
    const own = await addJwt(world, proxy.origin, { headerName: 'Authorization' });
    await link(world, own, alice.id, alice.orgId, 'alice-there');
    const token = await proxy.token({ sub: 'alice-there' });
    const twice = new URL(await leave(web1, own));
    // As no client writes it: Node's own would keep the first alone.
    const answer = await sendBytes(
      world.origin,
      `GET /ui/login/login/jwt/authorize${twice.search} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const reply = await proxy.pass(await leave(web1, own), { Authorization: `Bearer ${token}` });
    expect(web1.toAnswer(await goOn(reply)).code).toBeDefined();
  });
});
