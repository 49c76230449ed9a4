import type { Page } from '../../../foundation/database/listing.js';
import type { Recorded } from '../../../foundation/database/recorded.js';
import type { EventMark } from '../../../foundation/event/journal.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Long, Moment, Named, Text } from '../../kit/wire/fields.js';
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

export function toDetailsV2({ sequence, creationDate, changeDate }: Recorded, resourceOwner: string): DetailsV2 {
  return { sequence, changeDate, resourceOwner, creationDate };
}

/** The details of what is answered without being stored. */
export function unstoredDetails(resourceOwner: string): DetailsV2 {
  return { sequence: 0n, resourceOwner };
}

/** The details of an object that was just changed or removed. */
export function toChangedDetailsV2(mark: EventMark, resourceOwner: string): DetailsV2 {
  return { sequence: mark.sequence, changeDate: mark.at, resourceOwner };
}

export function toListDetailsV2({ total, position, readAt }: Page<unknown>): ListDetailsV2 {
  return { totalResult: total, processedSequence: position, timestamp: readAt };
}

/** For a list that is always returned completely. */
export function toWholeListDetailsV2(count: number, readAt: Date): ListDetailsV2 {
  return { totalResult: BigInt(count), processedSequence: 0n, timestamp: readAt };
}
