import {
  DRUPAL7,
  logarithmOf,
  MD5_CRYPT,
  MD5_PLAIN,
  MD5_SALTED,
  PHPASS,
  SHA_CRYPT,
  SHA_CRYPT_ROUNDS,
} from './crypt-hash.js';
import type { EncodedPassword } from './encoded-password.js';
import { adviceOn } from './foreign-hash.js';
import type { HashWork } from './hash-thread.js';
import { type HashUnits, MAX_LANES, MAX_MEMORY_KIB, memoryFactor, type Primitive } from './hash-units.js';
import { scryptExcess, scryptProblem, scryptUnits, scryptWork } from './scrypt-form.js';

/** A format of imported password hashes. */
interface PasswordForm {
  readonly name: string;
  /** The prefix of a hash in this form. */
  readonly prefix: RegExp;
  /** What is wrong with the text, or undefined. */
  readonly problemOf: (encoded: string) => string | undefined;
  /** Which parameter is out of bounds, or undefined; absent if there are no parameters. */
  readonly excessOf?: (encoded: string) => string | undefined;
  /** The work of checking a valid hash. */
  readonly workOf: (encoded: string) => HashWork;
  /** The cost of a valid hash in units. */
  readonly unitsOf: (encoded: string) => HashUnits;
  /** The part after the setting of a hash that matches no password. */
  readonly decoyTail: (setting: string) => string;
}

const MAX_CHARACTERS = 500;
/** Absolute limits, however fast the machine and whatever the settings; below them time decides (`HashBudget`). */
const MAX_PASSES = 10;
const MAX_BCRYPT_COST = 16;
const MAX_ITERATIONS = 10_000_000;
const MAX_SHA_ROUNDS = 1_000_000;
const MIN_PHPASS_LOG_ROUNDS = 7;
const MAX_PHPASS_LOG_ROUNDS = 19;

const encodedFor =
  (algorithm: 'argon2' | 'bcrypt' | 'crypt') =>
  (encoded: string): HashWork => ({ algorithm, encoded });
const saltAndHash = (saltCharacters: number, hashCharacters: number) => (): string =>
  `$${'A'.repeat(saltCharacters)}$${'A'.repeat(hashCharacters)}`;

/** Hexadecimal digits only: the one format without a prefix. */
const PLAIN_MD5 = 'md5plain';
const PLAIN_MD5_DECOY = 'A'.repeat(32);

/** Every accepted format; another one is another entry. */
export const PASSWORD_FORMS: readonly PasswordForm[] = [
  ...['argon2id', 'argon2i'].map(
    (name): PasswordForm => ({
      name,
      prefix: new RegExp(`^\\$${name}\\$`),
      problemOf: argon2Problem,
      excessOf: argon2Excess,
      workOf: encodedFor('argon2'),
      unitsOf: argon2Units,
      decoyTail: saltAndHash(22, 43),
    }),
  ),
  {
    name: 'bcrypt',
    prefix: /^\$2[aby]\$/,
    problemOf: bcryptProblem,
    excessOf: bcryptExcess,
    workOf: encodedFor('bcrypt'),
    unitsOf: (encoded) => ({ primitive: 'bcrypt', units: 2 ** Number(encoded.slice(4, 6)) }),
    decoyTail: () => `$${'.'.repeat(53)}`,
  },
  {
    name: 'scrypt',
    prefix: /^\$(?:scrypt|7)\$/,
    problemOf: scryptProblem,
    excessOf: scryptExcess,
    workOf: scryptWork,
    unitsOf: scryptUnits,
    decoyTail: (setting) => `${setting.includes('=') ? '$' : ''}${'A'.repeat(22)}$${'A'.repeat(43)}`,
  },
  {
    name: 'pbkdf2',
    prefix: /^\$pbkdf2(?:-sha1|-sha224|-sha256|-sha384|-sha512)?\$/,
    problemOf: pbkdf2Problem,
    excessOf: pbkdf2Excess,
    workOf: pbkdf2Work,
    unitsOf: pbkdf2Units,
    decoyTail: saltAndHash(22, 27), // 20 bytes, which every digest has.
  },
  {
    name: 'sha-crypt',
    prefix: /^\$[56]\$/,
    problemOf: shaCryptProblem,
    excessOf: shaCryptExcess,
    workOf: encodedFor('crypt'),
    unitsOf: (encoded) => ({ primitive: 'sha-crypt', units: shaCryptRounds(encoded) }),
    decoyTail: (setting) =>
      `${setting.endsWith('$') ? '' : '$'}${'A'.repeat(16)}$${'A'.repeat(setting.startsWith('$5') ? 43 : 86)}`,
  },
  {
    name: 'md5-crypt',
    prefix: /^\$(?:1|apr1)\$/,
    problemOf: (encoded) =>
      MD5_CRYPT.test(encoded)
        ? undefined
        : 'must be $1$<up to 8 characters of salt>$<22 of hash>, or the same with apr1',
    workOf: encodedFor('crypt'),
    unitsOf: () => ({ primitive: 'md5', units: 1_000 }),
    decoyTail: saltAndHash(8, 22),
  },
  {
    name: 'phpass',
    prefix: /^\$[PH]\$/,
    problemOf: (encoded) =>
      PHPASS.test(encoded)
        ? undefined
        : 'must be $P$ or $H$, <a sign for the rounds><8 characters of salt><22 of hash>',
    excessOf: phpassExcess,
    workOf: encodedFor('crypt'),
    unitsOf: (encoded) => ({ primitive: 'md5', units: 2 ** logarithmOf(encoded.charAt(3)) }),
    decoyTail: () => 'A'.repeat(30),
  },
  {
    name: 'drupal7',
    prefix: /^\$S\$/,
    problemOf: (encoded) =>
      DRUPAL7.test(encoded) ? undefined : 'must be $S$<a sign for the rounds><8 characters of salt><43 of hash>',
    excessOf: phpassExcess,
    workOf: encodedFor('crypt'),
    unitsOf: (encoded) => ({ primitive: 'sha-crypt', units: 2 ** logarithmOf(encoded.charAt(3)) }),
    decoyTail: () => 'A'.repeat(51),
  },
  {
    name: 'md5salted',
    prefix: /^\$md5salted-/,
    problemOf: (encoded) =>
      MD5_SALTED.test(encoded)
        ? undefined
        : 'must be $md5salted-prefix$<salt>$<MD5 in base64>, or the same with suffix',
    workOf: encodedFor('crypt'),
    unitsOf: () => ({ primitive: 'md5', units: 1 }),
    decoyTail: saltAndHash(8, 22),
  },
  {
    name: PLAIN_MD5,
    prefix: MD5_PLAIN,
    problemOf: () => undefined,
    workOf: encodedFor('crypt'),
    unitsOf: () => ({ primitive: 'md5', units: 1 }),
    decoyTail: () => '',
  },
];

/**
 * The setting of a hash: its format and cost parameters, without salt and hash. Hashes of one setting cost the same. A
 * regular expression that PostgreSQL reads alike; there is none for `md5plain`, which has no setting.
 */
export const SETTING =
  '^\\$(?:' +
  [
    String.raw`argon2id?\$v=\d+\$m=\d+,t=\d+,p=\d+`,
    String.raw`2[aby]\$\d\d`,
    String.raw`(?:scrypt|7)\$ln=\d+,r=\d+,p=\d+`,
    String.raw`7\$[./0-9A-Za-z]{11}`,
    String.raw`pbkdf2(?:-sha1|-sha224|-sha256|-sha384|-sha512)?\$(?:i=)?\d+`,
    String.raw`[56]\$(?:rounds=\d+)?`,
    '1',
    'apr1',
    String.raw`[PHS]\$.`,
    'md5salted-prefix',
    'md5salted-suffix',
  ].join('|') +
  ')';
const SETTING_OF = new RegExp(SETTING);

/**
 * What is wrong with the text of an imported hash, or undefined; for what other programs write, how to write it here.
 */
export function hashFormProblem(encoded: string): string | undefined {
  const problem = formProblem(encoded);
  const advice = problem === undefined ? undefined : adviceOn(encoded);
  return advice === undefined ? problem : `${problem}; ${advice}`;
}

function formProblem(encoded: string): string | undefined {
  const form = formOf(encoded);
  if (!form)
    return `must be a hash in the PHC or modular crypt form of ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}`;
  if (encoded.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  return form.problemOf(encoded);
}

/** Like `hashFormProblem`, with the absolute limits of the cost; without a problem it is an `EncodedPassword`. */
export function importedHashProblem(encoded: string): string | undefined {
  return hashFormProblem(encoded) ?? formOf(encoded)?.excessOf?.(encoded);
}

export function isImportedHash(encoded: string): encoded is EncodedPassword {
  return importedHashProblem(encoded) === undefined;
}

/**
 * The cost of checking this hash; undefined for an unknown format.
 * @throws Error for a malformed one of a known format
 */
export function workOf(encoded: string): HashWork | undefined {
  const form = formOf(encoded);
  if (form && importedHashProblem(encoded) !== undefined) throw new Error(`A stored ${form.name} hash cannot be read.`);
  return form?.workOf(encoded);
}

/** The cost of a valid hash in units. */
export function unitsOf(encoded: EncodedPassword): HashUnits {
  return formOf(encoded)!.unitsOf(encoded);
}

/** The setting of a hash, as `SETTING` reads it; empty for an unknown format. */
export function settingOf(encoded: string): string {
  return SETTING_OF.exec(encoded)?.[0] ?? (MD5_PLAIN.test(encoded) ? PLAIN_MD5 : '');
}

/** `settingOf` in SQL, for a column; null for an unknown format. */
export function settingInSql(column: string): string {
  return `coalesce(substring(${column} from '${SETTING}'), CASE WHEN ${column} ~ '${MD5_PLAIN.source}' THEN '${PLAIN_MD5}' END)`;
}

/** A hash that matches no password and costs as much as those of the setting; undefined for an unknown format. */
export function decoyOf(setting: string): EncodedPassword | undefined {
  const decoy = setting === PLAIN_MD5 ? PLAIN_MD5_DECOY : setting + (formOf(`${setting}$`)?.decoyTail(setting) ?? '');
  return isImportedHash(decoy) ? decoy : undefined;
}

function formOf(encoded: string): PasswordForm | undefined {
  return PASSWORD_FORMS.find(({ prefix }) => prefix.test(encoded));
}

const ARGON2 =
  /^\$argon2id?\$v=(?:19|16)\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/;

/**
 * `$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>`, both in base64 without padding (RFC 9106 §3.1: version 1.3 is 19).
 */
function argon2Problem(encoded: string): string | undefined {
  const match = ARGON2.exec(encoded);
  if (!match) return 'must be $argon2id$v=19$m=<KiB>,t=<passes>,p=<lanes>$<salt>$<hash>';
  const [memory, passes, lanes] = match.slice(1, 4).map(Number) as [number, number, number];
  return passes >= 1 && lanes >= 1 && memory >= 8 * lanes ? undefined : 'must have at least t=1, p=1 and m=8p';
}

function argon2Excess(encoded: string): string | undefined {
  const [memory, passes, lanes] = ARGON2.exec(encoded)!.slice(1, 4).map(Number) as [number, number, number];
  const isTaken = memory <= MAX_MEMORY_KIB && passes <= MAX_PASSES && lanes <= MAX_LANES;
  return isTaken ? undefined : `must not cost more than m=${MAX_MEMORY_KIB},t=${MAX_PASSES},p=${MAX_LANES}`;
}

/** Lanes do not matter: they are computed one after another. */
function argon2Units(encoded: string): HashUnits {
  const [, memory, passes] = ARGON2.exec(encoded)!;
  return { primitive: 'argon2', units: Number(memory) * Number(passes) * memoryFactor('argon2', Number(memory)) };
}

/** `$2b$12$`, 22 characters of salt and 31 of hash in its own alphabet. */
function bcryptProblem(encoded: string): string | undefined {
  const match = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(encoded);
  if (!match) return 'must be $2b$<cost>$<22 characters of salt><31 of hash>';
  return Number(match[1]) >= 4 ? undefined : 'must have a cost of at least 04';
}

function bcryptExcess(encoded: string): string | undefined {
  return Number(encoded.slice(4, 6)) <= MAX_BCRYPT_COST ? undefined : `must have a cost of at most ${MAX_BCRYPT_COST}`;
}

const PBKDF2 =
  /^\$pbkdf2(?:-(sha1|sha224|sha256|sha384|sha512))?\$(?:i=)?(\d{1,9})(?:,l=\d{1,3})?\$([A-Za-z0-9+/.]{4,172})={0,2}\$([A-Za-z0-9+/.]{22,172})={0,2}$/;
/** The length of a block. */
const DIGEST_BYTES: Readonly<Record<string, number>> = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

/**
 * `$pbkdf2-sha256$<iterations>$<salt>$<hash>`, in base64 without padding; a dot may replace a plus. Without a digest
 * name it is SHA-1.
 */
function pbkdf2Problem(encoded: string): string | undefined {
  const iterations = PBKDF2.exec(encoded)?.[2];
  if (iterations === undefined)
    return 'must be $pbkdf2-sha256$<iterations>$<salt>$<hash>, or the same with sha1, sha224, sha384 or sha512';
  return Number(iterations) >= 1 ? undefined : 'must have at least one iteration';
}

function pbkdf2Excess(encoded: string): string | undefined {
  return Number(PBKDF2.exec(encoded)![2]) <= MAX_ITERATIONS
    ? undefined
    : `must have at most ${MAX_ITERATIONS} iterations`;
}

/** SHA-224 and SHA-384 are truncated variants of the other two. */
const PBKDF2_PRIMITIVES: Readonly<Record<string, Primitive>> = {
  sha1: 'pbkdf2-sha1',
  sha224: 'pbkdf2-sha256',
  sha256: 'pbkdf2-sha256',
  sha384: 'pbkdf2-sha512',
  sha512: 'pbkdf2-sha512',
};

function pbkdf2Units(encoded: string): HashUnits {
  const [, digest = 'sha1', iterations] = PBKDF2.exec(encoded)!;
  return { primitive: PBKDF2_PRIMITIVES[digest]!, units: Number(iterations) };
}

/**
 * RFC 8018 §5.2: each block of the output is computed separately, at the full cost. The first one reveals a wrong
 * password; the others, if a hash is longer than its digest, would only add to the cost.
 */
function pbkdf2Work(encoded: string): HashWork {
  const [, digest = 'sha1', iterations, salt, hash] = PBKDF2.exec(encoded)!;
  const first = Buffer.from(hash!.replaceAll('.', '+'), 'base64').subarray(0, DIGEST_BYTES[digest]);
  return {
    algorithm: 'pbkdf2',
    digest,
    iterations: Number(iterations),
    salt: salt!.replaceAll('.', '+'),
    wanted: first.toString('base64'),
  };
}

/** `$6$rounds=5000$<salt>$<hash>` (SHA-512), `$5$` (SHA-256). */
function shaCryptProblem(encoded: string): string | undefined {
  const match = SHA_CRYPT.exec(encoded);
  if (!match || (match[1] === '5') !== (match[4]!.length === 43)) {
    return 'must be $5$ or $6$, rounds=<rounds>$ unless there are 5000, <up to 16 characters of salt>$<43 or 86 of hash>';
  }
  return undefined;
}

function shaCryptExcess(encoded: string): string | undefined {
  return shaCryptRounds(encoded) <= MAX_SHA_ROUNDS ? undefined : `must have at most ${MAX_SHA_ROUNDS} rounds`;
}

function shaCryptRounds(encoded: string): number {
  return Number(SHA_CRYPT.exec(encoded)?.[2] ?? SHA_CRYPT_ROUNDS);
}

/** The character before the salt is the binary logarithm of the rounds. */
function phpassExcess(encoded: string): string | undefined {
  const logRounds = logarithmOf(encoded.charAt(3));
  const isTaken = logRounds >= MIN_PHPASS_LOG_ROUNDS && logRounds <= MAX_PHPASS_LOG_ROUNDS;
  return isTaken ? undefined : `must have 2^${MIN_PHPASS_LOG_ROUNDS} to 2^${MAX_PHPASS_LOG_ROUNDS} rounds`;
}
