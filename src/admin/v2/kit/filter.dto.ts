import type { MomentMatch, TextMatch } from '../../../foundation/database/condition.js';
import { invalidFields } from '../../../foundation/error/domain-error.js';
import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Moment, Named, Text, Texts } from '../../kit/wire/fields.js';

/** How a text of a filter is compared. */
export const TEXT_FILTER_METHOD = wireEnum('TextFilterMethodV2', {
  TEXT_FILTER_METHOD_EQUALS: [0, 'equals'],
  TEXT_FILTER_METHOD_EQUALS_IGNORE_CASE: [1, 'equals_ignore_case'],
  TEXT_FILTER_METHOD_STARTS_WITH: [2, 'starts_with'],
  TEXT_FILTER_METHOD_STARTS_WITH_IGNORE_CASE: [3, 'starts_with_ignore_case'],
  TEXT_FILTER_METHOD_CONTAINS: [4, 'contains'],
  TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE: [5, 'contains_ignore_case'],
  TEXT_FILTER_METHOD_ENDS_WITH: [6, 'ends_with'],
  TEXT_FILTER_METHOD_ENDS_WITH_IGNORE_CASE: [7, 'ends_with_ignore_case'],
}) satisfies { members: ReadonlyArray<{ value: TextMatch }> };

/** How a time of a filter is compared. */
const TIMESTAMP_FILTER_METHOD = wireEnum('TimestampFilterMethodV2', {
  TIMESTAMP_FILTER_METHOD_EQUALS: [0, 'equal'],
  TIMESTAMP_FILTER_METHOD_AFTER: [1, 'after'],
  TIMESTAMP_FILTER_METHOD_AFTER_OR_EQUALS: [2, 'after_or_equal'],
  TIMESTAMP_FILTER_METHOD_BEFORE: [3, 'before'],
  TIMESTAMP_FILTER_METHOD_BEFORE_OR_EQUALS: [4, 'before_or_equal'],
}) satisfies { members: ReadonlyArray<{ value: MomentMatch }> };

export const HOW = { description: 'How the text is compared.' } as const;
/** Filters of a search, all of which must hold. */
export const FILTERS = { maxItems: 20, description: 'Combined with AND.' } as const;

@Named('IdFilterV2')
export class IdFilterV2 {
  @Text(1, { min: 1, max: 200, example: EXAMPLE.org })
  readonly id!: string;
}

@Named('InIdsFilterV2')
export class InIdsFilterV2 {
  @Texts(1, { min: 1, max: 200, maxItems: 100, description: 'Ids of which one must match.' })
  readonly ids!: string[];
}

@Named('TimestampFilterV2')
export class TimestampFilterV2 {
  @Moment(1, { description: 'The time to compare with; it must be sent.', example: '2026-11-20T08:30:00Z' })
  readonly timestamp?: Date;

  @Choice(2, TIMESTAMP_FILTER_METHOD, { description: 'How the time is compared, to the millisecond.' })
  readonly method!: ValueOf<typeof TIMESTAMP_FILTER_METHOD>;
}

/**
 * @param field the path of the filter in the request
 * @throws DomainError InvalidArgument for a filter without a time
 */
export function toMoment({ timestamp }: TimestampFilterV2, field: string): Date {
  if (!timestamp) throw invalidFields([{ field: `${field}.timestamp`, description: 'is required' }]);
  return timestamp;
}

/**
 * For login names of several organizations, which only a whole one finds by an index.
 * @throws DomainError InvalidArgument for another method
 */
export function checkWholeText(method: TextMatch, field: string): void {
  if (method !== 'equals' && method !== 'equals_ignore_case')
    throw invalidFields([{ field, description: 'must be one that compares the whole login name' }]);
}
