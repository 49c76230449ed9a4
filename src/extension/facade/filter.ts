import type { SqlValues } from '../../foundation/extension/sql.js';

/** How a text is compared; without regard to case unless `matchCase` says otherwise. @public */
export interface TextComparison<Field extends string> {
  readonly field: Field;
  readonly is: 'equal' | 'startsWith' | 'endsWith' | 'contains';
  /** Unknown texts are empty: `equal` to `''`. */
  readonly value: string;
  readonly matchCase?: boolean;
}

/** How a moment is compared, to the millisecond. @public */
export interface MomentComparison {
  readonly field: 'createdAt' | 'changedAt';
  readonly is: 'equal' | 'before' | 'after';
  readonly value: Date;
}

/**
 * By a SELECT of ids, such as one over tables of the extension:
 * `SELECT user_id FROM ext_hr.employee WHERE desk = :desk`.
 * @public
 */
export interface SelectedIds {
  readonly idIn: { readonly sql: string; readonly values?: SqlValues };
}

/** A part of a list. @public */
export interface Excerpt {
  /** How many entries are passed over. */
  readonly offset: number;
  /** The most entries, up to 1,000; with 0 only the total is asked for. */
  readonly limit: number;
}

const MATCHES = {
  equal: 'equals',
  startsWith: 'starts_with',
  endsWith: 'ends_with',
  contains: 'contains',
} as const;

type Match = (typeof MATCHES)[keyof typeof MATCHES];

/** The comparison in the words of the product. */
export function textMatchOf({ is, matchCase = false }: TextComparison<string>): Match | `${Match}_ignore_case` {
  const match = MATCHES[is];
  return matchCase ? match : `${match}_ignore_case`;
}

const MOST = 1_000;

/** @throws RangeError for an excerpt that is none: a defect of the extension */
export function rangeOf({ offset, limit }: Excerpt): { offset: bigint; limit: number; countsAll: true } {
  if (!Number.isSafeInteger(offset) || offset < 0 || !Number.isSafeInteger(limit) || limit < 0 || limit > MOST)
    throw new RangeError(`offset must be a whole number from 0, limit one from 0 to ${MOST}.`);
  return { offset: BigInt(offset), limit, countsAll: true };
}
