import { KeyObject } from 'node:crypto';
import { readCertificate } from './certificate.js';
import type { SigningKey } from './signing-key.js';

/** NIST SP 800-57: of use beyond 2030. Partners keep certificates for years. */
const MODULUS_BITS = 3072;
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: MODULUS_BITS,
};
const P256 = { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' };

export interface NewCertificate {
  /** The name of the host, for people who look at it. */
  readonly commonName: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * A key with a certificate that it has signed itself: partners trust the one that our metadata carries. RSA unless
 * asked otherwise, since not all of them verify ECDSA.
 */
export async function newSigningKey(certificate: NewCertificate, kind: 'rsa' | 'ec' = 'rsa'): Promise<SigningKey> {
  const algorithm = kind === 'rsa' ? RSA : P256;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  return {
    privateKey: KeyObject.from(keys.privateKey),
    certificate: readCertificate(await selfSigned(keys, algorithm, certificate)),
  };
}

/** In base64. */
async function selfSigned(
  keys: CryptoKeyPair,
  signingAlgorithm: typeof RSA | typeof P256,
  { commonName, notBefore, notAfter }: NewCertificate,
): Promise<string> {
  // Loading it takes 0.4 s, and a service makes a certificate once in years. It needs the metadata API beforehand.
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore,
    notAfter,
    keys,
    signingAlgorithm,
  });
  return Buffer.from(certificate.rawData).toString('base64');
}
