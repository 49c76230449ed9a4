import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { KEY_TYPE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Bytes, Choice, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { APP_ID, PROJECT_ID } from './app.dto.js';

const API_APP_ID = { ...APP_ID, example: EXAMPLE.apiApp } as const;
const KEY_ID = {
  min: 1,
  max: 200,
  description: 'ID of the key, used as the `kid` of assertions.',
  example: EXAMPLE.appKey,
} as const;
const MAX_PEM_BYTES = 16_384;

@Named('AppKey')
export class AppKey {
  @Text(1, { description: 'The `kid` of assertions.', example: EXAMPLE.appKey })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, KEY_TYPE, {
    example: 'KEY_TYPE_JSON',
    description: 'The format of the key file that is returned when the service generates the key pair.',
  })
  readonly type!: ValueOf<typeof KEY_TYPE>;

  @Moment(4, {
    description: 'From this time on, assertions signed with the key are rejected.',
    example: '9999-12-31T23:59:59.000Z',
  })
  readonly expirationDate?: Date | undefined;
}

@Named('AppKeyReference')
export class AppKeyReference {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, API_APP_ID)
  readonly appId!: string;

  @Text(3, KEY_ID)
  readonly keyId!: string;
}

@Named('AppKeyResponse')
export class AppKeyResponse {
  @Part(1, () => AppKey)
  readonly key!: AppKey;
}

@Named('ListAppKeysRequest')
export class ListAppKeysRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Text(2, API_APP_ID)
  readonly appId!: string;

  @Text(3, PROJECT_ID)
  readonly projectId!: string;
}

@Named('ListAppKeysResponse')
export class ListAppKeysResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => AppKey)
  readonly result!: readonly AppKey[];
}

@Named('AddAppKeyRequest')
export class AddAppKeyRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, API_APP_ID)
  readonly appId!: string;

  @Choice(3, KEY_TYPE, {
    required: true,
    example: 'KEY_TYPE_JSON',
    description: 'The format of the returned key file.',
  })
  readonly type!: ValueOf<typeof KEY_TYPE>;

  @Moment(4, { description: 'If absent, the key does not expire.', example: '2099-12-31T23:59:59Z' })
  readonly expirationDate?: Date | undefined;

  @Bytes(100, {
    max: MAX_PEM_BYTES,
    description: 'Your own public key in PEM format. If empty, the service generates a key pair.',
    example: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=',
  })
  readonly publicKey!: Buffer;
}

@Named('AddAppKeyResponse')
export class AddAppKeyResponse {
  @Text(1, { example: EXAMPLE.appKey })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Bytes(3, {
    description:
      'A JSON document with `type`, `keyId`, `key` (the private key in PEM format), `appId` and `clientId`. Returned only once; empty if you supplied the public key.',
    example: 'eyJ0eXBlIjoiYXBwbGljYXRpb24ifQ==',
  })
  readonly keyDetails!: Buffer;
}
