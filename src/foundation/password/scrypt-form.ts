import { bytesOf, logarithmOf, numberOf } from './crypt-hash.js';
import type { HashWork } from './hash-thread.js';
import { type HashUnits, MAX_LANES, MAX_MEMORY_KIB, memoryFactor } from './hash-units.js';

interface Scrypt {
  /** The binary logarithm of N (RFC 7914 §2). */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Salt and hash in base64 without padding. */
const SCRYPT =
  /^\$(?:scrypt|7)\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{4,170})\$([A-Za-z0-9+/]{22,170})$/;
/** The encoding of crypt(3): one character for ln, five each for r and p, and a salt that is used literally. */
const CRYPT_SCRYPT =
  /^\$7\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([!-#%-9;-~]{0,64})\$([./0-9A-Za-z]{43})$/;

function parseScrypt(encoded: string): Scrypt | undefined {
  const [, ln, r, p, salt, hash] = SCRYPT.exec(encoded) ?? [];
  if (hash !== undefined) {
    return {
      ln: Number(ln),
      r: Number(r),
      p: Number(p),
      salt: Buffer.from(salt!, 'base64'),
      hash: Buffer.from(hash, 'base64'),
    };
  }
  const match = CRYPT_SCRYPT.exec(encoded);
  return match
    ? {
        ln: logarithmOf(match[1]!),
        r: numberOf(match[2]!),
        p: numberOf(match[3]!),
        salt: Buffer.from(match[4]!),
        hash: bytesOf(match[5]!),
      }
    : undefined;
}

/** `$scrypt$ln=16,r=8,p=1$<salt>$<hash>`, also with the prefix `$7$`, or `$7$CU..../....<salt>$<hash>`. */
export function scryptProblem(encoded: string): string | undefined {
  const scrypt = parseScrypt(encoded);
  if (!scrypt)
    return 'must be $scrypt$ln=<log2 of N>,r=<block size>,p=<lanes>$<salt>$<hash>, or $7$ in the form of crypt(3)';
  return scrypt.ln >= 1 && scrypt.r >= 1 && scrypt.p >= 1 ? undefined : 'must have ln=1, r=1 and p=1 at least';
}

export function scryptExcess(encoded: string): string | undefined {
  const { ln, r, p } = parseScrypt(encoded)!;
  const isTaken = scryptMemoryKib(ln, r) <= MAX_MEMORY_KIB && p <= MAX_LANES;
  return isTaken ? undefined : `must not need more than ${MAX_MEMORY_KIB} KiB (128 * N * r) and p=${MAX_LANES}`;
}

function scryptMemoryKib(ln: number, r: number): number {
  return (128 * 2 ** ln * r) / 1_024;
}

export function scryptUnits(encoded: string): HashUnits {
  const { ln, r, p } = parseScrypt(encoded)!;
  return { primitive: 'scrypt', units: 2 ** ln * r * p * memoryFactor('scrypt', scryptMemoryKib(ln, r)) };
}

export function scryptWork(encoded: string): HashWork {
  const { ln, r, p, salt, hash } = parseScrypt(encoded)!;
  return { algorithm: 'scrypt', N: 2 ** ln, r, p, salt: salt.toString('base64'), wanted: hash.toString('base64') };
}
