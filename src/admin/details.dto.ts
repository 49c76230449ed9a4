import { ApiProperty } from '@nestjs/swagger';
import type { Details } from '../database/recorded.js';

/** The history of an object. Every field is written, also when it is empty. */
export class DetailsDto {
  @ApiProperty({ type: 'string', format: 'uint64', description: 'Sequence of the last event of the object; "0" when it has none.', example: '0' })
  readonly sequence!: string;

  @ApiProperty({ format: 'date-time', description: 'When the object was made.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: string;

  @ApiProperty({ format: 'date-time', description: 'When the object was last changed.', example: '2026-11-20T08:30:00.000Z' })
  readonly changeDate!: string;

  @ApiProperty({ description: 'The organization that owns the object; for what belongs to no organization, the instance.', example: '312909075212468225' })
  readonly resourceOwner!: string;
}

/** A uint64 is a string in JSON: it may be larger than a number there can say. */
export function toDetails(details: Details): DetailsDto {
  return {
    sequence: details.sequence.toString(),
    creationDate: details.creationDate.toISOString(),
    changeDate: details.changeDate.toISOString(),
    resourceOwner: details.resourceOwner,
  };
}
