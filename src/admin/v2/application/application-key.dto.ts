import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Bytes, Choice, Filter, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { PROJECT_ID } from '../project/project.dto.js';
import { APPLICATION_ID, OF_PROJECT } from './application.dto.js';

/** All keys are of one type. */
const APPLICATION_KEYS_SORTING = wireEnum('ApplicationKeysSortingV2', {
  APPLICATION_KEYS_SORT_BY_ID: [0, 'id'],
  APPLICATION_KEYS_SORT_BY_PROJECT_ID: [1, 'projectId'],
  APPLICATION_KEYS_SORT_BY_APPLICATION_ID: [2, 'appId'],
  APPLICATION_KEYS_SORT_BY_CREATION_DATE: [3, 'creationDate'],
  APPLICATION_KEYS_SORT_BY_ORGANIZATION_ID: [4, 'orgId'],
  APPLICATION_KEYS_SORT_BY_EXPIRATION: [5, 'expiresAt'],
  APPLICATION_KEYS_SORT_BY_TYPE: [6, 'type'],
});

const KEY_ID = {
  min: 1,
  max: 200,
  description: 'ID of the key, used as the `kid` of assertions.',
  example: EXAMPLE.applicationKeyV2,
} as const;
const EXPIRY = {
  description: 'From this time on, assertions signed with the key are rejected.',
  example: '9999-12-31T23:59:59.000Z',
} as const;

@Named('ApplicationKeyV2')
export class ApplicationKeyV2 {
  @Text(1, KEY_ID)
  readonly keyId!: string;

  @Text(2, { example: EXAMPLE.applicationV2 })
  readonly applicationId!: string;

  @Text(3, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Moment(4, CREATED)
  readonly creationDate?: Date;

  @Text(5, { example: EXAMPLE.org })
  readonly organizationId!: string;

  @Moment(6, EXPIRY)
  readonly expirationDate?: Date;
}

@Named('CreateApplicationKeyRequestV2')
export class CreateApplicationKeyRequestV2 {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(2, OF_PROJECT)
  readonly projectId!: string;

  @Moment(3, { description: 'If absent, the key does not expire.', example: '2099-12-31T23:59:59Z' })
  readonly expirationDate?: Date;
}

@Named('CreateApplicationKeyResponseV2')
export class CreateApplicationKeyResponseV2 {
  @Text(1, { example: EXAMPLE.applicationKeyV2 })
  readonly keyId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Bytes(3, {
    description:
      'A JSON document with `type`, `keyId`, `key` (the private key in PEM format), `appId` and `clientId`. Returned only once.',
    example: 'eyJ0eXBlIjoiYXBwbGljYXRpb24ifQ==',
  })
  readonly keyDetails!: Buffer;
}

@Named('DeleteApplicationKeyRequestV2')
export class DeleteApplicationKeyRequestV2 {
  @Text(1, KEY_ID)
  readonly keyId!: string;

  @Text(2, APPLICATION_ID)
  readonly applicationId!: string;

  @Text(3, OF_PROJECT)
  readonly projectId!: string;
}

@Named('DeleteApplicationKeyResponseV2')
export class DeleteApplicationKeyResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('GetApplicationKeyRequestV2')
export class GetApplicationKeyRequestV2 {
  @Text(1, KEY_ID)
  readonly keyId!: string;
}

@Named('GetApplicationKeyResponseV2')
export class GetApplicationKeyResponseV2 {
  @Text(1, { example: EXAMPLE.applicationKeyV2 })
  readonly keyId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Moment(3, EXPIRY)
  readonly expirationDate?: Date;
}

@Named('ApplicationKeyApplicationIdFilterV2')
export class ApplicationKeyApplicationIdFilterV2 {
  @Text(1, APPLICATION_ID)
  readonly applicationId!: string;
}

@Named('ApplicationKeyProjectIdFilterV2')
export class ApplicationKeyProjectIdFilterV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;
}

@Named('ApplicationKeyOrganizationIdFilterV2')
export class ApplicationKeyOrganizationIdFilterV2 {
  @Text(1, { min: 1, max: 200, example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Filter()
@Named('ApplicationKeySearchFilterV2')
export class ApplicationKeySearchFilterV2 {
  @Part(1, () => ApplicationKeyApplicationIdFilterV2, { oneof: 'filter' })
  readonly applicationIdFilter?: ApplicationKeyApplicationIdFilterV2;

  @Part(2, () => ApplicationKeyProjectIdFilterV2, { oneof: 'filter' })
  readonly projectIdFilter?: ApplicationKeyProjectIdFilterV2;

  @Part(3, () => ApplicationKeyOrganizationIdFilterV2, { oneof: 'filter' })
  readonly organizationIdFilter?: ApplicationKeyOrganizationIdFilterV2;
}

@Named('ListApplicationKeysRequestV2')
export class ListApplicationKeysRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, APPLICATION_KEYS_SORTING, { description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn!: ValueOf<typeof APPLICATION_KEYS_SORTING>;

  @Parts(3, () => ApplicationKeySearchFilterV2, FILTERS)
  readonly filters!: ApplicationKeySearchFilterV2[];
}

@Named('ListApplicationKeysResponseV2')
export class ListApplicationKeysResponseV2 {
  @Parts(1, () => ApplicationKeyV2)
  readonly keys!: readonly ApplicationKeyV2[];

  @Part(2, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;
}
