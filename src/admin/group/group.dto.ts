import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { USER_TYPE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Moment, Named, Part, Parts, Text, Texts } from '../kit/wire/fields.js';
import { ListDetails, ListQuery, TEXT_QUERY_METHOD } from '../kit/wire/list.dto.js';
import { QUERIES } from '../project/project.dto.js';

/** More than one request of any directory brings, and one statement writes in a second. */
const MAX_MEMBERS = 10_000;

export const GROUP_ID = { min: 1, max: 200, description: 'ID of the group.', example: EXAMPLE.group } as const;
const NAME = {
  max: 200,
  description: 'Unique within the organization; upper and lower case make no difference.',
  example: 'Night shift',
} as const;
const DESCRIPTION = {
  max: 500,
  description: 'For managers; applications do not see it.',
  example: 'Everybody who works between ten and six',
} as const;
const USER_IDS = {
  min: 1,
  max: 200,
  maxItems: MAX_MEMBERS,
  description: 'IDs of users of the organization.',
  example: [EXAMPLE.person],
} as const;

@Named('Group')
export class Group {
  @Text(1, { example: EXAMPLE.group })
  readonly id!: string;

  @Text(2, NAME)
  readonly name!: string;

  @Text(3, DESCRIPTION)
  readonly description!: string;

  @Part(4, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('GroupMember')
export class GroupMember {
  @Text(1, { example: EXAMPLE.person })
  readonly userId!: string;

  @Text(2, { example: 'ilse.brandt', description: 'The user name: the part of the login name before the domain.' })
  readonly userName!: string;

  @Text(3, { example: 'Ilse Brandt' })
  readonly displayName!: string;

  @Text(4, { example: 'ilse@birkenhof.example', description: 'Empty for service users.' })
  readonly email!: string;

  @Choice(5, USER_TYPE, { example: 'TYPE_HUMAN', description: 'Human user or service user.' })
  readonly userType!: ValueOf<typeof USER_TYPE>;

  @Moment(6, { description: 'When the user became a member.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: Date;
}

@Named('CreateGroupRequest')
export class CreateGroupRequest {
  @Text(1, { ...NAME, min: 1 })
  readonly name!: string;

  @Text(2, DESCRIPTION)
  readonly description!: string;

  @Text(3, { max: 200, description: 'ID of the group; chosen by the service if empty.' })
  readonly groupId!: string;
}

@Named('CreateGroupResponse')
export class CreateGroupResponse {
  @Text(1, { example: EXAMPLE.group })
  readonly groupId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;
}

@Named('GroupReference')
export class GroupReference {
  @Text(1, GROUP_ID)
  readonly groupId!: string;
}

@Named('GroupResponse')
export class GroupResponse {
  @Part(1, () => Group)
  readonly group!: Group;
}

@Named('UpdateGroupRequest')
export class UpdateGroupRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Text(2, { ...NAME, optional: true, description: 'The new name; stays as it is if it is not sent.' })
  readonly name?: string;

  @Text(3, { ...DESCRIPTION, optional: true, description: 'The new description; stays as it is if it is not sent.' })
  readonly description?: string;
}

@Named('GroupIdsQuery')
export class GroupIdsQuery {
  @Texts(1, { max: 200, example: [EXAMPLE.group], description: 'Any of these values.' })
  readonly ids!: string[];
}

@Named('GroupNameQuery')
export class GroupNameQuery {
  @Text(1, { max: 200, example: 'Night shift' })
  readonly name!: string;

  @Choice(2, TEXT_QUERY_METHOD, { description: 'How the text is matched.' })
  readonly method!: ValueOf<typeof TEXT_QUERY_METHOD>;
}

@Named('GroupUserIdQuery')
export class GroupUserIdQuery {
  @Text(1, { max: 200, example: EXAMPLE.person, description: 'ID of a member.' })
  readonly userId!: string;
}

/** One condition of a search. */
@Filter()
@Named('GroupQuery')
export class GroupQuery {
  @Part(1, () => GroupIdsQuery, { oneof: 'query' })
  readonly idsQuery?: GroupIdsQuery;

  @Part(2, () => GroupNameQuery, { oneof: 'query' })
  readonly nameQuery?: GroupNameQuery;

  @Part(3, () => GroupUserIdQuery, { oneof: 'query' })
  readonly userIdQuery?: GroupUserIdQuery;
}

@Named('ListGroupsRequest')
export class ListGroupsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(2, () => GroupQuery, QUERIES)
  readonly queries!: GroupQuery[];
}

@Named('ListGroupsResponse')
export class ListGroupsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => Group)
  readonly result!: readonly Group[];
}

@Named('GroupMemberUserIdsQuery')
export class GroupMemberUserIdsQuery {
  @Texts(1, { max: 200, example: [EXAMPLE.person], description: 'Any of these values.' })
  readonly userIds!: string[];
}

/** One condition of a search. */
@Filter()
@Named('GroupMemberQuery')
export class GroupMemberQuery {
  @Part(1, () => GroupMemberUserIdsQuery, { oneof: 'query' })
  readonly userIdsQuery?: GroupMemberUserIdsQuery;
}

@Named('ListGroupMembersRequest')
export class ListGroupMembersRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Part(2, () => ListQuery)
  readonly query?: ListQuery;

  @Parts(3, () => GroupMemberQuery, QUERIES)
  readonly queries!: GroupMemberQuery[];
}

@Named('ListGroupMembersResponse')
export class ListGroupMembersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => GroupMember)
  readonly result!: readonly GroupMember[];
}

@Named('AddGroupMembersRequest')
export class AddGroupMembersRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Texts(2, USER_IDS)
  readonly userIds!: string[];
}

@Named('RemoveGroupMembersRequest')
export class RemoveGroupMembersRequest {
  @Text(1, GROUP_ID)
  readonly groupId!: string;

  @Texts(2, { ...USER_IDS, description: 'IDs of users; those that are no members are passed over.' })
  readonly userIds!: string[];
}
