import { createHmac, generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Prover } from '../../../test/support/proof.js';
import { SIGNATURE_ALGORITHMS } from '../../foundation/crypto/verification-key.js';
import { type ProvenRequest, readProof } from './dpop-proof.js';
import { ProofRefused } from './proof-refused.js';

const NOW = 1_800_000_000;
const ISSUER = 'https://id.example.com';
const PATH = '/oauth/v2/token';
const REQUEST: ProvenRequest = { method: 'POST', urls: [ISSUER + PATH], accessToken: undefined };

let prover: Prover;
beforeAll(async () => {
  prover = await Prover.make({ issuer: ISSUER, now: () => NOW });
});

/** The flaw, or `none`. */
function flawOf(headers: readonly string[], request: ProvenRequest = REQUEST, now = NOW): string {
  try {
    return readProof(headers, request, now) ? 'none' : 'absent';
  } catch (error) {
    if (error instanceof ProofRefused) return error.flaw;
    throw error;
  }
}

describe('A proof of a key (RFC 9449 §4.3)', () => {
  it('names the key by its thumbprint (RFC 7638), whatever else the jwk says', async () => {
    const jwk = { ...prover.publicJwk, kid: 'mine', use: 'sig', ext: true };
    const proof = readProof([await prover.proof('POST', PATH, { header: { jwk } })], REQUEST, NOW);
    expect([proof?.thumbprint, proof?.algorithm]).toEqual([prover.thumbprint, 'ES256']);
    expect(flawOf([])).toBe('absent');
  });

  it.each(SIGNATURE_ALGORITHMS)('may be signed with %s', async (algorithm) => {
    const other = await Prover.make({ issuer: ISSUER, now: () => NOW }, algorithm);
    const proof = readProof([await other.proof('POST', PATH)], REQUEST, NOW);
    expect([proof?.thumbprint, proof?.algorithm]).toEqual([other.thumbprint, algorithm]);
  });

  it('is sent once [DPO-002]', async () => {
    const [one, two] = [await prover.proof('POST', PATH), await prover.proof('POST', PATH)];
    expect([flawOf([one]), flawOf([one, two]), flawOf([`${one}, ${two}`]), flawOf([`${one},`])]).toEqual([
      'none',
      'repeated',
      'repeated',
      'repeated',
    ]);
  });

  it.each<[string, object, string]>([
    ['without typ', { header: { typ: undefined } }, 'typ'],
    ['with the typ of another JWT', { header: { typ: 'JWT' } }, 'typ'],
    ['without jwk', { header: { jwk: undefined } }, 'jwk'],
    ['with a jwk that is text', { header: { jwk: 'key' } }, 'jwk'],
    ['with a jwk of another type', { header: { jwk: { kty: 'oct', k: 'c2VjcmV0' } } }, 'jwk'],
    ['with a jwk without coordinates', { header: { jwk: { kty: 'EC', crv: 'P-256' } } }, 'jwk'],
    ['without jti', { claims: { jti: undefined } }, 'jti'],
    ['with an empty jti', { claims: { jti: '' } }, 'jti'],
    ['with a jti of 129 characters', { claims: { jti: 'j'.repeat(129) } }, 'jti'],
    ['with a jti that is a number', { claims: { jti: 1 } }, 'jti'],
    ['without htm', { claims: { htm: undefined } }, 'htm'],
    ['for another method', { claims: { htm: 'GET' } }, 'htm'],
    ['with the method in lower case', { claims: { htm: 'post' } }, 'htm'],
    ['without htu', { claims: { htu: undefined } }, 'htu'],
    ['with an htu that is a path', { claims: { htu: PATH } }, 'htu'],
    ['without iat', { claims: { iat: undefined } }, 'iat'],
    ['with an iat that is text', { claims: { iat: String(NOW) } }, 'iat'],
  ])('is refused %s [DPO-003]', async (_, changes, flaw) => {
    expect(flawOf([await prover.proof('POST', PATH, changes)])).toBe(flaw);
  });

  it.each<[string, () => object, string]>([
    ['none', () => ({ alg: 'none' }), 'alg'],
    ['an algorithm of another type of key', () => ({ alg: 'RS256' }), 'alg'],
    ['no algorithm', () => ({ alg: undefined }), 'alg'],
    ['HS256 with the public key as secret', () => ({ alg: 'HS256' }), 'alg'],
    [
      'a private key',
      () => ({ jwk: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) }),
      'jwk',
    ],
    [
      'a key on another curve',
      () => ({ jwk: generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' }) }),
      'alg',
    ],
  ])('is refused with %s [DPO-003]', (_, header, flaw) => {
    const members = { typ: 'dpop+jwt', alg: 'ES256', jwk: prover.publicJwk, ...header() };
    const claims = { jti: 'a', htm: 'POST', htu: ISSUER + PATH, iat: NOW };
    const input = [members, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const mac = createHmac('sha256', JSON.stringify(prover.publicJwk)).update(input).digest('base64url');
    expect(flawOf([`${input}.${mac}`])).toBe(flaw);
  });

  it.each<[string, string]>([
    ['with a query', `${ISSUER}${PATH}?a=b`],
    ['with a fragment', `${ISSUER}${PATH}#a`],
    ['with the host in capitals', `https://ID.EXAMPLE.com${PATH}`],
    ['with the default port', `https://id.example.com:443${PATH}`],
    ['with an unneeded escape', `${ISSUER}/oauth/v2/%74oken`],
  ])('may name its URL %s [DPO-004]', async (_, htu) => {
    expect(flawOf([await prover.proof('POST', PATH, { claims: { htu } })])).toBe('none');
  });

  it.each<[string, string]>([
    ['of another endpoint', `${ISSUER}/oauth/v2/revoke`],
    ['without encryption', `http://id.example.com${PATH}`],
    ['of another port', `https://id.example.com:8443${PATH}`],
    ['of another host', `https://id.example.com.evil.test${PATH}`],
    ['with a user', `https://me@id.example.com${PATH}`],
    ['with a slash at its end', `${ISSUER}${PATH}/`],
    ['with capitals in the path', `${ISSUER}/OAuth/v2/token`],
    ['with an escaped slash', `${ISSUER}/oauth%2fv2/token`],
    ['that is empty', ''],
  ])('is refused with a URL %s [DPO-004]', async (_, htu) => {
    expect(flawOf([await prover.proof('POST', PATH, { claims: { htu } })])).toBe('htu');
  });

  it('is refused for a request whose path only looks like the one in the proof [DPO-004]', async () => {
    const proof = await prover.proof('POST', '/a%2Fb');
    expect([`${ISSUER}/a%2fb?x=1`, `${ISSUER}/a/b`].map((url) => flawOf([proof], { ...REQUEST, urls: [url] }))).toEqual(
      ['none', 'htu'],
    );
  });

  it('is valid for a minute before and after its time [DPO-005]', async () => {
    const proof = await prover.proof('POST', PATH);
    const flaws = [-3_600, -61, -60, -10, 0, 10, 60, 61, 3_600].map((after) => flawOf([proof], REQUEST, NOW + after));
    expect(flaws).toEqual(['iat', 'iat', 'none', 'none', 'none', 'none', 'none', 'iat', 'iat']);
  });

  it('names the access token with which it is sent [DPO-003, DPO-008]', async () => {
    const request = { ...REQUEST, accessToken: 'token' };
    const { DPoP: proof } = await prover.forResource('token', PATH, 'POST');
    const { DPoP: other } = await prover.forResource('another', PATH, 'POST');
    expect([proof, other, await prover.proof('POST', PATH)].map((text) => flawOf([text as string], request))).toEqual([
      'none',
      'ath',
      'ath',
    ]);
  });

  it('may have claims that we do not know, and an expiry', async () => {
    const claims = { exp: NOW - 1, nbf: NOW + 1, iss: 'client', foreign: { a: 1 } };
    expect(flawOf([await prover.proof('POST', PATH, { claims })])).toBe('none');
  });

  it.each(['', 'a.b.c', 'a', `${'a'.repeat(9_000)}.b.c`])('is refused if it is no JWT at all', (text) => {
    expect(flawOf([text])).toBe('malformed');
  });
});
