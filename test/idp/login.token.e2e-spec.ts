import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportSPKI, importJWK } from 'jose';
import type { TestPerson } from '../support/builders.js';
import { otherSpellings, signTexts } from '../support/jwt-spellings.js';
import { RelyingParty } from '../support/relying-party.js';
import { openSink, type Sink } from '../support/sink.js';
import { CLIENT_ID, CLIENT_SECRET, type Claims, startUpstream, type Upstream } from '../support/upstream.js';
import { startWorld, type World } from '../support/world.js';
import { addOidc, comeBackOnce, leave, link, OUTBOUND, visit } from './external.js';

let world: World;
let upstream: Upstream;
let alice: TestPerson;
let web1: RelyingParty;
let idpId: string;
let sink: Sink;

beforeAll(async () => {
  world = await startWorld({ env: OUTBOUND });
  upstream = await startUpstream(world);
  sink = await openSink();
  alice = await world.cast.alice;
  idpId = await addOidc(world, upstream.issuer);
  await link(world, idpId, alice.id, alice.orgId, 'alice-there');
});
afterAll(async () => {
  await sink.close();
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  world.clock.advance('1m');
  web1 = new RelyingParty(world, await world.cast.web1);
});
afterEach(() => {
  upstream.lies = {};
});

/** A sign-in with this token ends on a page of ours, and no user is signed in. */
async function expectRefused(idToken: (honest: Claims) => Promise<string> | string): Promise<string> {
  upstream.lies = { idToken };
  const before = [await world.rows('SELECT id FROM session'), world.logText().length] as const;
  const rp = web1.elsewhere();
  const reply = await comeBackOnce(rp.browser, upstream.answerTo(await leave(rp, idpId), { sub: 'alice-there' }));
  expect([reply.status, reply.location, reply.headers['set-cookie']]).toEqual([400, undefined, undefined]);
  expect(await world.rows('SELECT id FROM session')).toEqual(before[0]);
  return (
    (
      JSON.parse(
        world
          .logText()
          .slice(before[1])
          .split('\n')
          .find((line) => line.includes('idp.answer_refused')) ?? '{}',
      ) as { detail?: string }
    ).detail ?? ''
  );
}

const ok = async (): Promise<void> => {
  const rp = web1.elsewhere();
  expect(rp.toAnswer(await visit(rp, upstream, idpId, { sub: 'alice-there' })).code).toBeDefined();
};

describe('An id_token [IDP-004]', () => {
  it('that is honest, signs in', ok);

  it.each<[string, Claims | ((now: number) => Claims)]>([
    ['of another issuer', { iss: 'https://evil.test' }],
    ['of the issuer with a slash', () => ({ iss: `${upstream.issuer}/` })],
    ['without an issuer', { iss: undefined }],
    ['for another client', { aud: 'other' }],
    ['without an audience', { aud: undefined }],
    ['for several without saying who asked', { aud: [CLIENT_ID, 'other'] }],
    ['that another client asked for', { aud: [CLIENT_ID, 'other'], azp: 'other' }],
    ['that another client asked for, for us alone', { azp: 'other' }],
    ['without a nonce', { nonce: undefined }],
    ['with another nonce', { nonce: 'other' }],
    ['that is over', (now) => ({ exp: now - 120, iat: now - 600 })],
    ['that ends never', { exp: undefined }],
    ['that ends at no number', { exp: '9999999999' }],
    ['of the future', (now) => ({ iat: now + 600, exp: now + 900 })],
    ['without a time of issue', { iat: undefined }],
    ['that is not valid yet', (now) => ({ nbf: now + 600 })],
    ['without a subject', { sub: undefined }],
    ['about an empty name', { sub: '' }],
    ['about a number', { sub: 7 }],
    ['about a name with NUL', { sub: 'alice-there\u0000' }],
    ['about a name of 256 characters', { sub: 'x'.repeat(256) }],
  ])('is refused when it is one %s', async (_, change) => {
    await expectRefused((honest) =>
      upstream.sign({ ...honest, ...(typeof change === 'function' ? change(world.now()) : change) }),
    );
  });

  it('is refused when its nonce was that of an earlier turn', async () => {
    const nonce = new URL(await leave(web1, idpId)).searchParams.get('nonce');
    await expectRefused((honest) => upstream.sign({ ...honest, nonce }));
  });

  it.each(['at+jwt', 'logout+jwt', 'JWE', ''])('is refused with another type: %j', async (typ) => {
    await expectRefused((honest) => upstream.sign(honest, { typ }));
  });

  it.each(['JWT', 'jwt', undefined])('may have the type %j', async (typ) => {
    upstream.lies = { idToken: (honest) => upstream.sign(honest, { typ }) };
    await ok();
  });

  it('is refused when it is none, or there is none', async () => {
    await expectRefused(() => 'not-a-token');
    await expectRefused(() => '');
    await expectRefused(() => 'a.b.c');
    await expectRefused(() => 'a.b.c.d.e');
  });

  it('may have as many claims as the answer has room for, and the log names too many', async () => {
    const groups = (count: number): string[] =>
      Array.from({ length: count }, (_, i) => `urn:example:department:group-${i}`);
    for (const count of [1_500, 17_000]) {
      upstream.lies = { idToken: (honest) => upstream.sign({ ...honest, groups: groups(count) }) };
      await ok();
    }
    const detail = await expectRefused((honest) => upstream.sign({ ...honest, groups: groups(30_000) }));
    expect(detail).toBe('too_many_claims');
  });
});

describe('The spelling of an id_token', () => {
  it('is one: neither padding nor a member of the header twice (RFC 7515 §2 and §4)', async () => {
    await expectRefused(async (honest) => otherSpellings(await upstream.sign(honest))[0]!);
    const key = upstream.keys[0]!;
    const header = `{"alg":"RS256","kid":"${key.kid}"}`;
    await expectRefused((honest) => signTexts(key, header.replace('{', '{"alg":"RS256",'), JSON.stringify(honest)));
    upstream.lies = { idToken: (honest) => signTexts(key, header, JSON.stringify(honest)) };
    await ok();
  });
});

describe('The signature of an id_token [IDP-005]', () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hmac = (honest: Claims, secret: string | Buffer): string => {
    const signed = `${part({ alg: 'HS256', kid: upstream.keys[0]!.kid })}.${part(honest)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  };

  it('must be one', async () => {
    await expectRefused((honest) => `${part({ alg: 'none' })}.${part(honest)}.`);
    await expectRefused((honest) => `${part({ alg: 'None', kid: upstream.keys[0]!.kid })}.${part(honest)}.AAAA`);
    await expectRefused(async (honest) => `${(await upstream.sign(honest)).split('.').slice(0, 2).join('.')}.`);
  });

  it('is not made with what others know: the client secret, or the public key', async () => {
    expect(await expectRefused((honest) => hmac(honest, CLIENT_SECRET))).not.toBe('');
    const spki = await exportSPKI((await importJWK(upstream.published[0]!, 'RS256')) as CryptoKey);
    await expectRefused((honest) => hmac(honest, spki));
    await expectRefused((honest) => hmac(honest, JSON.stringify(upstream.published[0])));
  });

  it('is that of a published key, regardless of keys and addresses in the header', async () => {
    const other = await startUpstream(world); // for a key of another provider
    const [key] = other.keys;
    const headers: Claims[] = [
      { kid: 'unknown' },
      { kid: key!.kid, jwk: key!.publicJwk },
      { kid: upstream.keys[0]!.kid },
      { kid: undefined },
      { kid: 7 },
      { kid: key!.kid, jku: sink.url },
      { kid: key!.kid, x5u: sink.url },
      { kid: '../../etc/passwd' },
      { kid: 'x'.repeat(10_000) },
    ];
    for (const header of headers) await expectRefused((honest) => upstream.sign(honest, header, key));
    expect(sink.connections).toBe(0);
    await other.close();
  });

  it('covers everything in the token', async () => {
    await expectRefused(async (honest) => {
      const [header, , signature] = (await upstream.sign(honest)).split('.');
      return `${header}.${part({ ...honest, sub: 'bob-there' })}.${signature}`;
    });
    const twice = Buffer.from('{"sub":"alice-there","sub":"bob-there"}').toString('base64url');
    await expectRefused(() => `${part({ alg: 'RS256', kid: upstream.keys[0]!.kid })}.${twice}.AAAA`);
    await expectRefused((honest) => upstream.sign(honest, { crit: ['x'], x: 1 }).catch(() => 'a.b.c'));
  });

  it.each(['PS512', 'ES256', 'EdDSA', 'RS256'])('may be %s', async (alg) => {
    await upstream.rotate(0, alg);
    await ok();
  });

  it('fits the type of the key', async () => {
    const { kid } = upstream.keys[0]!;
    for (const alg of ['ES256', 'ES384', 'EdDSA', 'RSA-OAEP', 'ES256K'])
      await expectRefused((honest) => `${part({ alg, kid })}.${part(honest)}.AAAA`);
  });
});

describe('The keys of a provider', () => {
  it('may change: the first sign-in with a new one works, by one question [IDP-006]', async () => {
    await ok();
    const asked = upstream.count('/keys');
    await upstream.rotate();
    world.clock.advance('1m');
    await ok();
    expect(upstream.count('/keys') - asked).toBe(1);
    await ok();
    expect(upstream.count('/keys') - asked).toBe(1);
  });

  it('may be published before they are used, and after', async () => {
    const old = upstream.keys[0];
    await upstream.rotate(1);
    world.clock.advance('6m');
    await ok();
    upstream.lies = { idToken: (honest) => upstream.sign(honest, {}, old) };
    await ok();
    await upstream.rotate();
    world.clock.advance('6m');
    await expectRefused((honest) => upstream.sign(honest, {}, old));
  });

  it('need no name where there is one alone', async () => {
    upstream.lies = {
      keys: { keys: upstream.published.map(({ kid: _, ...key }) => key) },
      idToken: (honest) => upstream.sign(honest, { kid: undefined }),
    };
    world.clock.advance('6m');
    await ok();
  });

  it('are not asked for by each of 18 tokens with a made-up key [IDP-007]', async () => {
    world.clock.advance('6m');
    await ok();
    const asked = upstream.count('/keys');
    upstream.lies = { idToken: (honest) => upstream.sign(honest, { kid: `made-up-${Math.random()}` }) };
    for (let round = 0; round < 6; round += 1) {
      const parties = await Promise.all(
        Array.from({ length: 3 }, async () => new RelyingParty(world, await world.cast.web1)),
      );
      const replies = await Promise.all(
        parties.map(async (rp) =>
          comeBackOnce(rp.browser, upstream.answerTo(await leave(rp, idpId), { sub: 'alice-there' })),
        ),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([400]));
      world.clock.advance('6s');
    }
    expect(upstream.count('/keys') - asked).toBeLessThanOrEqual(3);
    upstream.lies = {};
    await ok();
  });

  it('are fetched once for many concurrent sign-ins, and so is the metadata of the provider [IDP-024]', async () => {
    world.clock.advance('2h');
    const parties = await Promise.all(
      Array.from({ length: 8 }, async () => new RelyingParty(world, await world.cast.web1)),
    );
    const before = [upstream.count('/.well-known/openid-configuration'), upstream.count('/keys')] as const;
    const answers = await Promise.all(
      parties.map(async (rp) => ({ rp, answer: upstream.answerTo(await leave(rp, idpId), { sub: 'alice-there' }) })),
    );
    const replies = await Promise.all(answers.map(({ rp, answer }) => comeBackOnce(rp.browser, answer)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([302]));
    expect([
      upstream.count('/.well-known/openid-configuration') - before[0],
      upstream.count('/keys') - before[1],
    ]).toEqual([1, 1]);
  });

  it('that are known count for an hour while their server is unavailable; after that only passwords work [IDP-026]', async () => {
    world.clock.advance('2h');
    await ok();
    const down = (_: unknown, response: { writeHead: (status: number) => { end: () => void } }): void =>
      response.writeHead(503).end();
    upstream.lies = { answer: { '/keys': down, '/.well-known/openid-configuration': down } };
    world.clock.advance('50m');
    const asked = upstream.count('/keys');
    await ok();
    await ok();
    expect(upstream.count('/keys') - asked).toBe(1); // and not by each of them
    world.clock.advance('11m');
    await expect(leave(web1.elsewhere(), idpId)).rejects.toThrow(/answered 502/);
    expect((await web1.elsewhere().signIn(alice)).code).toBeDefined();
  });
});
