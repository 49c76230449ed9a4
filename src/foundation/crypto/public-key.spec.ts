import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JWK } from 'jose';
import { publicKeyProblem } from './public-key.js';

const jwkOf = (key: KeyObject): JWK => key.export({ format: 'jwk' });
const rsa = (modulusLength: number): JWK => jwkOf(generateKeyPairSync('rsa', { modulusLength }).publicKey);
const ec = (namedCurve: string): JWK => jwkOf(generateKeyPairSync('ec', { namedCurve }).publicKey);

describe('A public key for assertions', () => {
  it.each<[string, () => JWK]>([
    ['RSA of 2048 bits', () => rsa(2048)],
    ['P-256', () => ec('P-256')],
    ['P-384', () => ec('P-384')],
    ['P-521', () => ec('P-521')],
    ['Ed25519', () => jwkOf(generateKeyPairSync('ed25519').publicKey)],
  ])('may be %s', (_, make) => {
    expect(publicKeyProblem(make())).toBeUndefined();
  });

  it.each<[string, () => JWK]>([
    ['RSA of 512 bits', () => rsa(512)],
    ['RSA of 1024 bits', () => rsa(1024)],
    ['RSA with the exponent 1', () => ({ ...rsa(2048), e: 'AQ' })],
    ['RSA with the exponent 3', () => ({ ...rsa(2048), e: 'Aw' })],
    ['secp256k1', () => ec('secp256k1')],
    ['P-192', () => ({ kty: 'EC', crv: 'P-192', x: 'AAAA', y: 'AAAA' })],
    ['a point beside the curve', () => ({ ...ec('P-256'), y: ec('P-256').y! })],
    ['Ed448', () => jwkOf(generateKeyPairSync('ed448').publicKey)],
    ['X25519', () => jwkOf(generateKeyPairSync('x25519').publicKey)],
    ['a private RSA key', () => jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey)],
    ['a private EC key', () => jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['a symmetric key', () => ({ kty: 'oct', k: 'c2VjcmV0' })],
    ['no key', () => ({})],
    ['no key type', () => ({ ...rsa(2048), kty: 'x' })],
  ])('may not be %s', (_, make) => {
    expect(publicKeyProblem(make())).toEqual(expect.any(String));
  });
});
