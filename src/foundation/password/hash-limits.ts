import { type HashSpeeds, millisecondsOf } from './hash-cost.js';
import { hashFormProblem, importedHashProblem, isImportedHash } from './password-form.js';

/** A user has up to 32 recovery codes, and a typed one is compared with all of them. */
const MAX_CODE_MS = 100;

const BY_OWNER = '; the owner of the instance can allow more (IMPORTED_HASH_MS)';

/** Validates imported hashes: their format, and the cost of checking them. */
export class HashLimits {
  constructor(
    private readonly speeds: HashSpeeds,
    private readonly maxMs: number,
  ) {}

  /** The problem of the hash of a password, or of a client's secret. */
  readonly problemOf = (encoded: string): string | undefined => hashFormProblem(encoded) ?? this.excessOf(encoded);

  /** The problem of the hash of a recovery code, which must cost less. */
  readonly codeProblemOf = (encoded: string): string | undefined =>
    hashFormProblem(encoded) ?? this.codeExcessOf(encoded);

  /** Whether a well-formed hash is too costly. */
  readonly excessOf = (encoded: string): string | undefined => this.excess(encoded, this.maxMs, BY_OWNER);

  readonly codeExcessOf = (encoded: string): string | undefined =>
    this.excess(encoded, Math.min(this.maxMs, MAX_CODE_MS), ': a user has many codes');

  private excess(encoded: string, maxMs: number, because: string): string | undefined {
    if (!isImportedHash(encoded)) return importedHashProblem(encoded);
    const milliseconds = millisecondsOf(encoded, this.speeds);
    if (milliseconds <= maxMs) return undefined;
    return `must not take longer than ${maxMs} ms to check, and would take about ${toFigure(milliseconds)} ms here${because}`;
  }
}

/** A time, rounded to two significant digits. */
function toFigure(milliseconds: number): number {
  return Number(milliseconds.toPrecision(2));
}
