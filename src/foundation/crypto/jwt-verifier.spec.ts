import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { JwtRefused, readJwt, verifyJwt } from './jwt-verifier.js';

const EXPECTED = { maxCharacters: 4_000, types: ['jwt', 'id_token+jwt'] };
const NOW = new Date('2026-01-02T03:04:05Z');
const seconds = NOW.getTime() / 1000;
const CLAIMS = { iss: 'https://issuer.test', sub: 'alice', aud: 'us', iat: seconds, exp: seconds + 300 };
const CHECKS = {
  issuer: 'https://issuer.test',
  audience: ['us', 'our other name'],
  requiredClaims: ['iss', 'sub', 'aud', 'exp', 'iat'],
  currentDate: NOW,
};

interface Signer {
  readonly alg: string;
  readonly jwk: JWK;
  readonly sign: (claims: object, header?: Partial<JWTHeaderParameters>) => Promise<string>;
}

async function signer(alg: string): Promise<Signer> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return {
    alg,
    jwk: await exportJWK(publicKey),
    sign: (claims, header = {}) =>
      new SignJWT(claims as Record<string, unknown>).setProtectedHeader({ alg, ...header }).sign(privateKey),
  };
}

/** The reason of the refusal, or `accepted`. */
async function verdict(text: string, key: JWK | undefined): Promise<string> {
  try {
    await verifyJwt(readJwt(text, EXPECTED), key, CHECKS);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof JwtRefused)) throw error;
    return error.reason;
  }
}

const encoded = (part: object | string): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const claims = encoded(CLAIMS);

let rsa: Signer;
let elliptic: Signer;

beforeAll(async () => {
  [rsa, elliptic] = await Promise.all([signer('RS256'), signer('ES256')]);
});

describe('A JWT that somebody else has signed', () => {
  it.each(['RS256', 'PS256', 'RS384', 'RS512', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'is accepted with %s',
    async (alg) => {
      const { sign, jwk } = await signer(alg);
      const jwt = readJwt(await sign(CLAIMS, { kid: 'k1', typ: 'JWT' }), EXPECTED);
      expect(jwt.signedBy).toEqual({ alg, kid: 'k1' });
      expect(await verifyJwt(jwt, jwk, CHECKS)).toEqual(CLAIMS);
    },
  );

  it.each(['JWT', 'jwt', 'application/jwt', 'ID_TOKEN+JWT', 'application/id_token+jwt'])(
    'may be of the type %s',
    async (typ) => {
      expect(await verdict(await elliptic.sign(CLAIMS, { typ }), elliptic.jwk)).toBe('accepted');
    },
  );

  it.each(['at+jwt', 'logout+jwt', 'application/dpop+jwt', 'jwt ', 'text/jwt', ''])(
    'is refused if it is of the type %j, and so proves something else',
    async (typ) => {
      expect(await verdict(await elliptic.sign(CLAIMS, { typ }), elliptic.jwk)).toBe('typ_wrong');
    },
  );

  it('is refused without a signature, whatever the algorithm is called [TOK-025]', async () => {
    for (const alg of ['none', 'None', 'NONE', '', undefined, 0, null, ['RS256']])
      expect([alg, await verdict(`${encoded({ alg })}.${claims}.`, rsa.jwk)]).toEqual([alg, 'alg_wrong']);
    const [header, payload] = (await rsa.sign(CLAIMS)).split('.');
    expect(await verdict(`${header}.${payload}.`, rsa.jwk)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  it('is refused if the public key was used as the secret of an HMAC [TOK-026]', async () => {
    const { publicKey } = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    for (const secret of [await exportSPKI(publicKey), JSON.stringify(jwk)]) {
      const head = `${encoded({ alg: 'HS256' })}.${claims}`;
      const mac = createHmac('sha256', secret).update(head).digest('base64url');
      expect(await verdict(`${head}.${mac}`, jwk)).toBe('alg_wrong');
    }
  });

  it('is refused with an algorithm of another kind of key, and with a key of somebody else', async () => {
    expect(await verdict(await rsa.sign(CLAIMS), elliptic.jwk)).toBe('alg_wrong');
    expect(await verdict(await elliptic.sign(CLAIMS), rsa.jwk)).toBe('alg_wrong');
    const { jwk } = await signer('RS256');
    expect(await verdict(await rsa.sign(CLAIMS), jwk)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
    expect(await verdict(await rsa.sign(CLAIMS), undefined)).toBe('key_unknown');
  });

  it('is not verified with a key that it brings itself, or whose address it names [TOK-028]', async () => {
    const thief = await signer('ES256');
    for (const header of [{ jwk: thief.jwk }, { jku: 'https://thief.test/keys' }, { x5u: 'https://thief.test/c' }])
      expect(await verdict(await thief.sign(CLAIMS, header), elliptic.jwk)).toBe(
        'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
      );
  });

  it('is refused if a single letter of it was changed', async () => {
    const [header, payload, signature] = (await rsa.sign(CLAIMS)).split('.') as [string, string, string];
    const other = encoded({ ...CLAIMS, sub: 'mallory' });
    for (const text of [
      `${header}.${other}.${signature}`,
      `${encoded({ alg: 'RS512' })}.${payload}.${signature}`,
      `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    ])
      expect(await verdict(text, rsa.jwk)).toBe('ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  it.each<[string, string | object]>([
    ['kid_malformed', { alg: 'RS256', kid: 7 }],
    ['kid_malformed', { alg: 'RS256', kid: 'k'.repeat(201) }],
    ['header_critical', { alg: 'RS256', crit: ['exp'], exp: 1 }],
    ['header_ambiguous', '{"alg":"RS256","alg":"none"}'],
    ['header_unreadable', '["RS256"]'],
  ])('is refused as %s with the header %j [TOK-027, TOK-029]', async (reason, header) => {
    expect(await verdict(`${encoded(header)}.${claims}.AAAA`, rsa.jwk)).toBe(reason);
  });

  it('is refused unread if it is too long', async () => {
    expect(await verdict(await rsa.sign({ ...CLAIMS, more: 'x'.repeat(4_000) }), rsa.jwk)).toBe('too_long');
  });
});

describe('Its claims', () => {
  it.each<[string, object]>([
    ['ERR_JWT_CLAIM_VALIDATION_FAILED iss', { iss: 'https://issuer.test/' }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED aud', { aud: 'them' }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED aud', { aud: [] }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED sub', { sub: undefined }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED exp', { exp: undefined }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED iat', { iat: undefined }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED exp', { exp: String(seconds + 300) }],
    ['ERR_JWT_CLAIM_VALIDATION_FAILED nbf', { nbf: seconds + 61 }],
    ['ERR_JWT_EXPIRED exp', { exp: seconds - 61 }],
  ])('are refused as %s with %j', async (reason, over) => {
    expect(await verdict(await elliptic.sign({ ...CLAIMS, ...over }), elliptic.jwk)).toBe(reason);
  });

  it.each<[string, object]>([
    ['the other audience', { aud: 'our other name' }],
    ['one audience of several', { aud: ['them', 'us'] }],
    ['a clock that is a minute late', { exp: seconds - 59 }],
    ['a clock that is a minute early', { nbf: seconds + 60 }],
  ])('are accepted with %s', async (_what, over) => {
    expect(await verdict(await elliptic.sign({ ...CLAIMS, ...over }), elliptic.jwk)).toBe('accepted');
  });
});
