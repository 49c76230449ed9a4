import { createHmac, hash, type KeyObject } from 'node:crypto';
import { equalDigests } from '../foundation/crypto/digest.js';
import { smallRandomBytes } from '../foundation/crypto/random.js';

const RANDOM_BYTES = 16;
const TAG_BYTES = 16;

/**
 * The id of a browser whose cookie has this first value. It needs no row, and says nothing about the value. The row
 * that the first session adds has the same id, and keeps it when the value changes.
 */
export function browserIdOf(cookieValue: string): string {
  return hash('sha256', `browser ${cookieValue}`, 'base64url');
}

/** A value for a browser without a row: 128 random bits, and a MAC by which it is known without one. */
export function firstCookieValue(key: KeyObject): string {
  const random = smallRandomBytes(RANDOM_BYTES);
  return Buffer.concat([random, tagOf(random, key)]).toString('base64url');
}

/** Whether this is such a value, made with one of the keys: neither invented, nor one whose row is gone. */
export function isFirstCookieValue(cookieValue: string, keys: ReadonlyArray<{ readonly key: KeyObject }>): boolean {
  const bytes = Buffer.from(cookieValue, 'base64url');
  const [random, tag] = [bytes.subarray(0, RANDOM_BYTES), bytes.subarray(RANDOM_BYTES)];
  return keys.some(({ key }) => equalDigests(tag, tagOf(random, key)));
}

function tagOf(random: Buffer, key: KeyObject): Buffer {
  return createHmac('sha256', key).update('first value').update(random).digest().subarray(0, TAG_BYTES);
}
