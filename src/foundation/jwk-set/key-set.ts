import type { JWK } from 'jose';
import { publicKeyProblem } from '../crypto/public-key.js';
import type { JsonObject } from '../outbound/outbound-client.js';

/** More keys than any provider publishes; each one is examined. */
const MAX_KEYS = 100;

export interface KeySet {
  /** Keys that can verify tokens. */
  readonly usable: readonly JWK[];
  /** The number of other keys: for encryption, of an unknown type, too weak, too long, or not public. */
  readonly ignored: number;
}

/** The keys that a server publishes (RFC 7517 §5: unknown ones are ignored); undefined if it is not a key set. */
export function readKeySet(document: JsonObject, maxKeys = MAX_KEYS): KeySet | undefined {
  const { keys } = document;
  if (!Array.isArray(keys) || keys.length > maxKeys) return undefined;
  const usable = keys.filter(isSigningKey);
  return { usable, ignored: keys.length - usable.length };
}

function isSigningKey(value: unknown): value is JWK {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { use, key_ops: operations } = value as JWK;
  if (use !== undefined && use !== 'sig') return false;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return false;
  return publicKeyProblem(value) === undefined;
}
