import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Choice, Filter, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { PROJECT_GRANT_ID, PROJECT_ID, QUERIES } from './project.dto.js';

const KEY = {
  min: 1,
  max: 200,
  description: 'The role as it appears in tokens. Unique within the project.',
  example: 'reader',
} as const;
const DISPLAY_NAME = { min: 1, max: 200, description: 'Display name of the role.', example: 'Reader' } as const;
const GROUP = { max: 200, description: 'An optional name to group roles by.', example: 'People' } as const;

@Named('Role')
export class Role {
  @Text(1, { example: 'reader' })
  readonly key!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, { example: 'Reader', description: 'Display name of the role.' })
  readonly displayName!: string;

  @Text(4, { example: 'People', description: 'The group of the role, for display.' })
  readonly group!: string;
}

@Named('AddProjectRoleRequest')
export class AddProjectRoleRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, KEY)
  readonly roleKey!: string;

  @Text(3, DISPLAY_NAME)
  readonly displayName!: string;

  @Text(4, GROUP)
  readonly group!: string;
}

@Named('UpdateProjectRoleRequest')
export class UpdateProjectRoleRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, KEY)
  readonly roleKey!: string;

  @Text(3, DISPLAY_NAME)
  readonly displayName!: string;

  @Text(4, GROUP)
  readonly group!: string;
}

@Named('RemoveProjectRoleRequest')
export class RemoveProjectRoleRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, KEY)
  readonly roleKey!: string;
}

@Named('BulkAddProjectRole')
export class BulkAddProjectRole {
  @Text(1, KEY)
  readonly key!: string;

  @Text(2, DISPLAY_NAME)
  readonly displayName!: string;

  @Text(3, GROUP)
  readonly group!: string;
}

@Named('BulkAddProjectRolesRequest')
export class BulkAddProjectRolesRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Parts(2, () => BulkAddProjectRole, {
    maxItems: 500,
    description: 'Either all of them are added, or none.',
    example: [
      { key: 'writer', displayName: 'Writer', group: 'People' },
      { key: 'planner', displayName: 'Planner', group: 'People' },
    ],
  })
  readonly roles!: BulkAddProjectRole[];
}

@Named('RoleKeyQuery')
export class RoleKeyQuery {
  @Text(1, { max: 200, example: 'read' })
  readonly key!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('RoleDisplayNameQuery')
export class RoleDisplayNameQuery {
  @Text(1, { max: 200, example: 'Read', description: 'Display name of the role.' })
  readonly displayName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Filter()
@Named('RoleQuery')
export class RoleQuery {
  @Part(1, () => RoleKeyQuery, { oneof: 'query' })
  readonly keyQuery?: RoleKeyQuery;

  @Part(2, () => RoleDisplayNameQuery, { oneof: 'query' })
  readonly displayNameQuery?: RoleDisplayNameQuery;
}

@Named('ListProjectRolesRequest')
export class ListProjectRolesRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => RoleQuery, QUERIES)
  readonly queries!: RoleQuery[];
}

@Named('ListGrantedProjectRolesRequest')
export class ListGrantedProjectRolesRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, PROJECT_GRANT_ID)
  readonly grantId!: string;

  @Part(3, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(4, () => RoleQuery, QUERIES)
  readonly queries!: RoleQuery[];
}

@Named('ListProjectRolesResponse')
export class ListProjectRolesResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Role)
  readonly result!: readonly Role[];
}
