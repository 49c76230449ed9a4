import { MD5_CRYPT, PHPASS, phpassLogRounds, SHA_CRYPT, SHA_CRYPT_ROUNDS } from './crypt-hash.js';
import type { Primitive } from './hash-cost.js';
import type { HashWork } from './hash-thread.js';
import type { EncodedPassword } from './password-hash.js';

/** How much of what a check computes: see `hash-cost.ts` for what that costs. */
export interface HashUnits {
  readonly primitive: Primitive;
  readonly units: number;
}

/** A form of password hashes that people bring from elsewhere. */
interface PasswordForm {
  readonly name: string;
  /** How such a hash begins. */
  readonly prefix: RegExp;
  /** What is wrong with one, or undefined. */
  readonly problemOf: (encoded: string) => string | undefined;
  /** Of a hash with which nothing is wrong. */
  readonly workOf: (encoded: string) => HashWork;
  /** Of a hash with which nothing is wrong. */
  readonly unitsOf: (encoded: string) => HashUnits;
  /** What stands behind the setting in a hash that no password has. */
  readonly decoyTail: (setting: string) => string;
}

const MAX_CHARACTERS = 500;
/** Beyond these nothing is taken, however fast the machine or generous its owner; below them time decides (`HashBudget`). */
const MAX_MEMORY_KIB = 262_144;
const MAX_PASSES = 10;
const MAX_LANES = 16;
const MAX_BCRYPT_COST = 16;
const MAX_ITERATIONS = 10_000_000;
const MAX_SHA_ROUNDS = 1_000_000;
const MAX_PHPASS_LOG_ROUNDS = 19;
/** The more memory, the more each KiB of it costs: caches do not help, and pages are touched for the first time. */
const MEMORY_FACTORS = {
  argon2: [[4_096, 1], [32_768, 1.7], [MAX_MEMORY_KIB, 2.4]],
  scrypt: [[32_768, 1.1], [MAX_MEMORY_KIB, 1.6]],
} as const;

const encodedFor = (algorithm: 'argon2' | 'bcrypt' | 'crypt') => (encoded: string): HashWork => ({ algorithm, encoded });
const saltAndHash = (saltCharacters: number, hashCharacters: number) => (): string => `$${'A'.repeat(saltCharacters)}$${'A'.repeat(hashCharacters)}`;

/** Every form that is accepted; another one is another entry. */
export const PASSWORD_FORMS: readonly PasswordForm[] = [
  ...['argon2id', 'argon2i'].map((name): PasswordForm => ({
    name,
    prefix: new RegExp(`^\\$${name}\\$`),
    problemOf: argon2Problem,
    workOf: encodedFor('argon2'),
    unitsOf: argon2Units,
    decoyTail: saltAndHash(22, 43),
  })),
  {
    name: 'bcrypt',
    prefix: /^\$2[aby]\$/,
    problemOf: bcryptProblem,
    workOf: encodedFor('bcrypt'),
    unitsOf: (encoded) => ({ primitive: 'bcrypt', units: 2 ** Number(encoded.slice(4, 6)) }),
    decoyTail: () => `$${'.'.repeat(53)}`,
  },
  {
    name: 'scrypt',
    prefix: /^\$scrypt\$/,
    problemOf: scryptProblem,
    workOf: scryptWork,
    unitsOf: scryptUnits,
    decoyTail: saltAndHash(22, 43),
  },
  {
    name: 'pbkdf2',
    prefix: /^\$pbkdf2(?:-sha1|-sha256|-sha512)?\$/,
    problemOf: pbkdf2Problem,
    workOf: pbkdf2Work,
    unitsOf: pbkdf2Units,
    decoyTail: saltAndHash(22, 27), // 20 bytes, which every digest has
  },
  {
    name: 'sha-crypt',
    prefix: /^\$[56]\$/,
    problemOf: shaCryptProblem,
    workOf: encodedFor('crypt'),
    unitsOf: (encoded) => ({ primitive: 'sha-crypt', units: shaCryptRounds(encoded) }),
    decoyTail: (setting) => `${setting.endsWith('$') ? '' : '$'}${'A'.repeat(16)}$${'A'.repeat(setting.startsWith('$5') ? 43 : 86)}`,
  },
  {
    name: 'md5-crypt',
    prefix: /^\$(?:1|apr1)\$/,
    problemOf: (encoded) => (MD5_CRYPT.test(encoded) ? undefined : 'must be $1$<up to 8 characters of salt>$<22 of hash>, or the same with apr1'),
    workOf: encodedFor('crypt'),
    unitsOf: () => ({ primitive: 'md5', units: 1_000 }),
    decoyTail: saltAndHash(8, 22),
  },
  {
    name: 'phpass',
    prefix: /^\$[PH]\$/,
    problemOf: phpassProblem,
    workOf: encodedFor('crypt'),
    unitsOf: (encoded) => ({ primitive: 'md5', units: 2 ** phpassLogRounds(encoded.charAt(3)) }),
    decoyTail: () => 'A'.repeat(30),
  },
];

/**
 * The setting of a hash: its form and what makes it costly, without salt and hash. An expression that PostgreSQL reads alike.
 * Hashes of one setting cost the same.
 */
export const SETTING = String.raw`^\$(?:argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+|2[aby]\$\d\d|scrypt\$ln=\d+,r=\d+,p=\d+|pbkdf2(?:-sha1|-sha256|-sha512)?\$(?:i=)?\d+|[56]\$(?:rounds=\d+)?|1|apr1|[PH]\$.)`;
const SETTING_OF = new RegExp(SETTING);

/** What is wrong with a hash that somebody brings, or undefined: then it is an `EncodedPassword`. What it costs is not looked at. */
export function importedHashProblem(encoded: string): string | undefined {
  const form = formOf(encoded);
  if (!form) return `must be a hash in the PHC or modular crypt form of ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}`;
  if (encoded.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  return form.problemOf(encoded);
}

export function isImportedHash(encoded: string): encoded is EncodedPassword {
  return importedHashProblem(encoded) === undefined;
}

/** What a check of this hash computes; undefined for one of no form that is known. @throws Error for a broken one of a known form */
export function workOf(encoded: string): HashWork | undefined {
  const form = formOf(encoded);
  if (form && importedHashProblem(encoded) !== undefined) throw new Error(`A stored ${form.name} hash cannot be read.`);
  return form?.workOf(encoded);
}

/** Of a hash with which nothing is wrong. */
export function unitsOf(encoded: EncodedPassword): HashUnits {
  return formOf(encoded)!.unitsOf(encoded);
}

/** As `SETTING` reads it; empty for a hash of no form that is known. */
export function settingOf(encoded: string): string {
  return SETTING_OF.exec(encoded)?.[0] ?? '';
}

/** A hash that no password has, and that costs what those of the setting cost; undefined for a setting of no form. */
export function decoyOf(setting: string): EncodedPassword | undefined {
  const decoy = setting + (formOf(`${setting}$`)?.decoyTail(setting) ?? '');
  return isImportedHash(decoy) ? decoy : undefined;
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

/** Lanes do not count: they are computed one after the other. */
function argon2Units(encoded: string): HashUnits {
  const [, memory, passes] = ARGON2.exec(encoded)!;
  return { primitive: 'argon2', units: Number(memory) * Number(passes) * memoryFactor('argon2', Number(memory)) };
}

function memoryFactor(primitive: keyof typeof MEMORY_FACTORS, kib: number): number {
  return MEMORY_FACTORS[primitive].find(([most]) => kib <= most)?.[1] ?? 1;
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
  const isTaken = scryptMemoryKib(ln, r) <= MAX_MEMORY_KIB && p <= MAX_LANES;
  return isTaken ? undefined : `must not need more than ${MAX_MEMORY_KIB} KiB (128 * N * r) and p=${MAX_LANES}`;
}

function scryptMemoryKib(ln: number, r: number): number {
  return (128 * 2 ** ln * r) / 1_024;
}

function scryptUnits(encoded: string): HashUnits {
  const [ln, r, p] = SCRYPT.exec(encoded)!.slice(1, 4).map(Number) as [number, number, number];
  return { primitive: 'scrypt', units: 2 ** ln * r * p * memoryFactor('scrypt', scryptMemoryKib(ln, r)) };
}

function scryptWork(encoded: string): HashWork {
  const [, ln, r, p, salt, wanted] = SCRYPT.exec(encoded)!;
  return { algorithm: 'scrypt', N: 2 ** Number(ln), r: Number(r), p: Number(p), salt: salt!, wanted: wanted! };
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

function pbkdf2Units(encoded: string): HashUnits {
  const [, digest, iterations] = PBKDF2.exec(encoded)!;
  return { primitive: digest === 'sha512' ? 'pbkdf2-sha512' : digest === 'sha256' ? 'pbkdf2-sha256' : 'pbkdf2-sha1', units: Number(iterations) };
}

/**
 * RFC 8018 §5.2: each block of the output is computed by itself, at the full cost. The first one tells a wrong password; the
 * others, where a hash is longer than its digest, would only cost as much again.
 */
function pbkdf2Work(encoded: string): HashWork {
  const [, digest = 'sha1', iterations, salt, hash] = PBKDF2.exec(encoded)!;
  const first = Buffer.from(hash!.replaceAll('.', '+'), 'base64').subarray(0, DIGEST_BYTES[digest]);
  return { algorithm: 'pbkdf2', digest, iterations: Number(iterations), salt: salt!.replaceAll('.', '+'), wanted: first.toString('base64') };
}

/** `$6$rounds=5000$<salt>$<hash>` (SHA-512), `$5$` (SHA-256). */
function shaCryptProblem(encoded: string): string | undefined {
  const match = SHA_CRYPT.exec(encoded);
  if (!match || (match[1] === '5') !== (match[4]!.length === 43)) {
    return 'must be $5$ or $6$, rounds=<rounds>$ if there is another number than 5000, <up to 16 characters of salt>$<43 or 86 of hash>';
  }
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
