import type { Details, Recorded } from '../../../foundation/database/recorded.js';
import type { EventMark } from '../../../foundation/event/journal.js';
import { EXAMPLE } from './example-ids.js';
import { Long, Moment, Named, Part, Text } from './fields.js';

/** The history of an object. */
@Named('ObjectDetails')
export class ObjectDetails {
  @Long(1, { description: `Sequence number of the object's last event; "0" if it has none.`, example: '3' })
  readonly sequence!: bigint;

  @Moment(2, { description: 'When the object was created.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate?: Date | undefined;

  @Moment(3, { description: 'When the object was last changed.', example: '2026-11-20T08:30:00.000Z' })
  readonly changeDate?: Date | undefined;

  @Text(4, {
    description: 'The organization that owns the object, or the instance if no organization does.',
    example: EXAMPLE.org,
  })
  readonly resourceOwner!: string;
}

/** The response of an operation that returns nothing else. */
@Named('DetailsResponse')
export class DetailsResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

/** The details of a row with its owner. */
export function toDetails({ sequence, creationDate, changeDate }: Recorded, resourceOwner: string): ObjectDetails {
  return { sequence, creationDate, changeDate, resourceOwner };
}

/** The details of an object that was just created: both dates are the event's time. */
export function toAddedDetails(mark: EventMark, resourceOwner: string): ObjectDetails {
  return { sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at, resourceOwner };
}

/** The details of an object that was just changed or removed. */
export function toChangedDetails(mark: EventMark, resourceOwner: string): ObjectDetails {
  return { sequence: mark.sequence, changeDate: mark.at, resourceOwner };
}

/** The details of an object that names its own owner. */
export function toOwnDetails(details: Details): ObjectDetails {
  return toDetails(details, details.resourceOwner);
}
