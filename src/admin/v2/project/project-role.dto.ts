import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, HOW, TEXT_FILTER_METHOD } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { PROJECT_ID } from './project.dto.js';

const ROLE_FIELD_NAME = wireEnum('ProjectRoleFieldNameV2', {
  PROJECT_ROLE_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_ROLE_FIELD_NAME_KEY: [1, 'key'],
  PROJECT_ROLE_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
  PROJECT_ROLE_FIELD_NAME_CHANGE_DATE: [3, 'changeDate'],
});

const ROLE_KEY = { min: 1, max: 200, description: 'What tokens contain.', example: 'inspector' } as const;
const DISPLAY_NAME = { max: 200, description: 'What people see.', example: 'Inspector' } as const;
const GROUP = { max: 200, description: 'Sorts roles of many, as you like.', example: 'Staff' } as const;

@Named('ProjectRoleV2')
export class ProjectRoleV2 {
  @Text(1, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(2, ROLE_KEY)
  readonly key!: string;

  @Moment(3, CREATED)
  readonly creationDate?: Date;

  @Moment(4, CHANGED)
  readonly changeDate?: Date;

  @Text(5, DISPLAY_NAME)
  readonly displayName!: string;

  @Text(6, GROUP)
  readonly group!: string;
}

@Named('AddProjectRoleRequestV2')
export class AddProjectRoleRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, ROLE_KEY)
  readonly roleKey!: string;

  @Text(3, { ...DISPLAY_NAME, min: 1 })
  readonly displayName!: string;

  @Text(4, { optional: true, ...GROUP })
  readonly group?: string;
}

@Named('AddProjectRoleResponseV2')
export class AddProjectRoleResponseV2 {
  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('UpdateProjectRoleRequestV2')
export class UpdateProjectRoleRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, ROLE_KEY)
  readonly roleKey!: string;

  @Text(3, { optional: true, min: 1, ...DISPLAY_NAME })
  readonly displayName?: string;

  @Text(4, { optional: true, ...GROUP })
  readonly group?: string;
}

@Named('RemoveProjectRoleRequestV2')
export class RemoveProjectRoleRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, ROLE_KEY)
  readonly roleKey!: string;
}

@Named('RemoveProjectRoleResponseV2')
export class RemoveProjectRoleResponseV2 {
  @Moment(3, REMOVED)
  readonly removalDate?: Date;
}

@Named('ProjectRoleKeyFilterV2')
export class ProjectRoleKeyFilterV2 {
  @Text(1, { max: 200, example: 'inspector' })
  readonly key!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('ProjectRoleDisplayNameFilterV2')
export class ProjectRoleDisplayNameFilterV2 {
  @Text(1, { max: 200, example: 'Inspector' })
  readonly displayName!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Filter()
@Named('ProjectRoleSearchFilterV2')
export class ProjectRoleSearchFilterV2 {
  @Part(1, () => ProjectRoleKeyFilterV2, { oneof: 'filter' })
  readonly roleKeyFilter?: ProjectRoleKeyFilterV2;

  @Part(2, () => ProjectRoleDisplayNameFilterV2, { oneof: 'filter' })
  readonly displayNameFilter?: ProjectRoleDisplayNameFilterV2;
}

@Named('ListProjectRolesRequestV2')
export class ListProjectRolesRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Part(2, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(3, ROLE_FIELD_NAME, { optional: true, description: 'The field to sort by. Defaults to the key.' })
  readonly sortingColumn?: ValueOf<typeof ROLE_FIELD_NAME>;

  @Parts(4, () => ProjectRoleSearchFilterV2, FILTERS)
  readonly filters!: ProjectRoleSearchFilterV2[];
}

@Named('ListProjectRolesResponseV2')
export class ListProjectRolesResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => ProjectRoleV2)
  readonly projectRoles!: readonly ProjectRoleV2[];
}
