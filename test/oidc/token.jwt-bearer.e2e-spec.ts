import { generateKeyPairSync, KeyObject, sign as signWith } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, exportJWK, type JWK } from 'jose';
import { OrgService } from '../../src/org/org.service.js';
import { HousekeepingService } from '../../src/process/housekeeping/housekeeping.service.js';
import { MachineKeys } from '../../src/user/machine-keys.js';
import { UserService } from '../../src/user/user.service.js';
import { type AssertionChanges, assertAs, exchangeAssertion, signAssertion } from '../support/assertion.js';
import { EDITOR, makeKey, type TestService } from '../support/builders.js';
import { cpuMsOf } from '../support/effort.js';
import { send } from '../support/http.js';
import { bearer, paths, tokensOf } from '../support/relying-party.js';
import { expectToken400 } from '../support/verdict.js';
import { startWorld, type World } from '../support/world.js';
import { craft, encode, expectRefused, headerOf, payloadOf } from './crafted-assertion.js';

let world: World;
let replica: World;
let svc1: TestService;
let svc2: TestService;

beforeAll(async () => {
  world = await startWorld();
  replica = await startWorld({ replicaOf: world });
  svc1 = await world.cast.svc1;
  svc2 = await world.cast.svc2;
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

async function expectRefusedClaims(changes: AssertionChanges): Promise<void> {
  expectToken400(await assertAs(world, svc1, changes), 'invalid_grant');
}

describe('POST /oauth/v2/token, urn:ietf:params:oauth:grant-type:jwt-bearer (RFC 7523 §2.1)', () => {
  it('gives a service user tokens of its own', async () => {
    const tokens = tokensOf(await assertAs(world, svc1));
    expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'id_token', 'scope', 'token_type']);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ iss: world.issuer, sub: svc1.id, aud: svc1.id });
    const userinfo = await send(world.origin, { path: paths.userinfo, headers: bearer(tokens.access_token) });
    expect(userinfo.json()).toEqual({ sub: svc1.id });
  });

  it('gives no id_token without openid, and never a refresh token', async () => {
    const reply = await exchangeAssertion(world, await signAssertion(world, svc1.key, svc1.id), {
      scope: 'profile offline_access',
    });
    expect(Object.keys(reply.json()).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
    expect(reply.json()['scope']).toBe('profile');
  });

  it.each(['RS256', 'RS512', 'PS256', 'PS384', 'ES256', 'ES384', 'ES512', 'EdDSA'])('verifies %s', async (alg) => {
    const service = await world.add.service({ orgId: (await world.cast.orgA).id }, alg);
    expect((await assertAs(world, service)).status).toBe(200);
  });

  it.each([undefined, ''])('needs an assertion: %p', async (assertion) => {
    expectToken400(await exchangeAssertion(world, '', { assertion }), 'invalid_request');
  });
});

describe('Times', () => {
  it.each<[string, (now: number) => Record<string, unknown>]>([
    ['no exp [TOK-030]', () => ({ exp: undefined })],
    ['an exp in the past, beyond the tolerance [TOK-030]', (now) => ({ exp: now - 61 })],
    ['an exp two hours ahead [TOK-030]', (now) => ({ exp: now + 7200 })],
    ['an exp in the year 9999 [TOK-030]', () => ({ exp: 253_402_300_799 })],
    ['an iat ten minutes ahead [TOK-032]', (now) => ({ iat: now + 600, exp: now + 900 })],
    ['an iat two hours ago [TOK-032]', (now) => ({ iat: now - 7200 })],
    ['no iat [TOK-032]', () => ({ iat: undefined })],
    ['an nbf ten minutes ahead [TOK-032]', (now) => ({ nbf: now + 600 })],
  ])('refuses %s', async (_, claims) => {
    await expectRefusedClaims({ claims: claims(world.now()) });
  });

  it.each(['exp', 'iat', 'nbf'])('refuses a %s that is not a number [TOK-031]', async (name) => {
    for (const literal of ['"9999999999"', '1e400', 'true', '[1]', 'null', '{}', '"x"', `"${world.now()}"`, 'NaN']) {
      const payload = payloadOf(world, svc1, { [name]: 'LITERAL' }).replace('"LITERAL"', literal);
      await expectRefused(world, craft(svc1, headerOf(svc1), payload));
    }
    if (name !== 'nbf') await expectRefused(world, craft(svc1, headerOf(svc1), payloadOf(world, svc1, { [name]: -1 })));
  });

  it('accepts fractions of seconds [TOK-031]', async () => {
    const now = world.now();
    expect((await assertAs(world, svc1, { claims: { iat: now - 0.5, exp: now + 300.5, nbf: now - 0.5 } })).status).toBe(
      200,
    );
  });
});

describe('aud (RFC 7523 §3)', () => {
  it.each<[string, (issuer: string) => unknown]>([
    ['missing', () => undefined],
    ['null', () => null],
    ['a slash more', (issuer) => `${issuer}/`],
    ['a longer host', (issuer) => `${issuer}.evil.test`],
    ['the host alone', (issuer) => new URL(issuer).host],
    ['another instance', () => 'https://other.test'],
    ['another case', (issuer) => issuer.toUpperCase()],
    ['another endpoint', (issuer) => issuer + paths.userinfo],
    ['an empty list', () => []],
    ['a list of others', () => ['https://other.test']],
    ['a list in a list', (issuer) => [[issuer]]],
    ['an object', (issuer) => ({ 0: issuer })],
    ['a list with a number', (issuer) => [issuer, 5]],
    ['a number', () => 5],
  ])('that is %s is refused [TOK-033, TOK-034]', async (_, aud) => {
    const value = aud(world.issuer);
    await expectRefused(world, craft(svc1, headerOf(svc1), payloadOf(world, svc1, { aud: value })));
  });

  it('is the issuer, the token endpoint, or a list that contains it [TOK-033]', async () => {
    for (const aud of [
      world.issuer,
      world.issuer + paths.token,
      [world.issuer],
      ['https://other.test', world.issuer],
    ]) {
      expect((await assertAs(world, svc1, { claims: { aud } })).status).toBe(200);
    }
  });
});

describe('iss and sub', () => {
  it('are the same service user [TOK-035]', async () => {
    const alice = await world.cast.alice;
    for (const claims of [
      { sub: svc2.id },
      { iss: svc2.id },
      { sub: alice.id },
      { iss: alice.id, sub: alice.id },
      { iss: '0', sub: '0' },
      { sub: undefined },
      { iss: undefined },
      { iss: svc1.userName, sub: svc1.userName },
      { iss: [svc1.id], sub: [svc1.id] },
      { iss: '__proto__', sub: '__proto__' },
      { iss: '', sub: '' },
      { iss: 'a\u0000b', sub: 'a\u0000b' },
    ])
      await expectRefusedClaims({ claims });
  });

  it.each<[string, (payload: string) => string]>([
    ['a member twice', (payload) => payload.replace('{', `{"sub":"${'1'}",`)],
    ['a member twice, once escaped', (payload) => payload.replace('{', '{"s\\u0075b":"1",')],
    ['a byte order mark', (payload) => `\ufeff${payload}`],
    ['NUL in sub', (payload) => payload.replace('"sub":"', '"sub":"\\u0000')],
    ['bytes that are no UTF-8', (payload) => payload.replace('{', '{"x":"\ud800",')],
  ])('are not in a payload with %s [TOK-042]', async (_, alter) => {
    const payload = alter(payloadOf(world, svc1));
    const text = payload.includes('\ud800') ? payload.replace('\ud800', '\u00ff') : payload;
    const bytes = payload.includes('\ud800') ? Buffer.from(text, 'latin1') : Buffer.from(text);
    const input = `${encode(headerOf(svc1))}.${encode(bytes)}`;
    const reply = await exchangeAssertion(
      world,
      `${input}.${encode(signWith('sha256', Buffer.from(input), KeyObject.from(svc1.key.privateKey)))}`,
    );
    expectToken400(reply, 'invalid_grant');
  });
});

describe('An assertion with a jti', () => {
  it('is used once: on one process, on two, and after a restart [TOK-036]', async () => {
    const assertion = await signAssertion(world, svc1.key, svc1.id, { claims: { jti: 'the same' } });
    expect((await exchangeAssertion(world, assertion)).status).toBe(200);
    expectToken400(await exchangeAssertion(world, assertion), 'invalid_grant');
    expectToken400(await exchangeAssertion(replica, assertion), 'invalid_grant');
    const restarted = await startWorld({ replicaOf: world });
    expectToken400(await exchangeAssertion(restarted, assertion), 'invalid_grant');
    await restarted.close();
    // Another assertion with the same jti is no other one; that of another issuer is.
    expectToken400(await assertAs(world, svc1, { claims: { jti: 'the same' } }), 'invalid_grant');
    expect((await assertAs(world, svc2, { claims: { jti: 'the same' } })).status).toBe(200);
  });

  it('is used once although it is sent many times at once [TOK-036]', async () => {
    const assertion = await signAssertion(world, svc1.key, svc1.id);
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) => exchangeAssertion(i % 2 === 0 ? world : replica, assertion)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('without one may be used again until it expires', async () => {
    const assertion = await signAssertion(world, svc1.key, svc1.id, { claims: { jti: undefined } });
    for (let use = 0; use < 2; use += 1) expect((await exchangeAssertion(world, assertion)).status).toBe(200);
  });

  it.each([5, null, ['x'], { a: 1 }])('that is not text is refused: %j', async (jti) => {
    await expectRefusedClaims({ claims: { jti } });
  });

  it('is forgotten when it has expired, and not before [TOK-037]', async () => {
    const count = async (): Promise<number> =>
      Number((await world.rows<{ count: string }>('SELECT count(*) FROM spent_assertion'))[0]!.count);
    const now = world.now();
    for (let i = 0; i < 20; i += 1)
      await assertAs(world, svc1, { claims: { exp: now + 3600, jti: `long ${i}`, iat: now } });
    expect(await count()).toBeGreaterThanOrEqual(20);
    world.clock.advance('59m');
    await world.get(HousekeepingService).run();
    expect(await count()).toBeGreaterThanOrEqual(20);
    world.clock.advance('1h');
    await world.get(HousekeepingService).run();
    expect(await count()).toBe(0);
  });
});

describe('An assertion is refused from', () => {
  const keys = (): MachineKeys => world.get(MachineKeys);

  it.each<[string, (service: TestService) => Promise<unknown>]>([
    [
      'with a deleted key',
      (service) => world.transaction((tx) => keys().remove(tx, service.id, service.key.kid, EDITOR)),
    ],
    [
      'when deactivated',
      (service) => world.transaction((tx) => world.get(UserService).changeState(tx, service.id, 'inactive', EDITOR)),
    ],
    ['when deleted', (service) => world.transaction((tx) => world.get(UserService).remove(tx, service.id, EDITOR))],
  ])('a service user %s [TOK-038]', async (_, change) => {
    const service = await world.add.service({ orgId: (await world.cast.orgA).id });
    expect((await assertAs(world, service)).status).toBe(200);
    await change(service);
    expectToken400(await assertAs(world, service), 'invalid_grant');
  });

  it('a service user whose key has expired [TOK-038]', async () => {
    const key = await makeKey();
    const expiresAt = new Date(world.clock.now().getTime() + 60_000);
    const kid = await world.transaction((tx) => keys().add(tx, svc1.id, key.publicJwk, EDITOR, expiresAt));
    expect((await exchangeAssertion(world, await signAssertion(world, { ...key, kid }, svc1.id))).status).toBe(200);
    world.clock.advance('61s');
    await expectRefused(world, await signAssertion(world, { ...key, kid }, svc1.id));
  });

  it('a service user of a deactivated organization [TOK-038]', async () => {
    const set = (state: 'active' | 'inactive') =>
      world.transaction((tx) => world.get(OrgService).changeState(tx, svc2.orgId, state, EDITOR));
    await set('inactive');
    expectToken400(await assertAs(world, svc2), 'invalid_grant');
    await set('active');
    expect((await assertAs(world, svc2)).status).toBe(200);
  });
});

describe('Registering a key', () => {
  it('refuses weak, private and symmetric ones, and stores nothing [TOK-039]', async () => {
    const before = await world.contents();
    const bad: JWK[] = [
      generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' }),
      { ...svc1.key.publicJwk, e: 'AQ' },
      { kty: 'EC', crv: 'P-192', x: 'AAAA', y: 'AAAA' },
      await exportJWK(KeyObject.from(svc1.key.privateKey)),
      { kty: 'oct', k: 'c2VjcmV0' },
    ];
    for (const key of bad) {
      const registered = world.transaction((tx) => world.get(MachineKeys).add(tx, svc1.id, key, EDITOR));
      await expect(registered).rejects.toMatchObject({ kind: 'InvalidArgument', violations: [{ field: 'publicKey' }] });
    }
    expect(await world.contents()).toBe(before);
  });
});

describe('Size', () => {
  it.each<[string, () => string]>([
    ['60 kB of text', () => 'a'.repeat(60_000)],
    ['dots', () => 'a.'.repeat(30_000)],
    ['a deep payload', () => craft(svc1, headerOf(svc1), `{"x":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)],
    ['a long header', () => craft(svc1, headerOf(svc1, { x: 'x'.repeat(30_000) }), payloadOf(world, svc1))],
  ])('beyond any assertion is refused in 100 ms of processor time: %s [TOK-041]', async (_, make) => {
    const assertion = make();
    expect(await cpuMsOf(() => expectRefused(world, assertion))).toBeLessThan(100);
  });

  it('beyond any form is refused before it is read [TOK-041]', async () => {
    const reply = await exchangeAssertion(world, `${'a.'.repeat(500_000)}`);
    expect([400, 413]).toContain(reply.status);
  });
});
