import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';

const RSA_BITS = 2048;
const generate = promisify(generateKeyPair);

/** A key pair for a client: the private key as PEM (PKCS #1), which is not stored. */
export interface IssuedKeyPair {
  readonly publicKey: JWK;
  readonly privatePem: string;
}

/** Generated in another thread: finding primes takes a tenth of a second or more. */
export async function issueRsaKeyPair(): Promise<IssuedKeyPair> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: RSA_BITS });
  return {
    publicKey: publicKey.export({ format: 'jwk' }),
    privatePem: privateKey.export({ format: 'pem', type: 'pkcs1' }) as string,
  };
}

/**
 * A public key from PEM, as SubjectPublicKeyInfo or PKCS #1; undefined for anything else. Private keys, which contain
 * the public one, and certificates, which contain more than we check, are refused.
 */
export function readPublicKeyPem(pem: string): JWK | undefined {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----[^-]+-----END (RSA )?PUBLIC KEY-----\s*$/.test(pem)) return undefined;
  try {
    return createPublicKey({ key: pem, format: 'pem' }).export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
