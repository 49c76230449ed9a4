import { createHmac, type KeyObject } from 'node:crypto';
import type { PurposeKey } from './master-key.js';

type Parts = ReadonlyArray<string | null>;

/** HMAC-SHA-256 of the parts as a JSON list, so that parts of other lengths never make the same text (RFC 2104). */
export function macOf(key: KeyObject, parts: Parts): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

/**
 * The stored form of a short code: it can be compared, but not guessed without the master key. `v1.{id of the
 * key}.{MAC}`.
 */
export function keyedHash({ id, key }: PurposeKey, parts: Parts): string {
  return `v1.${id}.${macOf(key, parts).toString('base64url')}`;
}
