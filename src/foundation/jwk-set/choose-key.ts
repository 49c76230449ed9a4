import type { JWK } from 'jose';
import type { SignedBy } from '../crypto/jwt-verifier.js';
import { algorithmsOf } from '../crypto/verification-key.js';

/**
 * The key of the header's `kid`, if it is one for `alg`. Without a `kid` there must be exactly one candidate (OIDC Core
 * §10.1).
 */
export function chooseKey(keys: readonly JWK[], { alg, kid }: SignedBy): JWK | undefined {
  // RFC 9864: Ed25519 is also known as EdDSA.
  const fitting = keys.filter(
    (key) => algorithmsOf(key).includes(alg) && (key.alg === undefined || key.alg === alg || key.kty === 'OKP'),
  );
  if (kid !== undefined) return fitting.find((key) => key.kid === kid);
  return fitting.length === 1 ? fitting[0] : undefined;
}
