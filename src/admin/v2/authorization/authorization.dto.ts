import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text, Texts } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, HOW, IdFilterV2, InIdsFilterV2, TEXT_FILTER_METHOD } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';

const AUTHORIZATION_STATE = wireEnum(
  'AuthorizationStateV2',
  {
    STATE_UNSPECIFIED: [0, 'unspecified'],
    STATE_ACTIVE: [1, 'active'],
    STATE_INACTIVE: [2, 'inactive'],
  },
  {},
  'AuthorizationV2',
);

const AUTHORIZATION_FIELD_NAME = wireEnum('AuthorizationFieldNameV2', {
  AUTHORIZATION_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  AUTHORIZATION_FIELD_NAME_CREATED_DATE: [1, 'creationDate'],
  AUTHORIZATION_FIELD_NAME_CHANGED_DATE: [2, 'changeDate'],
  AUTHORIZATION_FIELD_NAME_ID: [3, 'id'],
  AUTHORIZATION_FIELD_NAME_USER_ID: [4, 'userId'],
  AUTHORIZATION_FIELD_NAME_PROJECT_ID: [5, 'projectId'],
  AUTHORIZATION_FIELD_NAME_ORGANIZATION_ID: [6, 'orgId'],
  AUTHORIZATION_FIELD_NAME_USER_ORGANIZATION_ID: [7, 'userOrgId'],
});

const ID = { min: 1, max: 200, description: 'ID of the authorization.', example: EXAMPLE.authorization } as const;
const ROLE_KEYS = {
  min: 1,
  max: 200,
  description: 'Roles of the project; of a project that was granted to the organization, those of that grant.',
  example: ['inspector'],
} as const;

@Named('AuthorizationProjectV2')
export class AuthorizationProjectV2 {
  @Text(1, { example: EXAMPLE.projectV2 })
  readonly id!: string;

  @Text(2, { example: 'Timetable' })
  readonly name!: string;

  @Text(3, { description: 'The organization that owns the project.', example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Named('AuthorizationOrganizationV2')
export class AuthorizationOrganizationV2 {
  @Text(1, { example: EXAMPLE.org })
  readonly id!: string;

  @Text(2, { example: 'Acme' })
  readonly name!: string;
}

@Named('AuthorizationUserV2')
export class AuthorizationUserV2 {
  @Text(1, { example: EXAMPLE.personV2 })
  readonly id!: string;

  @Text(2, { example: 'ilse.brandt@acme.localhost' })
  readonly preferredLoginName!: string;

  @Text(3, { example: 'Ilse Brandt' })
  readonly displayName!: string;

  @Text(4, { description: 'Always empty: the service does not store pictures.' })
  readonly avatarUrl!: string;

  @Text(5, { description: 'The organization that the user belongs to.', example: EXAMPLE.org })
  readonly organizationId!: string;
}

@Named('AuthorizationRoleV2')
export class AuthorizationRoleV2 {
  @Text(1, { example: 'inspector' })
  readonly key!: string;

  @Text(2, { example: 'Inspector' })
  readonly displayName!: string;

  @Text(3, { example: 'Staff', description: 'The group of roles that it is shown in.' })
  readonly group!: string;
}

@Named('AuthorizationV2')
export class AuthorizationV2 {
  @Text(1, { example: EXAMPLE.authorization })
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Moment(3, CHANGED)
  readonly changeDate?: Date;

  @Part(4, () => AuthorizationProjectV2)
  readonly project!: AuthorizationProjectV2;

  @Part(5, () => AuthorizationOrganizationV2, { description: 'The organization that granted the roles.' })
  readonly organization!: AuthorizationOrganizationV2;

  @Part(6, () => AuthorizationUserV2)
  readonly user!: AuthorizationUserV2;

  @Choice(7, AUTHORIZATION_STATE, {
    example: 'STATE_ACTIVE',
    description: 'The roles of an inactive authorization have no effect.',
  })
  readonly state!: ValueOf<typeof AUTHORIZATION_STATE>;

  @Parts(8, () => AuthorizationRoleV2)
  readonly roles!: readonly AuthorizationRoleV2[];
}

@Named('AuthorizationIdRequestV2')
export class AuthorizationIdRequestV2 {
  @Text(1, ID)
  readonly id!: string;
}

@Named('CreateAuthorizationRequestV2')
export class CreateAuthorizationRequestV2 {
  @Text(1, { min: 1, max: 200, description: 'The user who gets the roles.', example: EXAMPLE.personV2 })
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'The project that the roles are of.', example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(3, {
    min: 1,
    max: 200,
    description: 'The organization that grants the roles: the one that owns the project, or one that it is granted to.',
    example: EXAMPLE.org,
  })
  readonly organizationId!: string;

  @Texts(4, ROLE_KEYS)
  readonly roleKeys!: string[];
}

@Named('CreateAuthorizationResponseV2')
export class CreateAuthorizationResponseV2 {
  @Text(1, { example: EXAMPLE.authorization })
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('UpdateAuthorizationRequestV2')
export class UpdateAuthorizationRequestV2 {
  @Text(1, ID)
  readonly id!: string;

  @Texts(2, { ...ROLE_KEYS, replaces: true })
  readonly roleKeys!: string[];
}

@Named('AuthorizationChangedV2')
export class AuthorizationChangedV2 {
  @Moment(1, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteAuthorizationResponseV2')
export class DeleteAuthorizationResponseV2 {
  @Moment(1, REMOVED)
  readonly deletionDate?: Date;
}

@Named('AuthorizationStateQueryV2')
export class AuthorizationStateQueryV2 {
  @Choice(1, AUTHORIZATION_STATE, { example: 'STATE_ACTIVE', description: 'The state to match.' })
  readonly state!: ValueOf<typeof AUTHORIZATION_STATE>;
}

@Named('UserPreferredLoginNameQueryV2')
export class UserPreferredLoginNameQueryV2 {
  @Text(1, { min: 1, max: 200, example: 'ilse.brandt@acme.localhost', description: 'A whole login name of the user.' })
  readonly loginName!: string;

  @Choice(2, TEXT_FILTER_METHOD, { description: 'Only the two that compare whole texts.' })
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('AuthorizationUserDisplayNameQueryV2')
export class AuthorizationUserDisplayNameQueryV2 {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly displayName!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('AuthorizationProjectNameQueryV2')
export class AuthorizationProjectNameQueryV2 {
  @Text(1, { max: 200, example: 'Time' })
  readonly name!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('AuthorizationRoleKeyQueryV2')
export class AuthorizationRoleKeyQueryV2 {
  @Text(1, { max: 200, example: 'inspector' })
  readonly key!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Filter()
@Named('AuthorizationsSearchFilterV2')
export class AuthorizationsSearchFilterV2 {
  @Part(1, () => InIdsFilterV2, { oneof: 'filter' })
  readonly authorizationIds?: InIdsFilterV2;

  @Part(2, () => IdFilterV2, { oneof: 'filter', description: 'The organization that granted the roles.' })
  readonly organizationId?: IdFilterV2;

  @Part(3, () => AuthorizationStateQueryV2, { oneof: 'filter' })
  readonly state?: AuthorizationStateQueryV2;

  @Part(4, () => InIdsFilterV2, { oneof: 'filter' })
  readonly inUserIds?: InIdsFilterV2;

  @Part(5, () => IdFilterV2, { oneof: 'filter', description: 'The organization that the user belongs to.' })
  readonly userOrganizationId?: IdFilterV2;

  @Part(6, () => UserPreferredLoginNameQueryV2, { oneof: 'filter' })
  readonly userPreferredLoginName?: UserPreferredLoginNameQueryV2;

  @Part(7, () => AuthorizationUserDisplayNameQueryV2, { oneof: 'filter' })
  readonly userDisplayName?: AuthorizationUserDisplayNameQueryV2;

  @Part(8, () => IdFilterV2, { oneof: 'filter' })
  readonly projectId?: IdFilterV2;

  @Part(9, () => AuthorizationProjectNameQueryV2, { oneof: 'filter' })
  readonly projectName?: AuthorizationProjectNameQueryV2;

  @Part(10, () => AuthorizationRoleKeyQueryV2, { oneof: 'filter' })
  readonly roleKey?: AuthorizationRoleKeyQueryV2;

  @Part(11, () => IdFilterV2, { oneof: 'filter' })
  readonly projectGrantId?: IdFilterV2;
}

@Named('ListAuthorizationsRequestV2')
export class ListAuthorizationsRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, AUTHORIZATION_FIELD_NAME, { description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn!: ValueOf<typeof AUTHORIZATION_FIELD_NAME>;

  @Parts(3, () => AuthorizationsSearchFilterV2, FILTERS)
  readonly filters!: AuthorizationsSearchFilterV2[];
}

@Named('ListAuthorizationsResponseV2')
export class ListAuthorizationsResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => AuthorizationV2)
  readonly authorizations!: readonly AuthorizationV2[];
}
