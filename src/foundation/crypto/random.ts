import { randomFillSync, randomInt } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Letters and digits without those that people confuse: O and 0, I and 1. */
const CODE = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Fills a pool for many small values; each byte is handed out once and then overwritten. */
const POOL_BYTES = 4096;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Cryptographically secure random bytes, at most 1,024 at a time. */
export function smallRandomBytes(byteCount: number): Buffer {
  if (used + byteCount > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + byteCount));
  pool.fill(0, used, used + byteCount);
  used += byteCount;
  return bytes;
}

/** `byteCount` random bytes as base64url without padding; 16 bytes give 128 bits in 22 characters. */
export function randomToken(byteCount = 16): string {
  return smallRandomBytes(byteCount).toString('base64url');
}

export const CLIENT_SECRET_CHARACTERS = 64;

/** A secret for a client or service user, of a-z A-Z 0-9: over 380 bits. */
export function randomClientSecret(): string {
  return randomAlphanumeric(CLIENT_SECRET_CHARACTERS);
}

/** A code to be typed: upper-case letters and digits, 5 bits each. */
export function randomCode(length: number): string {
  return Array.from({ length }, () => CODE.charAt(randomInt(CODE.length))).join('');
}

export function randomAlphanumeric(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length));
  return text;
}
