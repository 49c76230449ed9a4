import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { X509CertificateGenerator } from '@peculiar/x509';
import { reasonOf } from '../refusal.fixture.js';
import { readCertificate, toPem } from './certificate.js';
import { keyOf } from './keys.fixture.js';
import { newSigningKey } from './new-signing-key.js';

const VALID = { notBefore: new Date('2026-11-30T00:00:00Z'), notAfter: new Date('2029-11-30T00:00:00Z') };

/** A certificate for a key that we would not make. */
async function certify(algorithm: RsaHashedKeyGenParams | EcKeyGenParams | Algorithm): Promise<string> {
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const made = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=a',
    ...VALID,
    keys,
    signingAlgorithm: { ...algorithm, hash: 'SHA-256' },
  });
  return Buffer.from(made.rawData).toString('base64');
}

describe('A certificate of a partner', () => {
  it('is read from base64 and from PEM, with blanks anywhere', async () => {
    const { certificate } = await keyOf('partner');
    const lines = certificate.base64.replace(/.{40}/g, '$&\n   ');
    expect(readCertificate(`\n  ${lines}\n`).fingerprint).toBe(certificate.fingerprint);
    expect(readCertificate(toPem(certificate)).base64).toBe(certificate.base64);
    expect(readCertificate(toPem(certificate).replaceAll('\n', '\r\n')).base64).toBe(certificate.base64);
  });

  it.each([
    ['nothing', () => ''],
    ['a text', () => 'certificate'],
    ['base64 of something else', () => Buffer.from('certificate').toString('base64')],
    ['a public key', () => generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })],
  ])('is not %s', (_, text) => {
    expect(reasonOf(() => readCertificate(text().toString()))).toBe('certificate_unusable');
  });

  it('is one and not two', async () => {
    const { certificate } = await keyOf('partner');
    const der = Buffer.from(certificate.base64, 'base64');
    expect(reasonOf(() => readCertificate(Buffer.concat([der, der]).toString('base64')))).toBe('certificate_unusable');
    expect(reasonOf(() => readCertificate(toPem(certificate).repeat(2)))).toBe('certificate_unusable');
    expect(reasonOf(() => readCertificate(der.subarray(0, -1).toString('base64')))).toBe('certificate_unusable');
  });

  it.each<[string, RsaHashedKeyGenParams | EcKeyGenParams | Algorithm]>([
    [
      'RSA of 1024 bits',
      { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 1024 },
    ],
    ['Ed25519', { name: 'Ed25519' }],
  ])('with a key of %s is refused', async (_, algorithm) => {
    const certificate = await certify(algorithm);
    expect(reasonOf(() => readCertificate(certificate))).toBe('certificate_unusable');
  });
});

describe('A certificate of ours', () => {
  it.each(['rsa', 'ec'] as const)('has its own key, of kind %s, and has signed itself', async (kind) => {
    const { privateKey, certificate } = await newSigningKey({ commonName: 'gatehouse.test', ...VALID }, kind);
    const read = new X509Certificate(toPem(certificate));
    expect(read.checkPrivateKey(privateKey)).toBe(true);
    expect(read.verify(certificate.publicKey)).toBe(true);
    expect([read.subject, certificate.notAfter]).toEqual(['CN=gatehouse.test', VALID.notAfter]);
    expect(privateKey.asymmetricKeyType).toBe(kind);
  });
});
