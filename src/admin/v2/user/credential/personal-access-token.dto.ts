import { type ValueOf, wireEnum } from '../../../../foundation/http/wire-enum.js';
import type { CredentialColumn } from '../../../../user/credential-listing.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text } from '../../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../../kit/dates.js';
import { FILTERS, IdFilterV2, TimestampFilterV2 } from '../../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../../kit/page.dto.js';
import { EXPIRES, EXPIRY, SERVICE_ID } from './service-user.dto.js';

const TOKEN_FIELD_NAME_V2 = wireEnum('PersonalAccessTokenFieldNameV2', {
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_CREATED_DATE: [1, 'creationDate'],
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_ID: [2, 'id'],
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_USER_ID: [3, 'userId'],
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_ORGANIZATION_ID: [4, 'orgId'],
  PERSONAL_ACCESS_TOKEN_FIELD_NAME_EXPIRATION_DATE: [5, 'expiresAt'],
}) satisfies { members: ReadonlyArray<{ value: CredentialColumn | 'unspecified' }> };

const TOKEN_ID = { min: 1, max: 200, description: 'ID of the token.', example: EXAMPLE.personalAccessTokenV2 } as const;

@Named('AddPersonalAccessTokenRequestV2')
export class AddPersonalAccessTokenRequestV2 {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Moment(2, EXPIRY)
  readonly expirationDate?: Date;
}

@Named('AddPersonalAccessTokenResponseV2')
export class AddPersonalAccessTokenResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Text(2, TOKEN_ID)
  readonly tokenId!: string;

  @Text(3, { description: 'Returned only once; only a digest is stored.', example: 'gtp_…' })
  readonly token!: string;
}

@Named('RemovePersonalAccessTokenRequestV2')
export class RemovePersonalAccessTokenRequestV2 {
  @Text(1, SERVICE_ID)
  readonly userId!: string;

  @Text(2, TOKEN_ID)
  readonly tokenId!: string;
}

@Named('RemovePersonalAccessTokenResponseV2')
export class RemovePersonalAccessTokenResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('PersonalAccessTokenV2')
export class PersonalAccessTokenV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;

  @Moment(2, CHANGED)
  readonly changeDate?: Date;

  @Text(3, TOKEN_ID)
  readonly id!: string;

  @Text(4, { example: EXAMPLE.service })
  readonly userId!: string;

  @Text(5, { example: EXAMPLE.org })
  readonly organizationId!: string;

  @Moment(6, EXPIRES)
  readonly expirationDate?: Date;
}

@Filter()
@Named('PersonalAccessTokensSearchFilterV2')
export class PersonalAccessTokensSearchFilterV2 {
  @Part(1, () => IdFilterV2, { oneof: 'filter' })
  readonly tokenIdFilter?: IdFilterV2;

  @Part(2, () => IdFilterV2, { oneof: 'filter' })
  readonly userIdFilter?: IdFilterV2;

  @Part(3, () => IdFilterV2, { oneof: 'filter' })
  readonly organizationIdFilter?: IdFilterV2;

  @Part(4, () => TimestampFilterV2, { oneof: 'filter' })
  readonly createdDateFilter?: TimestampFilterV2;

  @Part(5, () => TimestampFilterV2, { oneof: 'filter' })
  readonly expirationDateFilter?: TimestampFilterV2;
}

@Named('ListPersonalAccessTokensRequestV2')
export class ListPersonalAccessTokensRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, TOKEN_FIELD_NAME_V2, { optional: true, description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn?: ValueOf<typeof TOKEN_FIELD_NAME_V2>;

  @Parts(3, () => PersonalAccessTokensSearchFilterV2, FILTERS)
  readonly filters!: PersonalAccessTokensSearchFilterV2[];
}

@Named('ListPersonalAccessTokensResponseV2')
export class ListPersonalAccessTokensResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => PersonalAccessTokenV2)
  readonly result!: readonly PersonalAccessTokenV2[];
}
