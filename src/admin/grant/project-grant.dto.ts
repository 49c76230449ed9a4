import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { PROJECT_GRANT_STATE } from '../../project/project.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { PROJECT_GRANT_ID, PROJECT_ID, ProjectQuery, QUERIES } from '../project/project.dto.js';

const ROLE_KEYS = {
  min: 1,
  max: 200,
  description: 'Roles of the project that the other organization may grant to its users.',
  example: ['reader'],
} as const;

@Named('GrantedProject')
export class GrantedProject {
  @Text(1, { example: EXAMPLE.projectGrant })
  readonly grantId!: string;

  @Text(2, { description: 'The organization that the project is granted to.', example: EXAMPLE.otherOrg })
  readonly grantedOrgId!: string;

  @Text(3, { example: 'Birkenhof Logistik', description: 'The organization that the project is granted to.' })
  readonly grantedOrgName!: string;

  @Texts(4, { example: ['reader'], description: 'The granted roles.' })
  readonly grantedRoleKeys!: readonly string[];

  @Choice(5, PROJECT_GRANT_STATE, {
    example: 'PROJECT_GRANT_STATE_ACTIVE',
    description: 'Roles granted through an inactive project grant have no effect.',
  })
  readonly state!: ValueOf<typeof PROJECT_GRANT_STATE>;

  @Text(6, { example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(7, { example: 'Timetable' })
  readonly projectName!: string;

  @Text(8, { description: 'The organization that owns the project.', example: EXAMPLE.org })
  readonly projectOwnerId!: string;

  @Text(9, { example: 'Acme', description: 'The organization that owns the project.' })
  readonly projectOwnerName!: string;

  @Part(10, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('ProjectGrantReference')
export class ProjectGrantReference {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, PROJECT_GRANT_ID)
  readonly grantId!: string;
}

@Named('ProjectGrantResponse')
export class ProjectGrantResponse {
  @Part(1, () => GrantedProject)
  readonly projectGrant!: GrantedProject;
}

@Named('GrantedProjectResponse')
export class GrantedProjectResponse {
  @Part(1, () => GrantedProject)
  readonly grantedProject!: GrantedProject;
}

@Named('GrantProjectNameQuery')
export class GrantProjectNameQuery {
  @Text(1, { max: 200, example: 'Time' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('GrantRoleKeyQuery')
export class GrantRoleKeyQuery {
  @Text(1, { max: 200, example: 'reader' })
  readonly roleKey!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('GrantProjectIdQuery')
export class GrantProjectIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.project })
  readonly projectId!: string;
}

@Named('GrantedOrgIdQuery')
export class GrantedOrgIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.otherOrg })
  readonly grantedOrgId!: string;
}

@Filter()
@Named('ProjectGrantQuery')
export class ProjectGrantQuery {
  @Part(1, () => GrantProjectNameQuery, { oneof: 'query' })
  readonly projectNameQuery?: GrantProjectNameQuery;

  @Part(2, () => GrantRoleKeyQuery, { oneof: 'query' })
  readonly roleKeyQuery?: GrantRoleKeyQuery;
}

@Filter()
@Named('AllProjectGrantQuery')
export class AllProjectGrantQuery extends ProjectGrantQuery {
  @Part(3, () => GrantProjectIdQuery, { oneof: 'query' })
  readonly projectIdQuery?: GrantProjectIdQuery;

  @Part(4, () => GrantedOrgIdQuery, { oneof: 'query' })
  readonly grantedOrgIdQuery?: GrantedOrgIdQuery;
}

@Named('ListProjectGrantsRequest')
export class ListProjectGrantsRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => ProjectGrantQuery, QUERIES)
  readonly queries!: ProjectGrantQuery[];
}

@Named('ListAllProjectGrantsRequest')
export class ListAllProjectGrantsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => AllProjectGrantQuery, QUERIES)
  readonly queries!: AllProjectGrantQuery[];
}

@Named('ListGrantedProjectsRequest')
export class ListGrantedProjectsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => ProjectQuery, QUERIES)
  readonly queries!: ProjectQuery[];
}

@Named('ListProjectGrantsResponse')
export class ListProjectGrantsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => GrantedProject)
  readonly result!: readonly GrantedProject[];
}

@Named('AddProjectGrantRequest')
export class AddProjectGrantRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, {
    min: 1,
    max: 200,
    description: 'The organization that the project is granted to.',
    example: EXAMPLE.otherOrg,
  })
  readonly grantedOrgId!: string;

  @Texts(3, ROLE_KEYS)
  readonly roleKeys!: string[];
}

@Named('AddProjectGrantResponse')
export class AddProjectGrantResponse {
  @Text(1, { example: EXAMPLE.projectGrant })
  readonly grantId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('UpdateProjectGrantRequest')
export class UpdateProjectGrantRequest {
  @Text(1, PROJECT_ID)
  readonly projectId!: string;

  @Text(2, PROJECT_GRANT_ID)
  readonly grantId!: string;

  @Texts(3, { ...ROLE_KEYS, replaces: true })
  readonly roleKeys!: string[];
}
