import type { Recorded } from '../../../foundation/database/recorded.js';
import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import type { KeyFilter } from '../../../org/metadata.js';
import { Bytes, Choice, Filter, Moment, Named, Part, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED } from './dates.js';
import { HOW, TEXT_FILTER_METHOD } from './filter.dto.js';

/* `metadata.v2`: keys and values that applications keep about an organization or a user. */

@Named('MetadataV2')
export class MetadataV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Moment(2, CHANGED)
  readonly changeDate?: Date;

  @Text(3, { description: 'Key of the entry.', example: 'contract' })
  readonly key!: string;

  @Bytes(4, { description: 'Arbitrary bytes; base64 in JSON.', example: 'Z29sZA==' })
  readonly value!: Buffer;
}

@Named('MetadataKeyFilterV2')
export class MetadataKeyFilterV2 {
  @Text(1, { max: 200, example: 'contract' })
  readonly key!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Filter()
@Named('MetadataSearchFilterV2')
export class MetadataSearchFilterV2 {
  @Part(1, () => MetadataKeyFilterV2, { oneof: 'filter' })
  readonly keyFilter?: MetadataKeyFilterV2;
}

/** What a list of metadata shows of an entry. */
export function toMetadataV2({
  creationDate,
  changeDate,
  key,
  value,
}: Recorded & Pick<MetadataV2, 'key' | 'value'>): MetadataV2 {
  return { creationDate, changeDate, key, value };
}

/** The conditions of a search, as those who store the entries take them. */
export function toKeyFilters(filters: readonly MetadataSearchFilterV2[]): KeyFilter[] {
  return filters.flatMap(({ keyFilter }) => (keyFilter ? [{ how: keyFilter.method, text: keyFilter.key }] : []));
}
