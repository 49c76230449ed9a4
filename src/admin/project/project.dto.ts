import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { PRIVATE_LABELING_SETTING, PROJECT_STATE } from '../../project/project.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';

export const PROJECT_ID = { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project } as const;
export const PROJECT_GRANT_ID = {
  min: 1,
  max: 200,
  description: 'ID of the project grant.',
  example: EXAMPLE.projectGrant,
} as const;
const NAME = { description: 'Unique within the organization.', example: 'Timetable' } as const;
const ROLE_ASSERTION = {
  description: "Include the user's roles in tokens and userinfo even if the request does not ask for them.",
  example: true,
} as const;
const ROLE_CHECK = {
  description: 'Only users who hold a role of the project may sign in to its applications.',
} as const;
const PROJECT_CHECK = {
  description:
    'Only users of the organization that owns the project, or of one that it is granted to, may sign in to its applications.',
} as const;
const LABELING = {
  description:
    "Whose label policy applies to the login pages of its applications: that of the project's organization, or that of the user's.",
} as const;
/** Conditions of a search, all of which must hold. */
export const QUERIES = { maxItems: 20, description: 'Combined with AND.' } as const;

@Named('Project')
export class Project {
  @Text(1, { example: EXAMPLE.project })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(3, NAME)
  readonly name!: string;

  @Choice(4, PROJECT_STATE, {
    example: 'PROJECT_STATE_ACTIVE',
    description: 'Users cannot sign in to the applications of an inactive project.',
  })
  readonly state!: ValueOf<typeof PROJECT_STATE>;

  @Flag(5, ROLE_ASSERTION)
  readonly projectRoleAssertion!: boolean;

  @Flag(6, ROLE_CHECK)
  readonly projectRoleCheck!: boolean;

  @Flag(7, PROJECT_CHECK)
  readonly hasProjectCheck!: boolean;

  @Choice(8, PRIVATE_LABELING_SETTING, LABELING)
  readonly privateLabelingSetting!: ValueOf<typeof PRIVATE_LABELING_SETTING>;
}

@Named('ProjectIdRequest')
export class ProjectIdRequest {
  @Text(1, PROJECT_ID)
  readonly id!: string;
}

@Named('ProjectResponse')
export class ProjectResponse {
  @Part(1, () => Project)
  readonly project!: Project;
}

@Named('ProjectNameQuery')
export class ProjectNameQuery {
  @Text(1, { max: 200, example: 'Time' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, {
    example: 'TEXT_QUERY_METHOD_STARTS_WITH_IGNORE_CASE',
    description: 'How the text is matched.',
  })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('ProjectResourceOwnerQuery')
export class ProjectResourceOwnerQuery {
  @Text(1, { max: 200, example: EXAMPLE.org, description: 'The organization that owns the project.' })
  readonly resourceOwner!: string;
}

@Filter()
@Named('ProjectQuery')
export class ProjectQuery {
  @Part(1, () => ProjectNameQuery, { oneof: 'query' })
  readonly nameQuery?: ProjectNameQuery;

  @Part(2, () => ProjectResourceOwnerQuery, { oneof: 'query' })
  readonly projectResourceOwnerQuery?: ProjectResourceOwnerQuery;
}

@Named('ListProjectsRequest')
export class ListProjectsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => ProjectQuery, QUERIES)
  readonly queries!: ProjectQuery[];
}

@Named('ListProjectsResponse')
export class ListProjectsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Project)
  readonly result!: readonly Project[];
}

@Named('AddProjectAdmin')
export class AddProjectAdmin {
  @Text(1, { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.person })
  readonly userId!: string;

  @Texts(3, {
    min: 1,
    max: 200,
    maxItems: 50,
    description: 'Manager roles on the project. Defaults to PROJECT_OWNER.',
    example: ['PROJECT_OWNER'],
  })
  readonly roles!: string[];
}

@Named('AddProjectRequest')
export class AddProjectRequest {
  @Text(1, { min: 1, max: 200, ...NAME })
  readonly name!: string;

  @Flag(2, ROLE_ASSERTION)
  readonly projectRoleAssertion!: boolean;

  @Flag(3, ROLE_CHECK)
  readonly projectRoleCheck!: boolean;

  @Flag(4, PROJECT_CHECK)
  readonly hasProjectCheck!: boolean;

  @Choice(5, PRIVATE_LABELING_SETTING, LABELING)
  readonly privateLabelingSetting!: ValueOf<typeof PRIVATE_LABELING_SETTING>;

  @Parts(6, () => AddProjectAdmin, {
    maxItems: 100,
    description:
      'The first members. If there are none, the caller becomes PROJECT_OWNER if they could not manage the project otherwise.',
  })
  readonly admins!: AddProjectAdmin[];
}

@Named('AddProjectResponse')
export class AddProjectResponse {
  @Text(1, { example: EXAMPLE.project })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UpdateProjectRequest')
export class UpdateProjectRequest {
  @Text(1, PROJECT_ID)
  readonly id!: string;

  @Text(2, { min: 1, max: 200, ...NAME })
  readonly name!: string;

  @Flag(3, ROLE_ASSERTION)
  readonly projectRoleAssertion!: boolean;

  @Flag(4, ROLE_CHECK)
  readonly projectRoleCheck!: boolean;

  @Flag(5, PROJECT_CHECK)
  readonly hasProjectCheck!: boolean;

  @Choice(6, PRIVATE_LABELING_SETTING, LABELING)
  readonly privateLabelingSetting!: ValueOf<typeof PRIVATE_LABELING_SETTING>;
}
