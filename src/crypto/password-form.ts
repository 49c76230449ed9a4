import { verify as verifyArgon2 } from '@node-rs/argon2';
import { verify as verifyBcrypt } from '@node-rs/bcrypt';
import { pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { MD5_CRYPT, PHPASS, phpassLogRounds, SHA_CRYPT, SHA_CRYPT_ROUNDS, verifyCrypt } from './crypt-hash.js';
import type { EncodedPassword } from './password-hash.js';

/** A form of password hashes that people bring from elsewhere. */
interface PasswordForm {
  readonly name: string;
  /** How such a hash begins. */
  readonly prefix: RegExp;
  /** What is wrong with one, or undefined. */
  readonly problemOf: (encoded: string) => string | undefined;
  /** Of a hash with which nothing is wrong. */
  readonly verify: (encoded: string, password: string) => Promise<boolean>;
  /** About how long that takes a core, of a hash with which nothing is wrong. */
  readonly millisecondsOf: (encoded: string) => number;
}

const MAX_CHARACTERS = 500;
/** Whoever chose such costs would pay for every sign-in with a second and more of ours, and so would everybody who waits. */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;
const MAX_LANES = 16;
const MAX_BCRYPT_COST = 14;
const MAX_ITERATIONS = 2_000_000;
const MAX_SHA_ROUNDS = 1_000_000;
const MAX_PHPASS_LOG_ROUNDS = 19;
/** Beside the limits of each form: whatever the parameters multiply to. */
const MAX_MILLISECONDS = 3_000;
/** A person has up to 32 recovery codes, and a typed one is compared with all of them. */
const MAX_CODE_MILLISECONDS = 100;

/** Every form that is accepted; another one is another entry. */
export const PASSWORD_FORMS: readonly PasswordForm[] = [
  { name: 'argon2id', prefix: /^\$argon2id\$/, problemOf: argon2Problem, verify: verifyArgon2, millisecondsOf: argon2Milliseconds },
  { name: 'argon2i', prefix: /^\$argon2i\$/, problemOf: argon2Problem, verify: verifyArgon2, millisecondsOf: argon2Milliseconds },
  {
    name: 'bcrypt', prefix: /^\$2[aby]\$/, problemOf: bcryptProblem, verify: async (encoded, password) => verifyBcrypt(password, encoded),
    millisecondsOf: (encoded) => 2 ** Number(encoded.slice(4, 6)) / 20,
  },
  { name: 'scrypt', prefix: /^\$scrypt\$/, problemOf: scryptProblem, verify: verifyScrypt, millisecondsOf: scryptMilliseconds },
  {
    name: 'pbkdf2', prefix: /^\$pbkdf2(?:-sha1|-sha256|-sha512)?\$/, problemOf: pbkdf2Problem, verify: verifyPbkdf2,
    millisecondsOf: (encoded) => Number(PBKDF2.exec(encoded)?.[2]) / 1_500,
  },
  { name: 'sha-crypt', prefix: /^\$[56]\$/, problemOf: shaCryptProblem, verify: verifyCrypt, millisecondsOf: (encoded) => shaCryptRounds(encoded) / 400 },
  {
    name: 'md5-crypt', prefix: /^\$(?:1|apr1)\$/, verify: verifyCrypt, millisecondsOf: () => 2,
    problemOf: (encoded) => (MD5_CRYPT.test(encoded) ? undefined : 'must be $1$<up to 8 characters of salt>$<22 of hash>, or the same with apr1'),
  },
  { name: 'phpass', prefix: /^\$[PH]\$/, problemOf: phpassProblem, verify: verifyCrypt, millisecondsOf: (encoded) => 2 ** phpassLogRounds(encoded.charAt(3)) / 500 },
];

/** What is wrong with a hash that somebody brings, or undefined: then it is an `EncodedPassword`. */
export function importedHashProblem(encoded: string): string | undefined {
  const form = formOf(encoded);
  if (!form) return `must be a hash in the PHC or modular crypt form of ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}`;
  if (encoded.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  return form.problemOf(encoded) ?? (form.millisecondsOf(encoded) <= MAX_MILLISECONDS ? undefined : `must not take longer than ${MAX_MILLISECONDS / 1_000} s to check`);
}

/** The same for the hash of a recovery code, which must cost less. */
export function importedCodeProblem(encoded: string): string | undefined {
  const problem = importedHashProblem(encoded);
  if (problem !== undefined) return problem;
  return formOf(encoded)!.millisecondsOf(encoded) <= MAX_CODE_MILLISECONDS ? undefined : `must not take longer than ${MAX_CODE_MILLISECONDS} ms to check: a person has many codes`;
}

export function isImportedHash(encoded: string): encoded is EncodedPassword {
  return importedHashProblem(encoded) === undefined;
}

/** Whether the password is the one of the hash; false for a hash of no form that is known. */
export async function verifyEncoded(encoded: string, password: string): Promise<boolean> {
  return (await formOf(encoded)?.verify(encoded, password)) ?? false;
}

function formOf(encoded: string): PasswordForm | undefined {
  return PASSWORD_FORMS.find(({ prefix }) => prefix.test(encoded));
}

const ARGON2 = /^\$argon2id?\$v=(?:19|16)\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/** `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, both in base64 without padding (RFC 9106 §3.1: version 1.3 is 19). */
function argon2Problem(encoded: string): string | undefined {
  const match = ARGON2.exec(encoded);
  if (!match) return 'must be $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>';
  const [memory, passes, lanes] = match.slice(1, 4).map(Number) as [number, number, number];
  if (memory > MAX_MEMORY_KIB || passes > MAX_PASSES || lanes > MAX_LANES) {
    return `must not cost more than m=${MAX_MEMORY_KIB},t=${MAX_PASSES},p=${MAX_LANES}`;
  }
  return passes >= 1 && lanes >= 1 && memory >= 8 * lanes ? undefined : 'must have t=1, p=1 and m=8p at least';
}

function argon2Milliseconds(encoded: string): number {
  const [, memory, passes] = ARGON2.exec(encoded)!;
  return (Number(memory) * Number(passes)) / 1_600;
}

/** `$2b$12$`, 22 characters of salt and 31 of hash in an alphabet of its own. */
function bcryptProblem(encoded: string): string | undefined {
  const match = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(encoded);
  if (!match) return 'must be $2b$<cost>$<22 characters of salt><31 of hash>';
  const cost = Number(match[1]);
  return cost >= 4 && cost <= MAX_BCRYPT_COST ? undefined : `must have a cost of 04 to ${MAX_BCRYPT_COST}`;
}

const SCRYPT = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{4,170})\$([A-Za-z0-9+/]{22,170})$/;

/** `$scrypt$ln=16,r=8,p=1$<salt>$<hash>`, both in base64 without padding; ln is the binary logarithm of N (RFC 7914 §2). */
function scryptProblem(encoded: string): string | undefined {
  const match = SCRYPT.exec(encoded);
  if (!match) return 'must be $scrypt$ln=<log2 of N>,r=<block size>,p=<lanes>$<salt>$<hash>';
  const [ln, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  if (ln < 1 || r < 1 || p < 1) return 'must have ln=1, r=1 and p=1 at least';
  const memoryKib = (128 * 2 ** ln * r) / 1_024;
  return memoryKib <= MAX_MEMORY_KIB && p <= MAX_LANES ? undefined : `must not need more than ${MAX_MEMORY_KIB} KiB (128 * N * r) and p=${MAX_LANES}`;
}

function scryptMilliseconds(encoded: string): number {
  const [, ln, r, p] = SCRYPT.exec(encoded)!;
  return (2 ** Number(ln) * Number(r) * Number(p)) / 2_500;
}

async function verifyScrypt(encoded: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt, hash] = SCRYPT.exec(encoded)!;
  const wanted = Buffer.from(hash!, 'base64');
  const maxmem = 2 * MAX_MEMORY_KIB * 1_024; // beside the blocks it needs some more
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(salt!, 'base64'), wanted.length, { N: 2 ** Number(ln), r: Number(r), p: Number(p), maxmem }, (error, found) => {
      if (error) reject(error);
      else resolve(timingSafeEqual(found, wanted));
    });
  });
}

const PBKDF2 = /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]{4,172})={0,2}\$([A-Za-z0-9+/.]{22,172})={0,2}$/;
/** The length of a block. */
const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 };

/** `$pbkdf2-sha256$<iterations>$<salt>$<hash>`, in base64 without padding; a dot may stand for a plus. Without a name it is SHA-1. */
function pbkdf2Problem(encoded: string): string | undefined {
  const iterations = PBKDF2.exec(encoded)?.[2];
  if (iterations === undefined) return 'must be $pbkdf2-sha256$<iterations>$<salt>$<hash>, or the same with sha1 or sha512';
  return Number(iterations) >= 1 && Number(iterations) <= MAX_ITERATIONS ? undefined : `must have 1 to ${MAX_ITERATIONS} iterations`;
}

/**
 * RFC 8018 §5.2: each block of the output is computed by itself, at the full cost. The first one tells a wrong password; the
 * others, where a hash is longer than its digest, would only cost as much again.
 */
async function verifyPbkdf2(encoded: string, password: string): Promise<boolean> {
  const [, digest = 'sha1', iterations, salt, hash] = PBKDF2.exec(encoded)!;
  const [saltBytes, wanted] = [salt!, hash!].map((text) => Buffer.from(text.replaceAll('.', '+'), 'base64')) as [Buffer, Buffer];
  const first = wanted.subarray(0, DIGEST_BYTES[digest]);
  return timingSafeEqual(await promisify(pbkdf2)(password, saltBytes, Number(iterations), first.length, digest), first);
}

/** `$6$rounds=5000$<salt>$<hash>` (SHA-512), `$5$` (SHA-256). */
function shaCryptProblem(encoded: string): string | undefined {
  const match = SHA_CRYPT.exec(encoded);
  if (!match || (match[1] === '5') !== (match[4]!.length === 43)) return 'must be $5$ or $6$, rounds=<rounds>$ if there is another number than 5000, <up to 16 characters of salt>$<43 or 86 of hash>';
  return shaCryptRounds(encoded) <= MAX_SHA_ROUNDS ? undefined : `must have 1000 to ${MAX_SHA_ROUNDS} rounds`;
}

function shaCryptRounds(encoded: string): number {
  return Number(SHA_CRYPT.exec(encoded)?.[2] ?? SHA_CRYPT_ROUNDS);
}

/** `$P$B<8 characters of salt><22 of hash>`; the sign before the salt is the binary logarithm of the rounds. */
function phpassProblem(encoded: string): string | undefined {
  const match = PHPASS.exec(encoded);
  if (!match) return 'must be $P$ or $H$, <a sign for the rounds><8 characters of salt><22 of hash>';
  const logRounds = phpassLogRounds(match[1]!);
  return logRounds >= 7 && logRounds <= MAX_PHPASS_LOG_ROUNDS ? undefined : `must have 2^7 to 2^${MAX_PHPASS_LOG_ROUNDS} rounds`;
}
