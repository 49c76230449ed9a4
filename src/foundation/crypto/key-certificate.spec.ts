import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import { base64Of, CERTIFICATES, withUnreadableKey } from '../../../test/support/certificates.js';
import { certificateProblem } from './key-certificate.js';

const x5c = [base64Of(CERTIFICATES.selfA)];
const chain = [...x5c, base64Of(CERTIFICATES.first)];
const { publicKey, raw } = new X509Certificate(CERTIFICATES.selfA);
const key = publicKey.export({ format: 'jwk' }) as JWK;
const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) as JWK;
const digest = (algorithm: string, of = raw): string => createHash(algorithm).update(of).digest('base64url');

describe('The certificates of a key (RFC 7517 §4.7 to §4.9)', () => {
  it.each<[string, object]>([
    ['none', {}],
    ['digests of a certificate that is elsewhere', { x5t: digest('sha1', Buffer.of(1)) }],
    ['its own', { x5c }],
    ['its own, and those that signed it', { x5c: chain }],
    ['its own, and its digests', { x5c, x5t: digest('sha1'), 'x5t#S256': digest('sha256') }],
  ])('may be %s', (_, members) => {
    expect(certificateProblem({ ...key, ...members })).toBeUndefined();
  });

  it('must be of that key, in the first place [MTL-005]', () => {
    const problem = 'must be the key in the first certificate of x5c';
    expect(certificateProblem({ ...another, x5c })).toBe(problem);
    expect(certificateProblem({ ...key, x5c: chain.toReversed() })).toBe(problem);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' }) as JWK;
    expect(certificateProblem({ ...rsa, x5c })).toBe(problem);
    expect(certificateProblem({ ...key, x5c: [withUnreadableKey(CERTIFICATES.selfA)] })).toBe(problem);
  });

  it.each<[string, object]>([
    ['another digest', { x5t: digest('sha1', Buffer.of(1)) }],
    ['another SHA-256', { 'x5t#S256': digest('sha256', Buffer.of(1)) }],
    ['a SHA-256 in hexadecimal', { 'x5t#S256': createHash('sha256').update(raw).digest('hex') }],
    ['a digest that is no text', { x5t: 1 }],
  ])('must be the one of the digests beside it: not %s [MTL-005]', (_, members) => {
    expect(certificateProblem({ ...key, x5c, ...members })).toMatch(/^must have the digest/);
  });

  it.each<[string, unknown]>([
    ['no list', x5c[0]],
    ['empty', []],
    ['null', null],
    ['too many', Array(11).fill(x5c[0])],
    ['numbers', [1]],
    ['no certificate', ['MIIB']],
    ['followed by no certificate', [...x5c, 'MIIB']],
    ['in base64url', [x5c[0]!.replaceAll('+', '-').replaceAll('/', '_')]],
    ['in lines', [`${x5c[0]!.slice(0, 64)}\n${x5c[0]!.slice(64)}`]],
    ['two in one', [Buffer.concat([raw, raw]).toString('base64')]],
    ['PEM', [CERTIFICATES.selfA]],
  ])('must be certificates in base64: not %s [MTL-005]', (_, value) => {
    expect(certificateProblem({ ...key, x5c: value } as JWK)).toMatch(/x5c$/);
  });
});
