import { Bytes, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListQuery } from '../kit/wire/list.dto.js';
import { UserMetadataQuery, UserMetadataValue } from '../user/user-metadata.dto.js';

const KEY = { min: 1, max: 200, description: 'Key of the entry.', example: 'contract' };

@Named('OrgMetadataByKey')
export class OrgMetadataByKey {
  @Text(1, KEY)
  readonly key!: string;
}

@Named('SetOrgMetadataRequest')
export class SetOrgMetadataRequest {
  @Text(1, KEY)
  readonly key!: string;

  @Bytes(2, { min: 1, max: 500_000, description: 'Arbitrary bytes; base64 in JSON.', example: 'Z29sZA==' })
  readonly value!: Buffer;
}

@Named('BulkSetOrgMetadataRequest')
export class BulkSetOrgMetadataRequest {
  @Parts(1, () => UserMetadataValue, {
    maxItems: 100,
    description: 'Either all of them are set, or none.',
    example: [
      { key: 'region', value: 'bm9ydGg=' },
      { key: 'tier', value: 'Mg==' },
    ],
  })
  readonly metadata!: UserMetadataValue[];
}

@Named('BulkRemoveOrgMetadataRequest')
export class BulkRemoveOrgMetadataRequest {
  @Texts(1, {
    min: 1,
    max: 200,
    maxItems: 100,
    description: 'Keys of the entries: either all of them are removed, or none.',
    example: ['region', 'tier'],
  })
  readonly keys!: string[];
}

@Named('ListOrgMetadataRequest')
export class ListOrgMetadataRequest {
  @Part(1, () => ListQuery, { description: 'At most 100 entries at once.' })
  readonly query?: ListQuery;

  @Parts(2, () => UserMetadataQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserMetadataQuery[];
}
