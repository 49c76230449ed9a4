import { hash as digestOf } from 'node:crypto';

/*
 * The password hashes of Unix and PHP that no package worth depending on computes: SHA-crypt (Drepper, "Unix crypt using
 * SHA-256 and SHA-512"), md5-crypt (FreeBSD, and Apache's variant) and phpass (its portable hashes). All of them repeat a short
 * hash in a loop that holds its thread from the first to the last round, so `HashThread` runs them in a thread of its own.
 * That loads this file by itself, compiled or not, so it imports nothing of ours.
 */

export const SHA_CRYPT = /^\$([56])\$(?:rounds=([1-9]\d{3,8})\$)?([!-#%-9;-~]{0,16})\$([./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})$/;
export const MD5_CRYPT = /^\$(1|apr1)\$([!-#%-9;-~]{0,8})\$([./0-9A-Za-z]{22})$/;
export const PHPASS = /^\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22})$/;

/** What no `rounds=` means. */
export const SHA_CRYPT_ROUNDS = 5_000;
/** Its own base64: other signs in another order, the lowest bits first. */
const SIGNS = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** As phpass writes it, in one sign: a binary logarithm. */
export function phpassLogRounds(sign: string): number {
  return SIGNS.indexOf(sign);
}

/** The hash with the cost and salt of `encoded`, in its form. @throws TypeError for a form that none of the three expressions describes */
export function cryptLike(encoded: string, password: string): string {
  const key = Buffer.from(password);
  const sha = SHA_CRYPT.exec(encoded);
  if (sha) return shaCrypt(encoded, key, sha);
  const md5 = MD5_CRYPT.exec(encoded);
  if (md5) return md5Crypt(key, md5[1]!, md5[2]!);
  const phpass = PHPASS.exec(encoded);
  if (phpass) return phpassHash(encoded.slice(0, 12), key, phpassLogRounds(phpass[1]!), phpass[2]!);
  throw new TypeError('not a hash of these forms');
}

const md5 = (data: Buffer): Buffer => digestOf('md5', data, 'buffer');

/** As many bytes as asked for, of a block that is repeated. */
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

/** Step 22: three bytes at a time, whose places move on by one and change about. */
function shaText(bytes: Buffer, [first, second, third]: readonly [number, number, number], lastFirst: boolean): string {
  let [a, b, c] = [first, second, third];
  let text = '';
  for (let group = 0; group < Math.floor(bytes.length / 3); group += 1) {
    text += signsOf((bytes[a]! << 16) | (bytes[b]! << 8) | bytes[c]!, 4);
    [a, b, c] = lastFirst ? [c + 1, a + 1, b + 1] : [b + 1, c + 1, a + 1];
  }
  return text + (lastFirst ? signsOf((bytes[31]! << 8) | bytes[30]!, 3) : signsOf(bytes[63]!, 2));
}

/** md5-crypt, as FreeBSD's libcrypt does it; `magic` is all that Apache changed. */
function md5Crypt(key: Buffer, magic: string, saltText: string): string {
  const salt = Buffer.from(saltText);
  const bits: Buffer[] = [];
  for (let length = key.length; length > 0; length >>= 1) bits.push(length & 1 ? Buffer.alloc(1) : key.subarray(0, 1));
  let state = md5(Buffer.concat([key, Buffer.from(`$${magic}$`), salt, stretch(md5(Buffer.concat([key, salt, key])), key.length), ...bits]));
  for (let round = 0; round < 1_000; round += 1) {
    const isOdd = (round & 1) === 1;
    state = md5(Buffer.concat([isOdd ? key : state, ...(round % 3 === 0 ? [] : [salt]), ...(round % 7 === 0 ? [] : [key]), isOdd ? state : key]));
  }
  const groups = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]] as const;
  const text = groups.map(([a, b, c]) => signsOf((state[a]! << 16) | (state[b]! << 8) | state[c]!, 4)).join('');
  return `$${magic}$${saltText}$${text}${signsOf(state[11]!, 2)}`;
}

/** The portable hashes of phpass: `$P$`, which phpBB calls `$H$`. */
function phpassHash(begin: string, key: Buffer, logRounds: number, salt: string): string {
  let state = md5(Buffer.concat([Buffer.from(salt), key]));
  for (let round = 0; round < 2 ** logRounds; round += 1) state = md5(Buffer.concat([state, key]));
  let text = '';
  for (let at = 0; at < 15; at += 3) text += signsOf(state[at]! | (state[at + 1]! << 8) | (state[at + 2]! << 16), 4);
  return `${begin}${text}${signsOf(state[15]!, 2)}`;
}

function signsOf(bits: number, count: number): string {
  let text = '';
  for (let n = 0; n < count; n += 1) text += SIGNS.charAt((bits >> (6 * n)) & 63);
  return text;
}
