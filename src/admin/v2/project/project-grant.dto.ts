import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text, Texts } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, IdFilterV2, InIdsFilterV2 } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';
import { PROJECT_ID, ProjectNameFilterV2 } from './project.dto.js';
import { ProjectRoleKeyFilterV2 } from './project-role.dto.js';

const PROJECT_GRANT_STATE = wireEnum('ProjectGrantStateV2', {
  PROJECT_GRANT_STATE_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_GRANT_STATE_ACTIVE: [1, 'active'],
  PROJECT_GRANT_STATE_INACTIVE: [2, 'inactive'],
});

const GRANT_FIELD_NAME = wireEnum('ProjectGrantFieldNameV2', {
  PROJECT_GRANT_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_GRANT_FIELD_NAME_PROJECT_ID: [1, 'projectId'],
  PROJECT_GRANT_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
  PROJECT_GRANT_FIELD_NAME_CHANGE_DATE: [3, 'changeDate'],
});

const GRANTED_ORG = {
  min: 1,
  max: 200,
  description: 'ID of the organization that it is granted to.',
  example: EXAMPLE.setUpOrg,
} as const;
const ROLE_KEYS = { min: 1, max: 200, description: 'The roles that it may grant.', example: ['inspector'] } as const;

@Named('ProjectGrantV2')
export class ProjectGrantV2 {
  @Text(1, { description: 'ID of the organization that owns the project.', example: EXAMPLE.org })
  readonly organizationId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;

  @Moment(3, CHANGED)
  readonly changeDate?: Date;

  @Text(4, { example: EXAMPLE.setUpOrg })
  readonly grantedOrganizationId!: string;

  @Text(5, { example: 'Birkenhof Logistik' })
  readonly grantedOrganizationName!: string;

  @Texts(6, { description: 'The roles that the organization may grant.', example: ['inspector'] })
  readonly grantedRoleKeys!: readonly string[];

  @Text(7, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(8, { example: 'Timetable' })
  readonly projectName!: string;

  @Choice(9, PROJECT_GRANT_STATE, {
    example: 'PROJECT_GRANT_STATE_ACTIVE',
    description: 'User grants based on an inactive grant have no effect.',
  })
  readonly state!: ValueOf<typeof PROJECT_GRANT_STATE>;
}

@Named('ProjectGrantReferenceV2')
export class ProjectGrantReferenceV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, GRANTED_ORG)
  readonly grantedOrganizationId!: string;
}

@Named('CreateProjectGrantRequestV2')
export class CreateProjectGrantRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, GRANTED_ORG)
  readonly grantedOrganizationId!: string;

  @Texts(3, ROLE_KEYS)
  readonly roleKeys!: string[];
}

@Named('CreateProjectGrantResponseV2')
export class CreateProjectGrantResponseV2 {
  @Moment(1, CREATED)
  readonly creationDate?: Date;
}

@Named('UpdateProjectGrantRequestV2')
export class UpdateProjectGrantRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, GRANTED_ORG)
  readonly grantedOrganizationId!: string;

  @Texts(3, { ...ROLE_KEYS, replaces: true })
  readonly roleKeys!: string[];
}

@Named('DeleteProjectGrantResponseV2')
export class DeleteProjectGrantResponseV2 {
  @Moment(3, REMOVED)
  readonly deletionDate?: Date;
}

@Filter()
@Named('ProjectGrantSearchFilterV2')
export class ProjectGrantSearchFilterV2 {
  @Part(1, () => ProjectNameFilterV2, { oneof: 'filter' })
  readonly projectNameFilter?: ProjectNameFilterV2;

  @Part(2, () => ProjectRoleKeyFilterV2, { oneof: 'filter' })
  readonly roleKeyFilter?: ProjectRoleKeyFilterV2;

  @Part(3, () => InIdsFilterV2, { oneof: 'filter' })
  readonly inProjectIdsFilter?: InIdsFilterV2;

  @Part(4, () => IdFilterV2, { oneof: 'filter', description: 'The organization that owns the project.' })
  readonly organizationIdFilter?: IdFilterV2;

  @Part(5, () => IdFilterV2, { oneof: 'filter', description: 'The organization that it is granted to.' })
  readonly grantedOrganizationIdFilter?: IdFilterV2;
}

@Named('ListProjectGrantsRequestV2')
export class ListProjectGrantsRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, GRANT_FIELD_NAME, { optional: true, description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn?: ValueOf<typeof GRANT_FIELD_NAME>;

  @Parts(3, () => ProjectGrantSearchFilterV2, FILTERS)
  readonly filters!: ProjectGrantSearchFilterV2[];
}

@Named('ListProjectGrantsResponseV2')
export class ListProjectGrantsResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => ProjectGrantV2)
  readonly projectGrants!: readonly ProjectGrantV2[];
}
