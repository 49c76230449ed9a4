import { type CryptoKey, importJWK, type JWK } from 'jose';

export async function importKey(jwk: JWK, algorithm: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new TypeError('A symmetric key cannot be a signing key.');
  return key;
}
