import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { FILTERS, HOW, IdFilterV2, InIdsFilterV2, TEXT_FILTER_METHOD, TimestampFilterV2 } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { AdministratorV2, ResourceProjectGrantV2 } from './administrator.dto.js';

const ADMINISTRATOR_FIELD_NAME = wireEnum('AdministratorFieldNameV2', {
  ADMINISTRATOR_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  ADMINISTRATOR_FIELD_NAME_USER_ID: [1, 'userId'],
  ADMINISTRATOR_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
  ADMINISTRATOR_FIELD_NAME_CHANGE_DATE: [3, 'changeDate'],
});

@Named('UserPreferredLoginNameFilterV2')
export class UserPreferredLoginNameFilterV2 {
  @Text(1, { min: 1, max: 200, example: 'ilse.brandt@acme.localhost', description: 'A whole login name of the user.' })
  readonly preferredLoginName!: string;

  @Choice(2, TEXT_FILTER_METHOD, { description: 'Only the two that compare whole texts.' })
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('UserDisplayNameFilterV2')
export class UserDisplayNameFilterV2 {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly displayName!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

/** What is managed: one of the four. */
@Filter()
@Named('ResourceFilterV2')
export class ResourceFilterV2 {
  @Flag(1, { oneof: 'resource', description: 'Managers of the instance, or those of anything else.' })
  readonly instance?: boolean;

  @Text(2, { oneof: 'resource', min: 1, max: 200, example: EXAMPLE.org })
  readonly organizationId?: string;

  @Text(3, { oneof: 'resource', min: 1, max: 200, example: EXAMPLE.projectV2 })
  readonly projectId?: string;

  @Part(4, () => ResourceProjectGrantV2, { oneof: 'resource' })
  readonly projectGrant?: ResourceProjectGrantV2;
}

@Named('RoleFilterV2')
export class RoleFilterV2 {
  @Text(1, { min: 1, max: 200, example: 'ORG_OWNER', description: 'The name of a manager role.' })
  readonly roleKey!: string;
}

@Named('AdministratorAndFilterV2')
export class AdministratorAndFilterV2 {
  @Parts(1, () => AdministratorSearchFilterV2, FILTERS)
  readonly queries!: AdministratorSearchFilterV2[];
}

@Named('AdministratorOrFilterV2')
export class AdministratorOrFilterV2 {
  @Parts(1, () => AdministratorSearchFilterV2, {
    maxItems: 20,
    description: 'Combined with OR; an empty list matches nobody.',
  })
  readonly queries!: AdministratorSearchFilterV2[];
}

@Named('AdministratorNotFilterV2')
export class AdministratorNotFilterV2 {
  @Part(1, () => AdministratorSearchFilterV2, { required: true, description: 'The filter to negate.' })
  readonly query!: Readonly<AdministratorSearchFilterV2>; // a bare class that is declared later would be asked for as metadata
}

@Filter()
@Named('AdministratorSearchFilterV2')
export class AdministratorSearchFilterV2 {
  @Part(1, () => TimestampFilterV2, { oneof: 'filter' })
  readonly creationDate?: TimestampFilterV2;

  @Part(2, () => TimestampFilterV2, { oneof: 'filter' })
  readonly changeDate?: TimestampFilterV2;

  @Part(3, () => InIdsFilterV2, { oneof: 'filter' })
  readonly inUserIdsFilter?: InIdsFilterV2;

  @Part(4, () => IdFilterV2, { oneof: 'filter', description: 'The organization that the user belongs to.' })
  readonly userOrganizationId?: IdFilterV2;

  @Part(5, () => UserPreferredLoginNameFilterV2, { oneof: 'filter' })
  readonly userPreferredLoginName?: UserPreferredLoginNameFilterV2;

  @Part(6, () => UserDisplayNameFilterV2, { oneof: 'filter' })
  readonly userDisplayName?: UserDisplayNameFilterV2;

  @Part(7, () => ResourceFilterV2, { oneof: 'filter' })
  readonly resource?: ResourceFilterV2;

  @Part(8, () => RoleFilterV2, { oneof: 'filter' })
  readonly role?: RoleFilterV2;

  @Part(9, () => AdministratorAndFilterV2, { oneof: 'filter' })
  readonly and?: AdministratorAndFilterV2;

  @Part(10, () => AdministratorOrFilterV2, { oneof: 'filter' })
  readonly or?: AdministratorOrFilterV2;

  @Part(11, () => AdministratorNotFilterV2, { oneof: 'filter' })
  readonly not?: AdministratorNotFilterV2;
}

@Named('ListAdministratorsRequestV2')
export class ListAdministratorsRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, ADMINISTRATOR_FIELD_NAME, { description: 'The field to sort by. Defaults to the ID of the user.' })
  readonly sortingColumn!: ValueOf<typeof ADMINISTRATOR_FIELD_NAME>;

  @Parts(3, () => AdministratorSearchFilterV2, FILTERS)
  readonly filters!: AdministratorSearchFilterV2[];
}

@Named('ListAdministratorsResponseV2')
export class ListAdministratorsResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => AdministratorV2)
  readonly administrators!: readonly AdministratorV2[];
}
