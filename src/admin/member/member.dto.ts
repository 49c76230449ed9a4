import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { USER_TYPE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Reserves, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { USER_ID } from '../user/user-id.js';

export const MEMBER_FIELD_NAME = wireEnum('MemberFieldColumnName', {
  MEMBER_FIELD_NAME_UNSPECIFIED: [0, 'unspecified'],
  MEMBER_FIELD_NAME_USER_ID: [1, 'userId'],
  MEMBER_FIELD_NAME_CREATION_DATE: [2, 'creationDate'],
  MEMBER_FIELD_NAME_CHANGE_DATE: [3, 'changeDate'],
  MEMBER_FIELD_NAME_USER_RESOURCE_OWNER: [4, 'userOrgId'],
});

@Named('Member')
export class Member {
  @Text(1, { example: EXAMPLE.person })
  readonly userId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Texts(3, { example: ['ORG_OWNER'], description: 'The roles that are held.' })
  readonly roles!: readonly string[];

  @Text(4, {
    example: 'ilse.brandt@birkenhof.localhost',
    description: 'The preferred login name, shown to applications.',
  })
  readonly preferredLoginName!: string;

  @Text(5, { example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Text(6, { example: 'Ilse' })
  readonly firstName!: string;

  @Text(7, { example: 'Brandt' })
  readonly lastName!: string;

  @Text(8, { example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Text(9, { description: 'Always empty: the service does not store pictures.' })
  readonly avatarUrl!: string;

  @Choice(10, USER_TYPE, { example: 'TYPE_HUMAN', description: 'Human user or service user.' })
  readonly userType!: ValueOf<typeof USER_TYPE>;

  @Text(11, { description: 'The organization that the member belongs to.', example: EXAMPLE.org })
  readonly userResourceOwner!: string;
}

const ROLES = {
  min: 1,
  max: 200,
  maxItems: 50,
  description: 'Names of manager roles. They replace the current ones.',
};
/** An update takes away what it does not name. */
const OTHER_ROLES = { ...ROLES, replaces: true };

/* What stands before the roles is the same whether a member is added, changed or removed. */

@Named('UserIdRequest')
export class UserIdRequest {
  @Text(1, USER_ID)
  readonly userId!: string;
}

@Named('ProjectMemberReference')
export class ProjectMemberReference {
  @Text(1, { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(2, USER_ID)
  readonly userId!: string;
}

@Named('ProjectGrantMemberReference')
export class ProjectGrantMemberReference {
  @Text(1, { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the project grant.', example: EXAMPLE.projectGrant })
  readonly grantId!: string;

  @Text(3, USER_ID)
  readonly userId!: string;
}

@Named('InstanceMemberRequest')
export class InstanceMemberRequest extends UserIdRequest {
  @Texts(2, { ...ROLES, example: ['IAM_OWNER_VIEWER'] })
  readonly roles!: string[];
}

@Named('UpdateInstanceMemberRequest')
export class UpdateInstanceMemberRequest extends UserIdRequest {
  @Texts(2, { ...OTHER_ROLES, example: ['IAM_OWNER_VIEWER'] })
  readonly roles!: string[];
}

@Named('OrgMemberRequest')
export class OrgMemberRequest extends UserIdRequest {
  @Texts(2, { ...ROLES, example: ['ORG_OWNER'] })
  readonly roles!: string[];
}

@Named('UpdateOrgMemberRequest')
export class UpdateOrgMemberRequest extends UserIdRequest {
  @Texts(2, { ...OTHER_ROLES, example: ['ORG_OWNER'] })
  readonly roles!: string[];
}

@Named('ProjectMemberRequest')
export class ProjectMemberRequest extends ProjectMemberReference {
  @Texts(3, { ...ROLES, example: ['PROJECT_OWNER'] })
  readonly roles!: string[];
}

@Named('UpdateProjectMemberRequest')
export class UpdateProjectMemberRequest extends ProjectMemberReference {
  @Texts(3, { ...OTHER_ROLES, example: ['PROJECT_OWNER'] })
  readonly roles!: string[];
}

@Named('ProjectGrantMemberRequest')
export class ProjectGrantMemberRequest extends ProjectGrantMemberReference {
  @Texts(4, { ...ROLES, example: ['PROJECT_GRANT_OWNER'] })
  readonly roles!: string[];
}

@Named('UpdateProjectGrantMemberRequest')
export class UpdateProjectGrantMemberRequest extends ProjectGrantMemberReference {
  @Texts(4, { ...OTHER_ROLES, example: ['PROJECT_GRANT_OWNER'] })
  readonly roles!: string[];
}

@Named('MemberFirstNameQuery')
export class MemberFirstNameQuery {
  @Text(1, { max: 200, example: 'Ilse' })
  readonly firstName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('MemberLastNameQuery')
export class MemberLastNameQuery {
  @Text(1, { max: 200, example: 'Brandt' })
  readonly lastName!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('MemberEmailQuery')
export class MemberEmailQuery {
  @Text(1, { max: 200, example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('MemberUserIdQuery')
export class MemberUserIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.person })
  readonly userId!: string;
}

/** One condition of a search. */
@Filter()
@Named('MemberSearchQuery')
export class MemberSearchQuery {
  @Part(1, () => MemberFirstNameQuery, { oneof: 'query' })
  readonly firstNameQuery?: MemberFirstNameQuery;

  @Part(2, () => MemberLastNameQuery, { oneof: 'query' })
  readonly lastNameQuery?: MemberLastNameQuery;

  @Part(3, () => MemberEmailQuery, { oneof: 'query' })
  readonly emailQuery?: MemberEmailQuery;

  @Part(4, () => MemberUserIdQuery, { oneof: 'query' })
  readonly userIdQuery?: MemberUserIdQuery;
}

const QUERIES = { maxItems: 20, description: 'Combined with AND.' };
const SORTED_BY = { description: 'The field to sort by. Defaults to the user ID.' };

@Named('ListMembersRequest')
export class ListMembersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => MemberSearchQuery, QUERIES)
  readonly queries!: MemberSearchQuery[];

  @Choice(3, MEMBER_FIELD_NAME, SORTED_BY)
  readonly sortingColumn!: ValueOf<typeof MEMBER_FIELD_NAME>;
}

@Named('ListOrgMembersRequest')
export class ListOrgMembersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => MemberSearchQuery, QUERIES)
  readonly queries!: MemberSearchQuery[];

  @Choice(100, MEMBER_FIELD_NAME, SORTED_BY)
  readonly sortingColumn!: ValueOf<typeof MEMBER_FIELD_NAME>;
}

@Named('ListProjectMembersRequest')
export class ListProjectMembersRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project })
  readonly projectId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => MemberSearchQuery, QUERIES)
  readonly queries!: MemberSearchQuery[];

  @Choice(100, MEMBER_FIELD_NAME, SORTED_BY)
  readonly sortingColumn!: ValueOf<typeof MEMBER_FIELD_NAME>;
}

@Named('ListProjectGrantMembersRequest')
export class ListProjectGrantMembersRequest {
  @Text(1, { min: 1, max: 200, description: 'ID of the project.', example: EXAMPLE.project })
  readonly projectId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the project grant.', example: EXAMPLE.projectGrant })
  readonly grantId!: string;

  @Part(3, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(4, () => MemberSearchQuery, QUERIES)
  readonly queries!: MemberSearchQuery[];

  @Choice(100, MEMBER_FIELD_NAME, SORTED_BY)
  readonly sortingColumn!: ValueOf<typeof MEMBER_FIELD_NAME>;
}

/** This list has neither a query nor a result: all roles are answered at once. */
@Reserves({ 1: 'query', 2: 'result' })
@Named('ListProjectGrantMemberRolesRequest')
export class ListProjectGrantMemberRolesRequest {}

@Named('ListMembersResponse')
export class ListMembersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Member)
  readonly result!: readonly Member[];

  @Choice(100, MEMBER_FIELD_NAME, { description: 'The field that the list is sorted by.' })
  readonly sortingColumn!: ValueOf<typeof MEMBER_FIELD_NAME>;
}

@Named('ListIamMemberRolesResponse')
export class ListIamMemberRolesResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Texts(2, { example: ['IAM_OWNER', 'IAM_OWNER_VIEWER'], description: 'The complete list.' })
  readonly roles!: readonly string[];
}

/** Like `ListIamMemberRolesResponse`; here the reference calls the list `result`. */
@Named('ListOrgMemberRolesResponse')
export class ListOrgMemberRolesResponse {
  @Texts(1, { example: ['ORG_OWNER', 'ORG_OWNER_VIEWER'], description: 'The complete list.' })
  readonly result!: readonly string[];

  @Part(100, () => ListDetails)
  readonly details!: ListDetails;
}

@Named('ListMemberRolesResponse')
export class ListMemberRolesResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Texts(2, { example: ['PROJECT_OWNER', 'PROJECT_OWNER_VIEWER'], description: 'The complete list.' })
  readonly result!: readonly string[];
}
