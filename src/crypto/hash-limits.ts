import { type HashSpeeds, millisecondsOf } from './hash-cost.js';
import { hashFormProblem, importedHashProblem, isImportedHash } from './password-form.js';

/** A person has up to 32 recovery codes, and a typed one is compared with all of them. */
const MAX_CODE_MS = 100;

/** What is wrong with hashes that people bring: their form, or what a check of them would cost. */
export class HashLimits {
  constructor(
    private readonly speeds: HashSpeeds,
    private readonly maxMs: number,
  ) {}

  /** Of a password, or of the secret of a client. */
  readonly problemOf = (encoded: string): string | undefined => hashFormProblem(encoded) ?? this.excessOf(encoded);

  /** Of a recovery code, which must cost less. */
  readonly codeProblemOf = (encoded: string): string | undefined =>
    hashFormProblem(encoded) ?? this.codeExcessOf(encoded);

  /** What makes a hash too costly whose form is right. */
  readonly excessOf = (encoded: string): string | undefined =>
    this.excess(encoded, this.maxMs, '; the owner of the instance can allow more (IMPORTED_HASH_MS)');

  readonly codeExcessOf = (encoded: string): string | undefined =>
    this.excess(encoded, Math.min(this.maxMs, MAX_CODE_MS), ': a person has many codes');

  private excess(encoded: string, maxMs: number, because: string): string | undefined {
    if (!isImportedHash(encoded)) return importedHashProblem(encoded);
    const milliseconds = millisecondsOf(encoded, this.speeds);
    if (milliseconds <= maxMs) return undefined;
    return `must not take longer than ${maxMs} ms to check, and would take about ${toFigure(milliseconds)} ms here${because}`;
  }
}

/** With two digits that mean something. */
function toFigure(milliseconds: number): number {
  return Number(milliseconds.toPrecision(2));
}
