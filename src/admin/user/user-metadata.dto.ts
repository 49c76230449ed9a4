import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Bytes, Choice, Filter, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { USER_ID } from './user-id.js';

const KEY = { min: 1, max: 200, description: 'Key of the entry.', example: 'department' };
const VALUE = { min: 1, max: 500_000, description: 'Arbitrary bytes; base64 in JSON.', example: 'bG9naXN0aWNz' };

@Named('UserMetadataByKey')
export class UserMetadataByKey {
  @Text(1, USER_ID)
  readonly id!: string;

  @Text(2, KEY)
  readonly key!: string;
}

@Named('SetUserMetadataRequest')
export class SetUserMetadataRequest {
  @Text(1, USER_ID)
  readonly id!: string;

  @Text(2, KEY)
  readonly key!: string;

  @Bytes(3, VALUE)
  readonly value!: Buffer;
}

@Named('SetUserMetadataResponse')
export class SetUserMetadataResponse {
  @Text(1, { example: EXAMPLE.person })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UserMetadataValue')
export class UserMetadataValue {
  @Text(1, KEY)
  readonly key!: string;

  @Bytes(2, VALUE)
  readonly value!: Buffer;
}

@Named('BulkSetUserMetadataRequest')
export class BulkSetUserMetadataRequest {
  @Text(1, USER_ID)
  readonly id!: string;

  @Parts(2, () => UserMetadataValue, {
    maxItems: 100,
    description: 'Either all of them are set, or none.',
    example: [
      { key: 'site', value: 'YmVybGlu' },
      { key: 'costCenter', value: 'NDI=' },
    ],
  })
  readonly metadata!: UserMetadataValue[];
}

@Named('BulkRemoveUserMetadataRequest')
export class BulkRemoveUserMetadataRequest {
  @Text(1, USER_ID)
  readonly id!: string;

  @Texts(2, {
    min: 1,
    max: 200,
    maxItems: 100,
    description: 'Keys of the entries: either all of them are removed, or none.',
    example: ['site', 'costCenter'],
  })
  readonly keys!: string[];
}

@Named('UserMetadataEntry')
export class UserMetadataEntry {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, KEY)
  readonly key!: string;

  @Bytes(3, VALUE)
  readonly value!: Buffer;
}

@Named('UserMetadataResponse')
export class UserMetadataResponse {
  @Part(1, () => UserMetadataEntry)
  readonly metadata!: UserMetadataEntry;
}

@Named('UserMetadataKeyQuery')
export class UserMetadataKeyQuery {
  @Text(1, { max: 200, example: 'department' })
  readonly key!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Filter()
@Named('UserMetadataQuery')
export class UserMetadataQuery {
  @Part(1, () => UserMetadataKeyQuery, { oneof: 'query' })
  readonly keyQuery?: UserMetadataKeyQuery;
}

@Named('ListUserMetadataRequest')
export class ListUserMetadataRequest {
  @Text(1, USER_ID)
  readonly id!: string;

  @Part(2, () => ListQuery, { description: 'At most 100 entries at once.' })
  readonly query?: ListQuery;

  @Parts(3, () => UserMetadataQuery, { maxItems: 20, description: 'Combined with AND.' })
  readonly queries!: UserMetadataQuery[];
}

@Named('ListUserMetadataResponse')
export class ListUserMetadataResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => UserMetadataEntry)
  readonly result!: readonly UserMetadataEntry[];
}
