import type { JWK } from 'jose';
import { isReadableKey, publicKeyProblem } from '../../foundation/crypto/public-key.js';

/**
 * Ed25519, ES256 and RS256 (RFC 9053 §2, RFC 8812 §2), in the order in which we like them. Given to the browser and to
 * the check: a browser is not to be trusted with the list.
 */
export const COSE_ALGORITHMS = [-8, -7, -257] as const;
type Algorithm = (typeof COSE_ALGORITHMS)[number];

/** An RSA key of 8192 bits, the longest that is accepted, takes half of it. */
export const MAX_COSE_KEY_BYTES = 2_048;

/** The parameters of a COSE_Key (RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4). Some share a number, by the type of key. */
const LABEL = { kty: 1, alg: 3, crv: -1, x: -2, y: -3, n: -1, e: -2 } as const;

type Value = number | Buffer;

/** What the keys of each algorithm are, as a JSON Web Key; undefined for those of another type or curve. */
const TO_JWK: Readonly<Record<Algorithm, (key: ReadonlyMap<number, Value>) => JWK | undefined>> = {
  [-8]: (key) => (isOf(key, { kty: 1, crv: 6 }) ? { kty: 'OKP', crv: 'Ed25519', x: bytesIn(key, LABEL.x) } : undefined),
  [-7]: (key) =>
    isOf(key, { kty: 2, crv: 1 })
      ? { kty: 'EC', crv: 'P-256', x: bytesIn(key, LABEL.x), y: bytesIn(key, LABEL.y) }
      : undefined,
  [-257]: (key) =>
    isOf(key, { kty: 3 }) ? { kty: 'RSA', n: bytesIn(key, LABEL.n), e: bytesIn(key, LABEL.e) } : undefined,
};

/**
 * What is wrong with a COSE_Key that is to be stored, or undefined. Nothing looks at a key again before its first
 * signature, so a weak one must not get that far.
 */
export function coseKeyProblem(bytes: Buffer): string | undefined {
  if (bytes.length > MAX_COSE_KEY_BYTES) return `must have at most ${MAX_COSE_KEY_BYTES} bytes`;
  const key = readMap(bytes);
  if (!key) return 'must be a COSE key: one CBOR map of numbers to numbers and bytes';
  const alg = COSE_ALGORITHMS.find((known) => known === key.get(LABEL.alg));
  if (alg === undefined) return `must be of one of the algorithms ${COSE_ALGORITHMS.join(', ')}`;
  const jwk = TO_JWK[alg](key);
  if (!jwk) return 'must be of its algorithm';
  return isReadableKey(jwk) ? publicKeyProblem(jwk) : 'must have the numbers of a valid key';
}

function isOf(key: ReadonlyMap<number, Value>, { kty, crv }: { kty: number; crv?: number }): boolean {
  return key.get(LABEL.kty) === kty && (crv === undefined || key.get(LABEL.crv) === crv);
}

/** In base64url; empty if there are none, which no key may have. */
function bytesIn(key: ReadonlyMap<number, Value>, label: number): string {
  const value = key.get(label);
  return Buffer.isBuffer(value) ? value.toString('base64url') : '';
}

/** The major types of CBOR that a COSE_Key consists of (RFC 8949 §3.1). */
const MAJOR = { unsigned: 0, negative: 1, bytes: 2, map: 5 } as const;
/** Lengths of numbers in the bytes that follow the first, by its lower five bits; smaller values are the number. */
const FOLLOWING: ReadonlyMap<number, number> = new Map([
  [24, 1],
  [25, 2],
  [26, 4],
]);

/**
 * A map of definite length whose keys and values are numbers or bytes, and nothing after it (RFC 8949 §4.2.1).
 * Undefined for anything else: nested values and floating-point numbers occur in no key.
 */
function readMap(bytes: Buffer): ReadonlyMap<number, Value> | undefined {
  let at = 0;
  const head = (): { major: number; count: number } | undefined => {
    const first = bytes[at];
    if (first === undefined) return undefined;
    const short = first & 0x1f;
    const length = short < 24 ? 0 : FOLLOWING.get(short);
    if (length === undefined || at + 1 + length > bytes.length) return undefined;
    const count = length === 0 ? short : bytes.readUIntBE(at + 1, length);
    at += 1 + length;
    return { major: first >> 5, count };
  };
  const value = (): Value | undefined => {
    const { major, count = 0 } = head() ?? {};
    if (major === MAJOR.unsigned) return count;
    if (major === MAJOR.negative) return -1 - count;
    if (major !== MAJOR.bytes || at + count > bytes.length) return undefined;
    at += count;
    return bytes.subarray(at - count, at);
  };
  const begin = head();
  if (begin?.major !== MAJOR.map) return undefined;
  const map = new Map<number, Value>();
  for (let left = begin.count; left > 0; left -= 1) {
    const label = value();
    const content = value();
    if (typeof label !== 'number' || content === undefined || map.has(label)) return undefined;
    map.set(label, content);
  }
  return at === bytes.length ? map : undefined;
}
