import { randomBytes, randomInt } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `byteCount` random bytes as base64url without padding; 16 bytes give 128 bits in 22 characters. */
export function randomToken(byteCount = 16): string {
  return randomBytes(byteCount).toString('base64url');
}

/** A secret for a client or service user: 64 characters of a-z A-Z 0-9, over 380 bits. */
export function randomClientSecret(): string {
  return randomAlphanumeric(64);
}

export function randomAlphanumeric(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERIC.charAt(randomInt(ALPHANUMERIC.length));
  return text;
}
