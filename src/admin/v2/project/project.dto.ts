import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Moment, Named, Part, Parts, Text } from '../../kit/wire/fields.js';
import { CHANGED, CREATED, REMOVED } from '../kit/dates.js';
import { FILTERS, HOW, InIdsFilterV2, TEXT_FILTER_METHOD } from '../kit/filter.dto.js';
import { PaginationRequestV2, PaginationResponseV2 } from '../kit/page.dto.js';

const PROJECT_STATE = wireEnum('ProjectStateV2', {
  PROJECT_STATE_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_STATE_ACTIVE: [1, 'active'],
  PROJECT_STATE_INACTIVE: [2, 'inactive'],
});

const GRANTED_PROJECT_STATE = wireEnum('GrantedProjectStateV2', {
  GRANTED_PROJECT_STATE_UNSPECIFIED: [0, 'unspecified'],
  GRANTED_PROJECT_STATE_ACTIVE: [1, 'active'],
  GRANTED_PROJECT_STATE_INACTIVE: [2, 'inactive'],
});

const PRIVATE_LABELING_SETTING = wireEnum('PrivateLabelingSettingV2', {
  PRIVATE_LABELING_SETTING_UNSPECIFIED: [0, 'unspecified'],
  PRIVATE_LABELING_SETTING_ENFORCE_PROJECT_RESOURCE_OWNER_POLICY: [1, 'enforce_project_resource_owner_policy'],
  PRIVATE_LABELING_SETTING_ALLOW_LOGIN_USER_RESOURCE_OWNER_POLICY: [2, 'allow_login_user_resource_owner_policy'],
});

const PROJECT_FIELD_NAME = wireEnum('ProjectFieldNameV2', {
  PROJECT_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  PROJECT_FIELD_NAME_ID: [1, 'id'],
  PROJECT_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
  PROJECT_FIELD_NAME_CHANGE_DATE: [3, 'changeDate'],
  PROJECT_FIELD_NAME_NAME: [4, 'name'],
});

const OWNERSHIP = wireEnum(
  'ProjectOwnershipV2',
  {
    TYPE_UNSPECIFIED: [0, 'unspecified'],
    OWNED: [1, 'owned'],
    GRANTED: [2, 'granted'],
    OWNED_OR_GRANTED: [3, 'owned_or_granted'],
  },
  {},
  'ProjectOrganizationIdFilterV2',
);

export const PROJECT_ID = { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.projectV2 } as const;
const NAME = { description: 'Unique within the organization.', example: 'Timetable' } as const;
const ROLE_ASSERTION = {
  description: "Include the user's roles in tokens and userinfo even if the request does not ask for them.",
} as const;
const AUTHORIZATION_REQUIRED = {
  description: 'Only users who hold a role of the project may sign in to its applications.',
} as const;
const ACCESS_REQUIRED = {
  description:
    'Only users of the organization that owns the project, or of one that it is granted to, may sign in to its applications.',
} as const;
const LABELING = {
  description:
    "Whose label policy applies to the login pages of its applications: that of the project's organization, or that of the user's.",
} as const;

@Named('ProjectV2')
export class ProjectV2 {
  @Text(1, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Text(2, { description: 'ID of the organization that owns it.', example: EXAMPLE.org })
  readonly organizationId!: string;

  @Moment(3, CREATED)
  readonly creationDate?: Date;

  @Moment(4, CHANGED)
  readonly changeDate?: Date;

  @Text(5, NAME)
  readonly name!: string;

  @Choice(6, PROJECT_STATE, {
    example: 'PROJECT_STATE_ACTIVE',
    description: 'Users cannot sign in to the applications of an inactive project.',
  })
  readonly state!: ValueOf<typeof PROJECT_STATE>;

  @Flag(7, ROLE_ASSERTION)
  readonly projectRoleAssertion!: boolean;

  @Flag(8, AUTHORIZATION_REQUIRED)
  readonly authorizationRequired!: boolean;

  @Flag(9, ACCESS_REQUIRED)
  readonly projectAccessRequired!: boolean;

  @Choice(10, PRIVATE_LABELING_SETTING, LABELING)
  readonly privateLabelingSetting!: ValueOf<typeof PRIVATE_LABELING_SETTING>;

  @Text(12, {
    optional: true,
    description: 'The organization that it is granted to, if that is what was searched for.',
  })
  readonly grantedOrganizationId?: string;

  @Text(13, { optional: true })
  readonly grantedOrganizationName?: string;

  @Choice(14, GRANTED_PROJECT_STATE, { description: 'The state of that grant.' })
  readonly grantedState!: ValueOf<typeof GRANTED_PROJECT_STATE>;
}

@Named('ProjectIdRequestV2')
export class ProjectIdRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;
}

@Named('GetProjectResponseV2')
export class GetProjectResponseV2 {
  @Part(1, () => ProjectV2)
  readonly project!: ProjectV2;
}

@Named('CreateProjectRequestV2')
export class CreateProjectRequestV2 {
  @Text(1, { min: 1, max: 200, description: 'ID of the organization that will own it.', example: EXAMPLE.org })
  readonly organizationId!: string;

  @Text(2, { optional: true, max: 200, description: 'An ID of your choice. By default, one is made.' })
  readonly projectId?: string;

  @Text(3, { min: 1, max: 200, description: 'Unique within the organization.', example: 'Fares' })
  readonly name!: string;

  @Flag(4, ROLE_ASSERTION)
  readonly projectRoleAssertion!: boolean;

  @Flag(5, AUTHORIZATION_REQUIRED)
  readonly authorizationRequired!: boolean;

  @Flag(6, ACCESS_REQUIRED)
  readonly projectAccessRequired!: boolean;

  @Choice(7, PRIVATE_LABELING_SETTING, LABELING)
  readonly privateLabelingSetting!: ValueOf<typeof PRIVATE_LABELING_SETTING>;
}

@Named('CreateProjectResponseV2')
export class CreateProjectResponseV2 {
  @Text(1, { example: EXAMPLE.projectV2 })
  readonly projectId!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('UpdateProjectRequestV2')
export class UpdateProjectRequestV2 {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, { optional: true, min: 1, max: 200, description: NAME.description, example: 'Fares and zones' })
  readonly name?: string;

  @Flag(3, { optional: true, ...ROLE_ASSERTION })
  readonly projectRoleAssertion?: boolean;

  @Flag(4, { optional: true, ...AUTHORIZATION_REQUIRED })
  readonly authorizationRequired?: boolean;

  @Flag(5, { optional: true, ...ACCESS_REQUIRED })
  readonly projectAccessRequired?: boolean;

  @Choice(6, PRIVATE_LABELING_SETTING, { optional: true, ...LABELING })
  readonly privateLabelingSetting?: ValueOf<typeof PRIVATE_LABELING_SETTING>;
}

@Named('ProjectChangedV2')
export class ProjectChangedV2 {
  @Moment(1, CHANGED)
  readonly changeDate?: Date;
}

@Named('DeleteProjectResponseV2')
export class DeleteProjectResponseV2 {
  @Moment(3, REMOVED)
  readonly deletionDate?: Date;
}

@Named('ProjectNameFilterV2')
export class ProjectNameFilterV2 {
  @Text(1, { max: 200, example: 'Time' })
  readonly projectName!: string;

  @Choice(2, TEXT_FILTER_METHOD, HOW)
  readonly method!: ValueOf<typeof TEXT_FILTER_METHOD>;
}

@Named('ProjectOrganizationIdFilterV2')
export class ProjectOrganizationIdFilterV2 {
  @Text(1, { min: 1, max: 200, example: EXAMPLE.org })
  readonly organizationId!: string;

  @Choice(2, OWNERSHIP, { description: 'Projects that it owns, that are granted to it, or both. Both by default.' })
  readonly type!: ValueOf<typeof OWNERSHIP>;
}

@Filter()
@Named('ProjectSearchFilterV2')
export class ProjectSearchFilterV2 {
  @Part(1, () => ProjectNameFilterV2, { oneof: 'filter' })
  readonly projectNameFilter?: ProjectNameFilterV2;

  @Part(2, () => InIdsFilterV2, { oneof: 'filter' })
  readonly inProjectIdsFilter?: InIdsFilterV2;

  @Part(3, () => ProjectOrganizationIdFilterV2, { oneof: 'filter' })
  readonly organizationIdFilter?: ProjectOrganizationIdFilterV2;
}

@Named('ListProjectsRequestV2')
export class ListProjectsRequestV2 {
  @Part(1, () => PaginationRequestV2)
  readonly pagination?: PaginationRequestV2;

  @Choice(2, PROJECT_FIELD_NAME, { optional: true, description: 'The field to sort by. Defaults to the ID.' })
  readonly sortingColumn?: ValueOf<typeof PROJECT_FIELD_NAME>;

  @Parts(3, () => ProjectSearchFilterV2, FILTERS)
  readonly filters!: ProjectSearchFilterV2[];
}

@Named('ListProjectsResponseV2')
export class ListProjectsResponseV2 {
  @Part(1, () => PaginationResponseV2)
  readonly pagination!: PaginationResponseV2;

  @Parts(2, () => ProjectV2)
  readonly projects!: readonly ProjectV2[];
}
