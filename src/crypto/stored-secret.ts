import { isImportedHash } from './password-form.js';
import type { EncodedPassword } from './password-hash.js';

/*
 * How the secret of an application or a service user is stored, in one column of bytes. Secrets that the service makes are
 * long and random, so their SHA-256 is enough. A short one from elsewhere could be guessed from that within hours, so it
 * is kept as the text of a slow hash, in one of the forms of passwords. The two cannot be confused: a SHA-256 reads as such
 * a text with a probability of about 2^-80.
 */

const DIGEST_BYTES = 32;

/** The slow hash, where the secret is stored as one; undefined for a SHA-256. */
export function slowHashIn(stored: Buffer): EncodedPassword | undefined {
  const text = stored.toString('latin1');
  return text.startsWith('$') && isImportedHash(text) ? text : undefined;
}

/** As documents write it: a SHA-256 in base64, or the text of the slow hash, which base64 can never be. */
export function storedSecretText(stored: Buffer): string {
  return slowHashIn(stored) ?? stored.toString('base64');
}

/** The same read; undefined for what is neither. Whether a slow hash is one that is taken, `HashLimits` says. */
export function parseStoredSecret(text: string): Buffer | undefined {
  if (text.startsWith('$')) return Buffer.from(text, 'latin1');
  const digest = /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
  return digest?.length === DIGEST_BYTES ? digest : undefined;
}
