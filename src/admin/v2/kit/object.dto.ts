import type { TextMatch } from '../../../foundation/database/condition.js';
import type { Page } from '../../../foundation/database/listing.js';
import type { Recorded } from '../../../foundation/database/recorded.js';
import type { EventMark } from '../../../foundation/event/journal.js';
import { wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Count, Flag, Long, Moment, Named, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED } from './dates.js';

/*
 * `object.v2`: what the older services of the second generation (users, organizations, sessions) have in place of the
 * dates and pages of the others.
 */

/** The history of an object. */
@Named('DetailsV2')
export class DetailsV2 {
  @Long(1, { description: `Sequence number of the object's last event; "0" if it has none.`, example: '3' })
  readonly sequence!: bigint;

  @Moment(2, CHANGED)
  readonly changeDate?: Date | undefined;

  @Text(3, { description: 'The organization that owns the object, or the instance.', example: EXAMPLE.org })
  readonly resourceOwner!: string;

  @Moment(4, CREATED)
  readonly creationDate?: Date | undefined;
}

/** Which part of a list to return. */
@Named('ListQueryV2')
export class ListQueryV2 {
  @Long(1, { description: 'Number of entries to skip.', example: '0' })
  readonly offset!: bigint;

  @Count(2, { description: 'Maximum number of entries to return. Defaults to 100; at most 1,000.', example: 100 })
  readonly limit!: number;

  @Flag(3, { description: 'Sort in ascending order. Descending by default.', example: true })
  readonly asc!: boolean;
}

@Named('ListDetailsV2')
export class ListDetailsV2 {
  @Long(1, {
    description: 'Total number of entries: exact on the last page and up to about 1,000, otherwise an estimate.',
    example: '1',
  })
  readonly totalResult!: bigint;

  @Long(2, { description: 'Position of the last event when the list was read.', example: '42' })
  readonly processedSequence!: bigint;

  @Moment(3, { description: 'When the list was read.', example: '2026-11-20T08:30:00.000Z' })
  readonly timestamp?: Date;
}

/** How a text of a query is compared. */
export const TEXT_QUERY_METHOD_V2 = wireEnum('TextQueryMethodV2', {
  TEXT_QUERY_METHOD_EQUALS: [0, 'equals'],
  TEXT_QUERY_METHOD_EQUALS_IGNORE_CASE: [1, 'equals_ignore_case'],
  TEXT_QUERY_METHOD_STARTS_WITH: [2, 'starts_with'],
  TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE: [3, 'starts_with_ignore_case'],
  TEXT_QUERY_METHOD_CONTAINS: [4, 'contains'],
  TEXT_QUERY_METHOD_CONTAINS_IGNORE_CASE: [5, 'contains_ignore_case'],
  TEXT_QUERY_METHOD_ENDS_WITH: [6, 'ends_with'],
  TEXT_QUERY_METHOD_ENDS_WITH_IGNORE_CASE: [7, 'ends_with_ignore_case'],
}) satisfies { members: ReadonlyArray<{ value: TextMatch }> };

export function toDetailsV2({ sequence, creationDate, changeDate }: Recorded, resourceOwner: string): DetailsV2 {
  return { sequence, changeDate, resourceOwner, creationDate };
}

/** The details of an object that was just changed or removed. */
export function toChangedDetailsV2(mark: EventMark, resourceOwner: string): DetailsV2 {
  return { sequence: mark.sequence, changeDate: mark.at, resourceOwner };
}

export function toListDetailsV2({ total, position, readAt }: Page<unknown>): ListDetailsV2 {
  return { totalResult: total, processedSequence: position, timestamp: readAt };
}
