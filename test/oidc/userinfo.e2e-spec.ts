import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonService } from '../../src/user/person.service.js';
import { UserService } from '../../src/user/user.service.js';
import { assertAs, exchangeAssertion, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestPerson, uniqueName } from '../support/builders.js';
import { type Headers, type Sent, send, sendBytes } from '../support/http.js';
import { bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { expectDead, XSS } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let web1: RelyingParty;
let alice: TestPerson;
let token: string;

beforeAll(async () => {
  world = await startWorld();
  web1 = new RelyingParty(world, await world.cast.web1);
  alice = await world.cast.alice;
  token = (await web1.tokens(alice)).access_token;
});
afterAll(() => world.close());

const ask = (headers: Headers, path: string = paths.userinfo) => send(world.origin, { path, headers });

describe('GET /oidc/v1/userinfo (OIDC Core §5.3)', () => {
  it('returns every claim of the granted scopes that the user has, in its JSON type', async () => {
    const tokens = await web1.tokens(alice, { scope: 'openid profile email phone address' });
    const reply = await web1.userinfo(tokens.access_token);
    expect(reply.header('content-type')).toMatch(/^application\/json; charset=utf-8$/i);
    expect(reply.json()).toEqual({
      sub: alice.id,
      name: 'Alice Liddell',
      given_name: 'Alice',
      family_name: 'Liddell',
      middle_name: 'Pleasance',
      nickname: 'Ally',
      preferred_username: 'alice@orga.test',
      profile: 'https://alice.test/',
      picture: 'https://alice.test/me.png',
      website: 'https://alice.test/blog',
      gender: 'female',
      birthdate: '1852-05-04',
      zoneinfo: 'Europe/London',
      locale: 'en',
      updated_at: expect.any(Number),
      email: 'alice@mail.test',
      email_verified: true,
      phone_number: '+41791234567',
      phone_number_verified: true,
      address: {
        formatted: 'Deanery Garden\nOxford',
        street_address: 'Deanery Garden',
        locality: 'Oxford',
        region: 'Oxfordshire',
        postal_code: 'OX1 1DP',
        country: 'UK',
      },
    });
  });

  it('returns no nulls and no blanks, except that an address is not verified', async () => {
    const person = await world.add.person({ orgId: alice.orgId });
    const tokens = await web1.elsewhere().tokens(person, { scope: 'openid profile email phone address' });
    // Nobody signs in with an unverified address: it became one since.
    const email = `${uniqueName('new')}@mail.test`;
    await world.transaction(async (tx) =>
      world.get(PersonService).changeEmail(tx, await world.get(UserService).get(tx, person.id), email, false, EDITOR),
    );
    expect((await web1.userinfo(tokens.access_token)).json()).toEqual({
      sub: person.id,
      name: 'Given Family',
      given_name: 'Given',
      family_name: 'Family',
      preferred_username: person.loginName,
      updated_at: expect.any(Number),
      email,
      email_verified: false,
    });
  });

  it('takes the token in the header or in a form, by GET and POST (RFC 6750 §2)', async () => {
    for (const sent of [
      { headers: bearer(token) },
      { method: 'POST', headers: bearer(token) },
      { method: 'POST', body: { access_token: token } },
      { method: 'POST', headers: bearer(token), body: {} },
    ]) {
      expect((await send(world.origin, { path: paths.userinfo, ...sent })).json()).toEqual({ sub: alice.id });
    }
  });
});

describe('Without an active token', () => {
  it('it asks for one, without an error code [INT-016]', async () => {
    for (const reply of [
      await ask({}),
      await ask({ Authorization: 'Basic eDp5' }),
      await send(world.origin, { method: 'POST', path: paths.userinfo, body: {} }),
    ]) {
      expect(reply.status).toBe(401);
      expect(reply.header('www-authenticate')).toMatch(/^Bearer /);
      expect(reply.header('www-authenticate')).not.toContain('error=');
    }
  });

  it('it returns invalid_token: random, expired, revoked, of an inactive user [INT-016]', async () => {
    expectDead(await web1.userinfo('x'));
    const revoked = await web1.tokens(alice);
    await web1.revoke(revoked.access_token);
    expectDead(await web1.userinfo(revoked.access_token));
    const person = await world.add.person({ orgId: alice.orgId });
    const tokens = await web1.elsewhere().tokens(person);
    await world.transaction((tx) => world.get(UserService).changeState(tx, person.id, 'inactive', EDITOR));
    expectDead(await web1.userinfo(tokens.access_token));
    const old = await web1.tokens(alice);
    world.clock.advance('12h');
    expectDead(await web1.userinfo(old.access_token));
    token = (await web1.tokens(alice)).access_token;
  });
});

describe('Where a token may stand', () => {
  it('is never in the query, and its content is not logged [INT-017]', async () => {
    expect((await ask({}, `${paths.userinfo}?access_token=${token}`)).status).toBe(401);
    expect(
      (await send(world.origin, { method: 'POST', path: `${paths.userinfo}?access_token=${token}`, body: {} })).status,
    ).toBe(401);
    expect(world.logText()).not.toContain(token);
  });

  it('is one place, and a second token is refused [INT-017]', async () => {
    expect(
      (
        await send(world.origin, {
          method: 'POST',
          path: paths.userinfo,
          headers: bearer(token),
          body: { access_token: token },
        })
      ).status,
    ).toBe(400);
    expect(
      (await send(world.origin, { method: 'POST', path: paths.userinfo, body: { access_token: [token, token] } }))
        .status,
    ).toBe(400);
    const twice = await sendBytes(
      world.origin,
      [
        `GET ${paths.userinfo} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${token}`,
        `Authorization: Bearer ${token}`,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );
    expect(twice).toMatch(/^HTTP\/1\.1 40[01] /);
  });

  it.each<[string, (token: string) => string]>([
    ['nothing', () => 'Bearer'],
    ['a tab', (text) => `Bearer\t${text}`],
    ['two words', () => 'Bearer a b'],
    ['a list', (text) => `Bearer ${text},x`],
    ['quotes', (text) => `Bearer "${text}"`],
    ['a word in front', (text) => `x Bearer ${text}`],
    ['no space', (text) => `Bearer${text}`],
  ])('is not a header of %s [INT-018]', async (_, make) => {
    expect([400, 401]).toContain((await ask({ Authorization: make(token) })).status);
  });

  it.each(['bearer', 'BEARER'])('may be a header with %s [INT-018]', async (scheme) => {
    expect((await ask({ Authorization: `${scheme} ${token}` })).status).toBe(200);
  });
});

describe('The body of a POST', () => {
  it.each<[string, string]>([
    ['application/json', '{}'],
    ['application/json', ''],
    ['text/plain', 'x'],
    ['multipart/form-data; boundary=x', '--x--'],
    [';;', 'x'],
  ])('of another type is ignored: %s %j (RFC 6750 §2.1)', async (type, body) => {
    const headers = { 'Content-Type': type };
    expect(
      (
        await send(world.origin, {
          method: 'POST',
          path: paths.userinfo,
          headers: { ...bearer(token), ...headers },
          body,
        })
      ).json(),
    ).toEqual({ sub: alice.id });
    const reply = await send(world.origin, { method: 'POST', path: paths.userinfo, headers, body });
    expect([reply.status, reply.header('www-authenticate')]).toEqual([
      401,
      'Bearer realm="gatehouse", DPoP realm="gatehouse", algs="RS256 PS256 RS384 RS512 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519"',
    ]);
  });

  it.each<[string, number, Sent]>([
    ['too large', 413, { path: paths.userinfo, body: { access_token: 'x'.repeat(70_000) } }],
    ['compressed', 400, { path: paths.userinfo, headers: { 'Content-Encoding': 'gzip' }, body: { access_token: 'x' } }],
    ['with a token twice', 400, { path: paths.userinfo, body: { access_token: ['x', 'x'] } }],
    [
      'with a token that is no text',
      400,
      {
        path: paths.userinfo,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'access_token=%ff',
      },
    ],
    [
      "with a token beside the header's",
      400,
      { path: paths.userinfo, headers: { Authorization: 'Bearer x' }, body: { access_token: 'x' } },
    ],
    [
      'too large, at a path in other letters',
      413,
      { path: '/OIDC/v1/userinfo/', body: { access_token: 'x'.repeat(70_000) } },
    ],
  ])('%s is refused with %i and a challenge (RFC 6750 §3)', async (_, status, sent) => {
    const reply = await send(world.origin, { method: 'POST', ...sent });
    expect([reply.status, reply.json()['error']]).toEqual([status, 'invalid_request']);
    expect(reply.header('www-authenticate')).toMatch(
      /^Bearer realm="gatehouse", error="invalid_request", error_description="[^"]+"$/,
    );
  });
});

describe('Other tokens', () => {
  it('without openid get 403 insufficient_scope [INT-019]', async () => {
    const svc1 = await world.cast.svc1;
    const plain = tokensOf(
      await exchangeAssertion(world, await signAssertion(world, svc1.key, svc1.id), { scope: 'profile' }),
    );
    const reply = await ask(bearer(plain.access_token));
    expect([reply.status, reply.json()['error']]).toEqual([403, 'insufficient_scope']);
    expect(reply.header('www-authenticate')).toMatch(/^Bearer .*error="insufficient_scope"/);
  });

  it('of service users say who the service user is [INT-019]', async () => {
    const svc1 = await world.cast.svc1;
    expect((await ask(bearer(tokensOf(await assertAs(world, svc1)).access_token))).json()).toEqual({ sub: svc1.id });
    expect((await ask(bearer(svc1.pat))).json()).toMatchObject({ sub: svc1.id });
  });
});

describe('The name of a user', () => {
  it.each(XSS.filter((text) => !/[\u2028]/.test(text)))('is data, not markup: %s [INT-020]', async (name) => {
    const person = await world.add.person({ orgId: alice.orgId, profile: { firstName: name, lastName: name } });
    const tokens = await web1.elsewhere().tokens(person, { scope: 'openid profile' });
    const reply = await ask({ ...bearer(tokens.access_token), Origin: 'https://evil.test' });
    expect(reply.header('content-type')).toMatch(/^application\/json; charset=utf-8$/i);
    expect(reply.json()['given_name']).toBe(name);
    expect(reply.header('access-control-allow-origin')).toBe('*');
    expect(reply.header('access-control-allow-credentials')).toBeUndefined();
  });

  it('may not hold line separators [INT-020]', async () => {
    await expect(
      world.add.person({ orgId: alice.orgId, profile: { firstName: XSS[6], lastName: 'x' } }),
    ).rejects.toMatchObject({ kind: 'InvalidArgument' });
  });
});
