import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { ACCESS_TOKEN_HEADER_TYPE, ACCESS_TOKEN_TYPE, KEY_TYPE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Bytes, Choice, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { HEADER_TYPE, type SentHeaderType } from '../kit/wire/token-header-type.js';
import { USER_ID } from './user-id.js';

const SERVICE_ID = { ...USER_ID, example: EXAMPLE.service };
const NAME = { min: 1, max: 200, description: 'Display name of the service user.', example: 'Nightly report' };
const DESCRIPTION = { max: 500, example: 'Reads the numbers of the day' };
const TOKEN_TYPE = {
  description: 'The format of its access tokens: opaque or JWT.',
  example: 'ACCESS_TOKEN_TYPE_BEARER',
};
const EXPIRATION = {
  description: 'Must be in the future. If absent, it does not expire.',
  example: '2099-12-31T23:59:59Z',
};

@Named('AddMachineUserRequest')
export class AddMachineUserRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description:
      'The user name, which is also the client ID at the token endpoint. Must differ from the client IDs of all applications.',
    example: 'nightly-report',
  })
  readonly userName!: string;

  @Text(2, NAME)
  readonly name!: string;

  @Text(3, { ...DESCRIPTION, description: 'Description of its purpose.' })
  readonly description!: string;

  @Choice(4, ACCESS_TOKEN_TYPE, TOKEN_TYPE)
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;

  @Text(5, { min: 1, max: 200, optional: true, description: 'ID of the user. If absent, one is generated.' })
  readonly userId?: string;

  @Choice(100, ACCESS_TOKEN_HEADER_TYPE, HEADER_TYPE)
  readonly accessTokenHeaderType!: SentHeaderType;
}

@Named('AddMachineUserResponse')
export class AddMachineUserResponse {
  @Text(1, { example: EXAMPLE.service })
  readonly userId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UpdateMachineRequest')
export class UpdateMachineRequest {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Text(2, { ...DESCRIPTION, description: 'Description of its purpose.' })
  readonly description!: string;

  @Text(3, NAME)
  readonly name!: string;

  @Choice(4, ACCESS_TOKEN_TYPE, TOKEN_TYPE)
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;

  @Choice(100, ACCESS_TOKEN_HEADER_TYPE, HEADER_TYPE)
  readonly accessTokenHeaderType!: SentHeaderType;
}

@Named('GenerateMachineSecretResponse')
export class GenerateMachineSecretResponse {
  @Text(1, { description: 'The user name.', example: 'nightly-report' })
  readonly clientId!: string;

  @Text(2, { description: 'Returned only once; only a digest is stored.', example: 'Qk2…64 characters' })
  readonly clientSecret!: string;

  @Part(3, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('AddMachineKeyRequest')
export class AddMachineKeyRequest {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Choice(2, KEY_TYPE, {
    required: true,
    example: 'KEY_TYPE_JSON',
    description: 'The format of the returned key file.',
  })
  readonly type!: ValueOf<typeof KEY_TYPE>;

  @Moment(3, EXPIRATION)
  readonly expirationDate?: Date;

  @Bytes(4, {
    max: 16_384,
    description:
      'Your own public key in PEM format. If absent, a key pair is generated and the private key is returned once.',
    example: 'LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0=',
  })
  readonly publicKey!: Buffer;
}

@Named('AddMachineKeyResponse')
export class AddMachineKeyResponse {
  @Text(1, { description: 'The `kid` of assertions that are signed with the key.', example: EXAMPLE.machineKey })
  readonly keyId!: string;

  @Bytes(2, {
    description:
      'A JSON document with `type`, `keyId`, `key` (the private key in PEM format) and `userId`. Returned only once; empty if you supplied the public key.',
    example: 'eyJ0eXBlIjoic2VydmljZWFjY291bnQifQ==',
  })
  readonly keyDetails!: Buffer;

  @Part(3, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('MachineKeyByIds')
export class MachineKeyByIds {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the key.', example: EXAMPLE.machineKey })
  readonly keyId!: string;
}

@Named('MachineKey')
export class MachineKey {
  @Text(1, { example: EXAMPLE.machineKey })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, KEY_TYPE, {
    example: 'KEY_TYPE_JSON',
    description: 'The format of the key file that is returned when the service generates the key pair.',
  })
  readonly type!: ValueOf<typeof KEY_TYPE>;

  @Moment(4, { description: 'When it expires; 9999-12-31T23:59:59Z means never.', example: '2099-12-31T23:59:59.000Z' })
  readonly expirationDate!: Date;
}

@Named('MachineKeyResponse')
export class MachineKeyResponse {
  @Part(1, () => MachineKey)
  readonly key!: MachineKey;
}

@Named('ListMachineKeysRequest')
export class ListMachineKeysRequest {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListMachineKeysResponse')
export class ListMachineKeysResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => MachineKey)
  readonly result!: readonly MachineKey[];
}

@Named('AddPersonalAccessTokenRequest')
export class AddPersonalAccessTokenRequest {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Moment(2, EXPIRATION)
  readonly expirationDate?: Date;
}

@Named('AddPersonalAccessTokenResponse')
export class AddPersonalAccessTokenResponse {
  @Text(1, { example: EXAMPLE.personalAccessToken })
  readonly tokenId!: string;

  @Text(2, { description: 'Returned only once; only a digest is stored.', example: 'gtp_…' })
  readonly token!: string;

  @Part(3, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('PersonalAccessTokenByIds')
export class PersonalAccessTokenByIds {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the token.', example: EXAMPLE.personalAccessToken })
  readonly tokenId!: string;
}

@Named('PersonalAccessToken')
export class PersonalAccessToken {
  @Text(1, { example: EXAMPLE.personalAccessToken })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Moment(3, { description: 'When it expires; 9999-12-31T23:59:59Z means never.', example: '2099-12-31T23:59:59.000Z' })
  readonly expirationDate!: Date;

  @Texts(4, { example: ['openid', 'profile'], description: 'The scopes of the token.' })
  readonly scopes!: readonly string[];
}

@Named('PersonalAccessTokenResponse')
export class PersonalAccessTokenResponse {
  @Part(1, () => PersonalAccessToken)
  readonly token!: PersonalAccessToken;
}

@Named('ListPersonalAccessTokensRequest')
export class ListPersonalAccessTokensRequest {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListPersonalAccessTokensResponse')
export class ListPersonalAccessTokensResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => PersonalAccessToken)
  readonly result!: readonly PersonalAccessToken[];
}
