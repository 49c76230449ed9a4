import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { USER_GRANT_STATE } from '../../project/user-grant/user-grant.enums.js';
import { USER_TYPE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { QUERIES } from '../project/project.dto.js';
import { USER_ID } from '../user/user-id.js';
import { UserGrantQuery } from './user-grant-query.dto.js';

const GRANT_ID = { min: 1, max: 200, description: 'ID of the user grant.', example: EXAMPLE.userGrant } as const;
export const PROJECT_ID = { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project } as const;
export const PROJECT_GRANT_ID = {
  max: 200,
  description:
    'ID of the project grant for a granted project. Optional: an organization has at most one grant of a project.',
} as const;
export const ROLE_KEYS = {
  min: 1,
  max: 200,
  description: 'Roles of the project, limited to the granted ones for a granted project.',
  example: ['reader'],
} as const;

@Named('UserGrant')
export class UserGrant {
  @Text(1, { example: EXAMPLE.userGrant })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Texts(3, { example: ['reader'], description: 'Keys of the granted roles.' })
  readonly roleKeys!: readonly string[];

  @Choice(4, USER_GRANT_STATE, {
    example: 'USER_GRANT_STATE_ACTIVE',
    description: 'The roles of an inactive grant have no effect.',
  })
  readonly state!: ValueOf<typeof USER_GRANT_STATE>;

  @Text(5, { example: EXAMPLE.person })
  readonly userId!: string;

  @Text(6, { example: 'ilse.brandt', description: 'The user name: the part of the login name before the domain.' })
  readonly userName!: string;

  @Text(7, { example: 'Ilse' })
  readonly firstName!: string;

  @Text(8, { example: 'Brandt' })
  readonly lastName!: string;

  @Text(9, { example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Text(10, { example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Text(11, { description: 'The organization that granted the roles.', example: EXAMPLE.org })
  readonly orgId!: string;

  @Text(12, { example: 'Acme', description: 'The organization that granted the roles.' })
  readonly orgName!: string;

  @Text(13, { example: 'acme.localhost', description: 'Its primary domain.' })
  readonly orgDomain!: string;

  @Text(14, { example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(15, { example: 'Timetable' })
  readonly projectName!: string;

  @Text(16, {
    description: 'ID of the project grant; empty if the organization that granted the roles owns the project.',
  })
  readonly projectGrantId!: string;

  @Text(17, { description: 'Always empty: the service does not store pictures.' })
  readonly avatarUrl!: string;

  @Text(18, { example: 'ilse.brandt@acme.localhost', description: 'The preferred login name, shown to applications.' })
  readonly preferredLoginName!: string;

  @Choice(19, USER_TYPE, { example: 'TYPE_HUMAN', description: 'Human user or service user.' })
  readonly userType!: ValueOf<typeof USER_TYPE>;

  @Text(20, { description: 'The organization that the user belongs to.', example: EXAMPLE.org })
  readonly grantedOrgId!: string;

  @Text(21, { example: 'Acme', description: 'The organization that the user belongs to.' })
  readonly grantedOrgName!: string;

  @Text(22, { example: 'acme.localhost', description: 'Its primary domain.' })
  readonly grantedOrgDomain!: string;
}

@Named('UserGrantReference')
export class UserGrantReference {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, GRANT_ID)
  readonly grantId!: string;
}

@Named('UserGrantResponse')
export class UserGrantResponse {
  @Part(1, () => UserGrant)
  readonly userGrant!: UserGrant;
}

@Named('ListUserGrantsRequest')
export class ListUserGrantsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => UserGrantQuery, QUERIES)
  readonly queries!: UserGrantQuery[];
}

@Named('ListUserGrantsResponse')
export class ListUserGrantsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => UserGrant)
  readonly result!: readonly UserGrant[];
}

@Named('AddUserGrantRequest')
export class AddUserGrantRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, PROJECT_ID)
  readonly projectId!: string;

  @Text(3, PROJECT_GRANT_ID)
  readonly projectGrantId!: string;

  @Texts(4, ROLE_KEYS)
  readonly roleKeys!: string[];
}

@Named('AddUserGrantResponse')
export class AddUserGrantResponse {
  @Text(1, { example: EXAMPLE.userGrant })
  readonly userGrantId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UpdateUserGrantRequest')
export class UpdateUserGrantRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, GRANT_ID)
  readonly grantId!: string;

  @Texts(3, { ...ROLE_KEYS, replaces: true })
  readonly roleKeys!: string[];
}

@Named('BulkRemoveUserGrantRequest')
export class BulkRemoveUserGrantRequest {
  @Texts(1, {
    min: 1,
    max: 200,
    description: 'IDs of the user grants: either all of them are removed, or none.',
    example: [EXAMPLE.userGrant],
  })
  readonly grantId!: string[];
}

@Named('BulkRemoveUserGrantResponse')
export class BulkRemoveUserGrantResponse {}
