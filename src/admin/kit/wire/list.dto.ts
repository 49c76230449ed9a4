import type { TextMatch } from '../../../foundation/database/condition.js';
import type { Page } from '../../../foundation/database/listing.js';
import { wireEnum } from '../../../foundation/http/wire-enum.js';
import { Count, Flag, Long, Moment, Named } from './fields.js';

/** Which part of a list to return. */
@Named('ListQuery')
export class ListQuery {
  @Long(1, { description: 'Number of entries to skip.', example: '0' })
  readonly offset!: bigint;

  @Count(2, { description: 'Maximum number of entries to return. Defaults to 100; at most 1,000.', example: 100 })
  readonly limit!: number;

  @Flag(3, { description: 'Sort in ascending order. Descending by default.', example: true })
  readonly asc!: boolean;
}

@Named('ListDetails')
export class ListDetails {
  @Long(1, {
    description: 'Total number of entries: exact on the last page and up to about 1,000, otherwise an estimate.',
    example: '1',
  })
  readonly totalResult!: bigint;

  @Long(2, { description: 'Position of the last event when the list was read.', example: '42' })
  readonly processedSequence!: bigint;

  @Moment(3, { description: 'When the list was read.', example: '2026-11-20T08:30:00.000Z' })
  readonly viewTimestamp!: Date;
}

/** How a text of a query is compared. */
export const TEXT_QUERY_METHOD = wireEnum('TextQueryMethod', {
  TEXT_QUERY_METHOD_EQUALS: [0, 'equals'],
  TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE: [1, 'equals_ignore_case'],
  TEXT_QUERY_METHOD_STARTS_WITH: [2, 'starts_with'],
  TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE: [3, 'starts_with_ignore_case'],
  TEXT_QUERY_METHOD_CONTAINS: [4, 'contains'],
  TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE: [5, 'contains_ignore_case'],
  TEXT_QUERY_METHOD_ENDS_WITH: [6, 'ends_with'],
  TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE: [7, 'ends_with_ignore_case'],
}) satisfies { members: ReadonlyArray<{ value: TextMatch }> };

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;
/** The largest offset of PostgreSQL; no list is that long. */
const MAX_OFFSET = 9_223_372_036_854_775_807n;

/**
 * The request to the database; without a query the first hundred, ascending unless the list has another default order.
 */
export function toRange(
  query: ListQuery | undefined,
  byDefault: { readonly ascending: boolean } = { ascending: true },
): { offset: bigint; limit: number; ascending: boolean } {
  const limit = query === undefined || query.limit === 0 ? DEFAULT_LIMIT : Math.min(query.limit, MAX_LIMIT);
  const { offset = 0n, asc = byDefault.ascending } = query ?? {};
  return { offset: offset > MAX_OFFSET ? MAX_OFFSET : offset, limit, ascending: asc };
}

export function toListDetails({ total, position, readAt }: Page<unknown>): ListDetails {
  return { totalResult: total, processedSequence: position, viewTimestamp: readAt };
}

/** For a list that is always returned completely. */
export function toWholeListDetails(count: number, readAt: Date): ListDetails {
  return { totalResult: BigInt(count), processedSequence: 0n, viewTimestamp: readAt };
}
