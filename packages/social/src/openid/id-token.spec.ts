import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { keysIn, unverifiedClaims, verifyIdToken } from './id-token.js';

const NOW = new Date('2026-11-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;
const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';
const ISSUER = 'https://accounts.example';
const EXPECTED = { issuer: ISSUER, audience: 'me', nonce: 'n', now: NOW };

let privateKey: CryptoKey;
let jwk: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256', { extractable: true });
  ({ privateKey } = pair);
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'RS256' };
});

const claims = (over: object = {}): Record<string, unknown> => ({
  iss: ISSUER,
  aud: 'me',
  sub: '1',
  nonce: 'n',
  iat: SECONDS,
  exp: SECONDS + 300,
  ...over,
});
const token = (over: object = {}, header: object = {}): Promise<string> =>
  new SignJWT(claims(over)).setProtectedHeader({ alg: 'RS256', kid: 'k', ...header }).sign(privateKey);
const verify = async (text: string, keys: readonly object[] = [jwk], expected = EXPECTED) =>
  verifyIdToken(text, keys as never, expected);

describe('An ID token (OIDC Core §3.1.3.7)', () => {
  it('says its claims once it is verified, with a minute for clocks', async () => {
    expect(await verify(await token())).toEqual(claims());
    const late = { exp: SECONDS - 59, iat: SECONDS + 59 };
    expect(await verify(await token(late, { typ: 'JWT' }))).toMatchObject(late);
    expect(await verify(await token({ aud: ['me', 'other'], azp: 'me' }))).toMatchObject({ azp: 'me' });
  });

  it.each<[string, object, object, string]>([
    ['of another issuer', { iss: 'https://elsewhere.example' }, {}, 'err_jwt_claim_validation_failed'],
    ['for another audience', { aud: 'other' }, {}, 'err_jwt_claim_validation_failed'],
    ['for several, without azp', { aud: ['me', 'other'] }, {}, 'token_azp_missing'],
    ['for another party', { azp: 'other' }, {}, 'token_azp_wrong'],
    ['of another nonce', { nonce: 'm' }, {}, 'token_nonce_wrong'],
    ['without a nonce', { nonce: undefined }, {}, 'token_nonce_wrong'],
    ['that has expired', { exp: SECONDS - 61 }, {}, 'err_jwt_expired'],
    ['that does not expire', { exp: undefined }, {}, 'err_jwt_claim_validation_failed'],
    ['of a time to come', { iat: SECONDS + 61 }, {}, 'token_iat_ahead'],
    ['that is an access token', {}, { typ: 'at+jwt' }, 'token_type_wrong'],
  ])('is refused %s', async (_, over, header, reason) => {
    await expect(verify(await token(over, header))).rejects.toThrow(reason);
  });

  it('is refused unsigned, with a shared secret, changed, or as something else (RFC 8725 §3.1)', async () => {
    const unsigned = new UnsecuredJWT(claims()).encode();
    const shared = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const [head, , signature] = (await token()).split('.');
    const changed = `${head}.${Buffer.from(JSON.stringify(claims({ sub: '2' }))).toString('base64url')}.${signature}`;
    for (const text of [unsigned, shared, changed, 'x', '']) await expect(verify(text)).rejects.toThrow(/^err_/);
  });

  it('is no verdict if its key is not there, which may be new', async () => {
    expect(await verify(await token(), [{ ...jwk, kid: 'other' }])).toBeUndefined();
    expect(await verify(await token(), [])).toBeUndefined();
    expect(await verify(await token({}, { kid: 'new' }))).toBeUndefined();
  });

  it('is not verified by a key that Entra has for the tokens of another tenant', async () => {
    const issuer = `https://login.example/${TENANT}/v2.0`;
    const text = await token({ iss: issuer });
    const by = (of: unknown) => verify(text, [{ ...jwk, issuer: of }], { ...EXPECTED, issuer });
    expect(await by(issuer)).toMatchObject({ iss: issuer });
    expect(await by('https://login.example/{tenantid}/v2.0')).toMatchObject({ iss: issuer });
    for (const other of ['https://login.example/another/v2.0', 7]) expect(await by(other)).toBeUndefined();
  });

  it('is read before it is verified only as far as it is one', async () => {
    expect(unverifiedClaims(await token({ tid: TENANT }))).toMatchObject({ tid: TENANT });
    expect(() => unverifiedClaims('x')).toThrow('token_malformed');
  });
});

describe('A key set (RFC 7517 §5)', () => {
  it('is a list of objects', () => {
    expect(keysIn({ keys: [{ kty: 'RSA' }, null, 'x'] })).toEqual([{ kty: 'RSA' }]);
    expect(() => keysIn({})).toThrow('has no keys');
  });
});
