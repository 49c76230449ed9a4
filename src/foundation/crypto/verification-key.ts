import { type CryptoKey, importJWK, type JWK } from 'jose';

/**
 * The algorithms for each type of key; the key decides, not the header (RFC 8725 §3.1). Never `none`, nor a symmetric
 * one, for which a public key would be a secret.
 */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RS256', 'PS256', 'RS384', 'RS512', 'PS384', 'PS512'],
  'EC P-256': ['ES256'],
  'EC P-384': ['ES384'],
  'EC P-521': ['ES512'],
  // RFC 9864: the second is the new name of what the first means with these keys.
  'OKP Ed25519': ['EdDSA', 'Ed25519'],
};

/**
 * The algorithms by which others may sign: identity providers their tokens, clients their assertions, requests and
 * proofs of keys. They are listed in the discovery document.
 */
export const SIGNATURE_ALGORITHMS: readonly string[] = Object.values(ALGORITHMS).flat();

export function algorithmsOf(jwk: JWK): readonly string[] {
  return ALGORITHMS[jwk.kty === 'RSA' ? 'RSA' : `${jwk.kty} ${jwk.crv}`] ?? [];
}

/** Importing a key costs as much as using it, so the result is kept with keys that are cached. */
const imported = new WeakMap<JWK, Map<string, Promise<CryptoKey | Uint8Array>>>();

export function importOnce(jwk: JWK, algorithm: string): Promise<CryptoKey | Uint8Array> {
  const keys = imported.get(jwk) ?? new Map<string, Promise<CryptoKey | Uint8Array>>();
  imported.set(jwk, keys);
  const key = keys.get(algorithm) ?? importJWK(jwk, algorithm);
  keys.set(algorithm, key);
  return key;
}
