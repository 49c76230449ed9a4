import type { ExtPasswordForms } from './ext-password-forms.js';
import { type HashSpeeds, millisecondsOf } from './hash-cost.js';
import { hashFormProblem, importedHashProblem, isImportedHash } from './password-form.js';

/** A user has up to 32 recovery codes, and a typed one is compared with all of them. */
const MAX_CODE_MS = 100;

const OF_EXTENSION = /^\$ext-[a-z0-9-]{1,100}\$/;
const BY_OWNER = '; the owner of the instance can allow more (IMPORTED_HASH_MS)';

/** Validates imported hashes: their format, and the cost of checking them. */
export class HashLimits {
  constructor(
    private readonly speeds: HashSpeeds,
    private readonly maxMs: number,
    private readonly own?: ExtPasswordForms,
  ) {}

  /** The problem of the hash of a client's secret. Forms of extensions are for passwords of users alone. */
  readonly problemOf = (encoded: string): string | undefined => hashFormProblem(encoded) ?? this.excessOf(encoded);

  /** The problem of the hash of a password. */
  readonly passwordProblemOf = (encoded: string): string | undefined =>
    this.passwordFormProblemOf(encoded) ?? this.passwordExcessOf(encoded);

  readonly passwordFormProblemOf = (encoded: string): string | undefined => {
    if (this.own?.knows(encoded)) return this.own.problemOf(encoded);
    const [ofExtension] = OF_EXTENSION.exec(encoded) ?? [];
    return ofExtension === undefined
      ? hashFormProblem(encoded)
      : `must be of a form that is known here: no extension that is loaded checks ${ofExtension}`;
  };

  /** Whether a well-formed hash of a password is too costly. */
  readonly passwordExcessOf = (encoded: string): string | undefined =>
    this.own?.knows(encoded)
      ? this.tooSlow(this.own.millisecondsOf(encoded), this.maxMs, BY_OWNER)
      : this.excessOf(encoded);

  /** The problem of the hash of a recovery code, which must cost less. */
  readonly codeProblemOf = (encoded: string): string | undefined =>
    hashFormProblem(encoded) ?? this.codeExcessOf(encoded);

  /** Whether a well-formed hash is too costly. */
  readonly excessOf = (encoded: string): string | undefined => this.excess(encoded, this.maxMs, BY_OWNER);

  readonly codeExcessOf = (encoded: string): string | undefined =>
    this.excess(encoded, Math.min(this.maxMs, MAX_CODE_MS), ': a user has many codes');

  private excess(encoded: string, maxMs: number, because: string): string | undefined {
    if (!isImportedHash(encoded)) return importedHashProblem(encoded);
    return this.tooSlow(millisecondsOf(encoded, this.speeds), maxMs, because);
  }

  private tooSlow(milliseconds: number, maxMs: number, because: string): string | undefined {
    if (milliseconds <= maxMs) return undefined;
    return `must not take longer than ${maxMs} ms to check, and would take about ${toFigure(milliseconds)} ms here${because}`;
  }
}

/** A time, rounded to two significant digits. */
function toFigure(milliseconds: number): number {
  return Number(milliseconds.toPrecision(2));
}
