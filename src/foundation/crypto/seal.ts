import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { smallRandomBytes } from './random.js';

const SALT_BYTES = 12;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The number of bytes besides the ciphertext. */
export const SEAL_OVERHEAD_BYTES = SALT_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * AES-256-GCM with a 24-byte nonce: half of it derives a key for this one message (the construction of C2SP
 * XAES-256-GCM, with HMAC-SHA-256 as the key derivation). A random 96-bit nonce alone must not be used more than 2^32
 * times with one key (NIST SP 800-38D §8.3), which a busy token endpoint reaches within days.
 * Layout: salt (12), nonce (12), ciphertext, tag (16).
 */
export function seal(key: KeyObject, plaintext: Buffer, associatedData: string): Buffer {
  return sealWith(key, smallRandomBytes(SALT_BYTES + NONCE_BYTES), plaintext, associatedData);
}

/**
 * Like `seal`, but deterministic: the nonce is a MAC of the plaintext (as in SIV modes). For values that must come out
 * equal when they are requested again.
 */
export function sealDeterministically(key: KeyObject, plaintext: Buffer, associatedData: string): Buffer {
  const nonce = createHmac('sha256', key).update(`nonce\0${associatedData}\0`).update(plaintext).digest();
  return sealWith(key, nonce.subarray(0, SALT_BYTES + NONCE_BYTES), plaintext, associatedData);
}

/** The plaintext, or undefined if the envelope is invalid. */
export function open(key: KeyObject, envelope: Buffer, associatedData: string): Buffer | undefined {
  if (envelope.length < SEAL_OVERHEAD_BYTES) return undefined;
  const salt = envelope.subarray(0, SALT_BYTES);
  const nonce = envelope.subarray(SALT_BYTES, SALT_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', messageKey(key, salt), nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associatedData));
  decipher.setAuthTag(envelope.subarray(envelope.length - TAG_BYTES));
  const body = decipher.update(envelope.subarray(SALT_BYTES + NONCE_BYTES, envelope.length - TAG_BYTES));
  try {
    return Buffer.concat([body, decipher.final()]);
  } catch {
    return undefined; // The tag does not match: not sealed by us, not for this purpose, or altered.
  }
}

function sealWith(key: KeyObject, saltAndNonce: Buffer, plaintext: Buffer, associatedData: string): Buffer {
  const cipher = createCipheriv(
    'aes-256-gcm',
    messageKey(key, saltAndNonce.subarray(0, SALT_BYTES)),
    saltAndNonce.subarray(SALT_BYTES),
    { authTagLength: TAG_BYTES },
  );
  cipher.setAAD(Buffer.from(associatedData));
  return Buffer.concat([saltAndNonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** A KeyObject: keys given as bytes are converted at every use, which takes longer than the encryption itself. */
function messageKey(key: KeyObject, salt: Buffer): KeyObject {
  return createSecretKey(createHmac('sha256', key).update('message key').update(salt).digest());
}
