import { type ValueOf, wireEnum } from '../../../../foundation/http/wire-enum.js';
import type { CredentialColumn } from '../../../../user/credential-listing.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Bytes, Choice, Filter, Moment, Named, Part, Parts, Text } from '../../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../../kit/dates.js';
import { FILTERS, IdFilterV2, TimestampFilterV2 } from '../../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../../kit/page.dto.js';
import { EXPIRES, EXPIRY, SERVICE_ID } from './service-user.dto.js';

const KEY_FIELD_NAME_V2 = wireEnum('KeyFieldNameV2', {
  KEY_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  KEY_FIELD_NAME_CREATED_DATE: [1, 'creationDate'],
  KEY_FIELD_NAME_ID: [2, 'id'],
  KEY_FIELD_NAME_USER_ID: [3, 'userId'],
  KEY_FIELD_NAME_ORGANIZATION_ID: [4, 'orgId'],
  KEY_FIELD_NAME_KEY_EXPIRATION_DATE: [5, 'expiresAt'],
}) satisfies { members: ReadonlyArray<{ value: CredentialColumn | 'unspecified' }> };

const KEY_ID = {
  min: 1,
  max: 200,
  description: 'ID of the key, used as the `kid` of assertions.',
  example: EXAMPLE.serviceKeyV2,
} as const;

@Named('AddKeyRequestV2')
export class AddKeyRequestV2 {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Moment(2, EXPIRY)
  readonly expirationDate?: Date;

  @Bytes(3, {
    max: 16_384,
    description:
      'Your own public key in PEM format. If absent, a key pair is generated and the private key is returned once.',
    example: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=',
  })
  readonly publicKey!: Buffer;
}

@Named('AddKeyResponseV2')
export class AddKeyResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Text(2, KEY_ID)
  readonly keyId!: string;

  @Bytes(3, {
    description:
      'A JSON document with `type`, `keyId`, `key` (the private key in PEM format) and `userId`. Returned only once; empty if you supplied the public key.',
    example: 'eyJ0eXBlIjoic2VydmljZWFjY291bnQifQ==',
  })
  readonly keyContent!: Buffer;
}

@Named('RemoveKeyRequestV2')
export class RemoveKeyRequestV2 {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Text(2, KEY_ID)
  readonly keyId!: string;
}

@Named('RemoveKeyResponseV2')
export class RemoveKeyResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

/** `user.v2.Key` */
@Named('UserKeyV2')
export class UserKeyV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Moment(2, CHANGED)
  readonly changeDate?: Date;

  @Text(3, KEY_ID)
  readonly id!: string;

  @Text(4, { example: EXAMPLE.service })
  readonly userId!: string;

  @Text(5, { example: EXAMPLE.org })
  readonly organizationId!: string;

  @Moment(6, EXPIRES)
  readonly expirationDate?: Date;
}

@Filter()
@Named('KeysSearchFilterV2')
export class KeysSearchFilterV2 {
  @Part(1, () => IdFilterV2, { oneof: 'filter' })
  readonly keyIdFilter?: IdFilterV2;

  @Part(2, () => IdFilterV2, { oneof: 'filter' })
  readonly userIdFilter?: IdFilterV2;

  @Part(3, () => IdFilterV2, { oneof: 'filter' })
  readonly organizationIdFilter?: IdFilterV2;

  @Part(4, () => TimestampFilterV2, { oneof: 'filter' })
  readonly createdDateFilter?: TimestampFilterV2;

  @Part(5, () => TimestampFilterV2, { oneof: 'filter' })
  readonly expirationDateFilter?: TimestampFilterV2;
}

@Named('ListKeysRequestV2')
export class ListKeysRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, KEY_FIELD_NAME_V2, { optional: true, description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn?: ValueOf<typeof KEY_FIELD_NAME_V2>;

  @Parts(3, () => KeysSearchFilterV2, FILTERS)
  readonly filters!: KeysSearchFilterV2[];
}

@Named('ListKeysResponseV2')
export class ListKeysResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => UserKeyV2)
  readonly result!: readonly UserKeyV2[];
}
