import { exportJWK, generateKeyPair, importJWK, type CryptoKey, type JWK } from 'jose';
import type { SigningAlgorithm } from '../instance/instance.entity.js';

const RSA_BITS = 2048;

/** A new key pair as JWKs; the public half carries `kid`, `alg` and `use` as it is published. */
export async function makeKeyPair(keyId: string, algorithm: SigningAlgorithm): Promise<{ publicKey: JWK; privateKey: JWK }> {
  const pair = await generateKeyPair(algorithm, { extractable: true, modulusLength: RSA_BITS });
  return {
    publicKey: { ...(await exportJWK(pair.publicKey)), kid: keyId, alg: algorithm, use: 'sig' },
    privateKey: await exportJWK(pair.privateKey),
  };
}

export async function importKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new TypeError('A symmetric key cannot be a signing key.');
  return key;
}
