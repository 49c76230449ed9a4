import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';

const RSA_BITS = 2048;
const generate = promisify(generateKeyPair);

/** A key pair for somebody else to sign with: the private half as PEM (PKCS #1), which is not kept. */
export interface IssuedKeyPair {
  readonly publicKey: JWK;
  readonly privatePem: string;
}

/** Made on a thread of its own: finding primes takes a tenth of a second and more. */
export async function issueRsaKeyPair(): Promise<IssuedKeyPair> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: RSA_BITS });
  return {
    publicKey: publicKey.export({ format: 'jwk' }),
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs1' }) as string,
  };
}

/**
 * A public key in PEM, as SubjectPublicKeyInfo or PKCS #1; undefined for anything else. A private key, which holds the public
 * one too, and a certificate, which says more than we look at, are not taken for one.
 */
export function readPublicKeyPem(pem: string): JWK | undefined {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----[^-]+-----END (RSA )?PUBLIC KEY-----\s*$/.test(pem)) return undefined;
  try {
    return createPublicKey({ key: pem, format: 'pem' }).export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
