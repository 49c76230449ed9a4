import type { Page } from '../../../foundation/database/listing.js';
import { Count, Flag, Long, Named } from '../../kit/wire/fields.js';
import { toRange } from '../../kit/wire/list.dto.js';

/** Which part of a list to return. */
@Named('PaginationRequestV2')
export class PaginationRequestV2 {
  @Long(1, { description: 'Number of entries to skip.', example: '0' })
  readonly offset!: bigint;

  @Count(2, { description: 'Maximum number of entries to return. Defaults to 100; at most 1,000.', example: 100 })
  readonly limit!: number;

  @Flag(3, { description: 'Sort in ascending order. Descending by default.', example: true })
  readonly asc!: boolean;
}

@Named('PaginationResponseV2')
export class PaginationResponseV2 {
  @Long(1, {
    description: 'Total number of entries: exact on the last page and up to about 1,000, otherwise an estimate.',
    example: '1',
  })
  readonly totalResult!: bigint;

  @Long(2, { description: 'The limit that was applied.', example: '100' })
  readonly appliedLimit!: bigint;
}

export function toPagination(page: Page<unknown>, request: PaginationRequestV2 | undefined): PaginationResponseV2 {
  return { totalResult: page.total, appliedLimit: BigInt(toRange(request).limit) };
}
