import { hash as digestOf } from 'node:crypto';

/*
 * Password hashes of Unix and PHP that no dependable package computes: SHA-crypt (Drepper, "Unix crypt using SHA-256
 * and SHA-512"), md5-crypt (FreeBSD, and Apache's variant), phpass (portable hashes), Drupal 7's variant of it, and
 * plain MD5. Most of them repeat a short hash in a loop that blocks its thread to the end, so `HashThread` runs them in
 * a separate thread, which loads this file by itself, compiled or not; therefore it imports nothing of ours.
 */

export const SHA_CRYPT =
  /^\$([56])\$(?:rounds=([1-9]\d{3,8})\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})$/;
export const MD5_CRYPT = /^\$(1|apr1)\$([!-#%-9;-~]{0,8})\$([./0-9A-Za-z]{22})$/;
export const PHPASS = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/;
/** Drupal keeps 43 of the 86 characters of a SHA-512. */
export const DRUPAL7 = /^\$S\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{43})$/;
/** Includes the salt, before or after the password. */
export const MD5_SALTED = /^\$md5salted-(prefix|suffix)\$([!-#%-~]{1,100})\$([A-Za-z0-9+/]{22})(?:==)?$/;
export const MD5_PLAIN = /^[0-9A-Fa-f]{32}$/;

/** The number of rounds without `rounds=`. */
export const SHA_CRYPT_ROUNDS = 5_000;
/** A base64 variant with another alphabet and order, lowest bits first. */
const SIGNS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Reads a binary logarithm from one character, as phpass, Drupal and scrypt encode it. */
export function logarithmOf(sign: string): number {
  return SIGNS.indexOf(sign);
}

/** Decodes a number from so many characters, lowest bits first. */
export function numberOf(signs: string): number {
  return [...signs].reduceRight((number, sign) => number * 64 + SIGNS.indexOf(sign), 0);
}

/** Decodes what `signsOf` has encoded, three bytes at a time. */
export function bytesOf(signs: string): Buffer {
  const bytes = Buffer.alloc(Math.floor((signs.length * 6) / 8));
  for (let at = 0; at * 4 < signs.length; at += 1) {
    const bits = numberOf(signs.slice(at * 4, at * 4 + 4));
    for (let n = 0; n < 3 && at * 3 + n < bytes.length; n += 1) bytes[at * 3 + n] = (bits >> (8 * n)) & 255;
  }
  return bytes;
}

/**
 * The hash with the cost and salt of `encoded`, in its format.
 * @throws TypeError for an unknown format
 */
export function cryptLike(encoded: string, password: string): string {
  const key = Buffer.from(password);
  const sha = SHA_CRYPT.exec(encoded);
  if (sha) return shaCrypt(encoded, key, sha);
  const freeBsd = MD5_CRYPT.exec(encoded);
  if (freeBsd) return md5Crypt(key, freeBsd[1]!, freeBsd[2]!);
  const phpass = PHPASS.exec(encoded);
  if (phpass) return phpassHash(encoded.slice(0, 12), key, 'md5', logarithmOf(phpass[1]!), phpass[2]!);
  const drupal = DRUPAL7.exec(encoded);
  if (drupal)
    return phpassHash(encoded.slice(0, 12), key, 'sha512', logarithmOf(drupal[1]!), drupal[2]!).slice(
      0,
      encoded.length,
    );
  const salted = MD5_SALTED.exec(encoded);
  if (salted) return saltedMd5(encoded, key, salted);
  if (MD5_PLAIN.test(encoded)) return inCaseOf(encoded, md5(key).toString('hex'));
  throw new TypeError('not a hash of these forms');
}

const md5 = (data: Buffer): Buffer => digestOf('md5', data, 'buffer');

/** The requested number of bytes of a repeated block. */
function stretch(block: Buffer, length: number): Buffer {
  return Buffer.alloc(length, block.length === 0 ? 0 : block);
}

/** SHA-crypt, steps 1 to 21. */
function shaCrypt(encoded: string, key: Buffer, [, kind, rounds, saltText, sum]: RegExpExecArray): string {
  const algorithm = kind === '5' ? 'sha256' : 'sha512';
  const sha = (...parts: Buffer[]): Buffer => digestOf(algorithm, Buffer.concat(parts), 'buffer');
  const salt = Buffer.from(saltText!);
  const other = sha(key, salt, key);
  const bits: Buffer[] = [];
  for (let length = key.length; length > 0; length >>= 1) bits.push(length & 1 ? other : key);
  let state = sha(key, salt, stretch(other, key.length), ...bits);
  const keys = stretch(sha(...Array.from({ length: key.length }, () => key)), key.length);
  const salts = stretch(sha(...Array.from({ length: 16 + state[0]! }, () => salt)), salt.length);
  const scratch = Buffer.alloc(2 * (key.length + salt.length) + 2 * state.length);
  const count = rounds === undefined ? SHA_CRYPT_ROUNDS : Number(rounds);
  for (let round = 0; round < count; round += 1) {
    let end = (round & 1 ? keys : state).copy(scratch);
    if (round % 3 !== 0) end += salts.copy(scratch, end);
    if (round % 7 !== 0) end += keys.copy(scratch, end);
    end += (round & 1 ? state : keys).copy(scratch, end);
    state = digestOf(algorithm, scratch.subarray(0, end), 'buffer');
  }
  return `${encoded.slice(0, encoded.length - sum!.length)}${kind === '5' ? shaText(state, [0, 10, 20], true) : shaText(state, [0, 21, 42], false)}`;
}

/** Step 22: three bytes at a time, from positions that rotate. */
function shaText(bytes: Buffer, [first, second, third]: readonly [number, number, number], lastFirst: boolean): string {
  let [a, b, c] = [first, second, third];
  let text = '';
  for (let group = 0; group < Math.floor(bytes.length / 3); group += 1) {
    text += signsOf((bytes[a]! << 16) | (bytes[b]! << 8) | bytes[c]!, 4);
    [a, b, c] = lastFirst ? [c + 1, a + 1, b + 1] : [b + 1, c + 1, a + 1];
  }
  return text + (lastFirst ? signsOf((bytes[31]! << 8) | bytes[30]!, 3) : signsOf(bytes[63]!, 2));
}

/** md5-crypt, as in FreeBSD's libcrypt; Apache changed only `magic`. */
function md5Crypt(key: Buffer, magic: string, saltText: string): string {
  const salt = Buffer.from(saltText);
  const bits: Buffer[] = [];
  for (let length = key.length; length > 0; length >>= 1) bits.push(length & 1 ? Buffer.alloc(1) : key.subarray(0, 1));
  let state = md5(
    Buffer.concat([
      key,
      Buffer.from(`$${magic}$`),
      salt,
      stretch(md5(Buffer.concat([key, salt, key])), key.length),
      ...bits,
    ]),
  );
  for (let round = 0; round < 1_000; round += 1) {
    const isOdd = (round & 1) === 1;
    state = md5(
      Buffer.concat([
        isOdd ? key : state,
        ...(round % 3 === 0 ? [] : [salt]),
        ...(round % 7 === 0 ? [] : [key]),
        isOdd ? state : key,
      ]),
    );
  }
  const groups = [
    [0, 6, 12],
    [1, 7, 13],
    [2, 8, 14],
    [3, 9, 15],
    [4, 10, 5],
  ] as const;
  const text = groups.map(([a, b, c]) => signsOf((state[a]! << 16) | (state[b]! << 8) | state[c]!, 4)).join('');
  return `$${magic}$${saltText}$${text}${signsOf(state[11]!, 2)}`;
}

/** phpass portable hashes: `$P$`, or `$H$` in phpBB; with SHA-512 they are those of Drupal 7. */
function phpassHash(begin: string, key: Buffer, algorithm: 'md5' | 'sha512', logRounds: number, salt: string): string {
  let state = digestOf(algorithm, Buffer.concat([Buffer.from(salt), key]), 'buffer');
  for (let round = 0; round < 2 ** logRounds; round += 1)
    state = digestOf(algorithm, Buffer.concat([state, key]), 'buffer');
  let text = '';
  for (let at = 0; at < state.length; at += 3) {
    const count = Math.min(3, state.length - at);
    text += signsOf(state.readUIntLE(at, count), count + 1);
  }
  return begin + text;
}

function saltedMd5(encoded: string, key: Buffer, [, place, saltText, sum]: RegExpExecArray): string {
  const salt = Buffer.from(saltText!);
  const found = md5(Buffer.concat(place === 'prefix' ? [salt, key] : [key, salt])).toString('base64');
  const begin = encoded.slice(0, encoded.lastIndexOf('$') + 1);
  return begin + found.slice(0, sum!.length) + encoded.slice(begin.length + sum!.length);
}

/** Hexadecimal digits may be in either case, even mixed. */
function inCaseOf(written: string, digits: string): string {
  return [...digits].map((digit, at) => (written[at] === digit.toUpperCase() ? digit.toUpperCase() : digit)).join('');
}

function signsOf(bits: number, count: number): string {
  let text = '';
  for (let n = 0; n < count; n += 1) text += SIGNS.charAt((bits >> (6 * n)) & 63);
  return text;
}
