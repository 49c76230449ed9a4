import type { JWK } from 'jose';
import { certificateProblem } from '../../foundation/crypto/key-certificate.js';
import { publicKeyProblem } from '../../foundation/crypto/public-key.js';
import type { FieldViolation } from '../../foundation/error/domain-error.js';

/** Who an assertion must be addressed to: one of our endpoints or the issuer, or the issuer as a single string. */
export type AssertionAudience = 'any' | 'issuer_only';

/** A JSON Web Key Set (RFC 7517 §5). */
export interface JsonWebKeySet {
  readonly keys: readonly JWK[];
}

/** As many keys as a client needs while it changes them; each one is examined when an assertion has no `kid`. */
export const MAX_KEYS = 20;
const MAX_CHARACTERS = 65_536;

/**
 * What is wrong with the keys of a client (RFC 7591 §2, `jwks`). Verification trusts what is registered (RFC 8725
 * §3.5).
 */
export function keySetViolations(jwks: JsonWebKeySet): FieldViolation[] {
  const refuse = (description: string, field = 'jwks'): FieldViolation[] => [{ field, description }];
  const keys: unknown = jwks.keys;
  if (!Array.isArray(keys)) return refuse('must be a JSON Web Key Set: an object with a list "keys"');
  if (keys.length > MAX_KEYS) return refuse(`must have at most ${MAX_KEYS} keys`);
  if (JSON.stringify(jwks).length > MAX_CHARACTERS) return refuse(`must have at most ${MAX_CHARACTERS} characters`);
  const seen = new Set<unknown>();
  return keys.flatMap((key: unknown, index) => {
    const at = `jwks.keys[${index}]`;
    if (typeof key !== 'object' || key === null || Array.isArray(key)) return refuse('must be a JSON Web Key', at);
    const { kid } = key as JWK;
    if (kid !== undefined && (typeof kid !== 'string' || kid === '')) return refuse('must not be empty', `${at}.kid`);
    if (kid !== undefined && seen.has(kid)) return refuse('must differ from those of the other keys', `${at}.kid`);
    seen.add(kid);
    const problem = publicKeyProblem(key) ?? certificateProblem(key);
    return problem === undefined ? [] : refuse(problem, at);
  });
}
