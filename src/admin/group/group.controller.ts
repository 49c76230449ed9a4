import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Groups } from '../../management/user/groups.js';
import type { UserGroup } from '../../user/group/group.entity.js';
import { groupIdTaken, groupNameTaken, groupNotFound, membersUnknown } from '../../user/group/group.errors.js';
import { GroupDirectory, groupFilter, groupMemberFilter } from '../../user/group/group-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddGroupMembersRequest,
  CreateGroupRequest,
  CreateGroupResponse,
  type Group,
  GroupReference,
  GroupResponse,
  ListGroupMembersRequest,
  ListGroupMembersResponse,
  ListGroupsRequest,
  ListGroupsResponse,
  RemoveGroupMembersRequest,
  UpdateGroupRequest,
} from './group.dto.js';

const OF_GRANTED = 'If roles are granted to the group, the permission to grant or remove roles is required as well.';

/** Groups and their members. */
@Tagged('Groups')
@Controller('management/v1/groups')
@OfOrg()
export class GroupController {
  constructor(
    private readonly groups: Groups,
    private readonly directory: GroupDirectory,
  ) {}

  @Post()
  @Requires('group.write')
  @Operation({
    id: 'CreateGroup',
    summary: 'Create a group',
    request: CreateGroupRequest,
    returns: CreateGroupResponse,
    refuses: [groupNameTaken(), groupIdTaken()],
  })
  async create(
    @Asking() actor: Actor,
    @Message() { name, description, groupId }: CreateGroupRequest,
  ): Promise<CreateGroupResponse> {
    const group = await this.groups.create(actor, { name, description, id: groupId });
    return { groupId: group.id, details: toDetails(group, actor.orgId) };
  }

  @Post('_search')
  @Requires('group.read')
  @Operation({
    id: 'ListGroups',
    summary: 'Search the groups of the organization',
    request: ListGroupsRequest,
    returns: ListGroupsResponse,
    description: 'By name. A query for the ID of a user finds the groups that the user is a member of.',
  })
  async list(@Asking() actor: Actor, @Message() { query, queries }: ListGroupsRequest): Promise<ListGroupsResponse> {
    const where = queries.flatMap(({ idsQuery, nameQuery, userIdQuery }) => [
      ...(idsQuery ? [groupFilter.ids(idsQuery.ids)] : []),
      ...(nameQuery ? [groupFilter.name(nameQuery.method, nameQuery.name)] : []),
      ...(userIdQuery ? [groupFilter.member(userIdQuery.userId)] : []),
    ]);
    const page = await this.directory.list(actor.orgId, { ...toRange(query), sortBy: 'name', where });
    return { details: toListDetails(page), result: page.rows.map((row) => toGroup(row)) };
  }

  @Get(':groupId')
  @Requires('group.read')
  @Operation({
    id: 'GetGroup',
    summary: 'Get a group by its ID',
    request: GroupReference,
    returns: GroupResponse,
    refuses: [groupNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { groupId }: GroupReference): Promise<GroupResponse> {
    return { group: toGroup(await this.directory.get(actor.orgId, groupId)) };
  }

  @Put(':groupId')
  @Requires('group.write')
  @Operation({
    id: 'UpdateGroup',
    summary: 'Change the name or the description of a group',
    request: UpdateGroupRequest,
    returns: DetailsResponse,
    refuses: [groupNotFound(), groupNameTaken()],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { groupId, name, description }: UpdateGroupRequest,
  ): Promise<DetailsResponse> {
    const settings = { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
    return { details: toChangedDetails(await this.groups.change(actor, groupId, settings), actor.orgId) };
  }

  @Delete(':groupId')
  @Requires('group.delete')
  @Operation({
    id: 'RemoveGroup',
    summary: 'Remove a group with its grants',
    request: GroupReference,
    returns: DetailsResponse,
    description: `Its members lose the roles that they held through it. ${OF_GRANTED}`,
    refuses: [groupNotFound(), permissionMissing('user.grant.delete')],
  })
  async remove(@Asking() actor: Actor, @Message() { groupId }: GroupReference): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.groups.remove(actor, groupId), actor.orgId) };
  }

  @Post(':groupId/members/_search')
  @Requires('group.read')
  @Operation({
    id: 'ListGroupMembers',
    summary: 'Search the members of a group',
    request: ListGroupMembersRequest,
    returns: ListGroupMembersResponse,
    refuses: [groupNotFound()],
  })
  async listMembers(
    @Asking() actor: Actor,
    @Message() { groupId, query, queries }: ListGroupMembersRequest,
  ): Promise<ListGroupMembersResponse> {
    await this.directory.get(actor.orgId, groupId);
    const where = queries.flatMap(({ userIdsQuery: q }) => (q ? [groupMemberFilter.users(q.userIds)] : []));
    const page = await this.directory.listMembers(groupId, { ...toRange(query), sortBy: 'userId', where });
    const result = page.rows.map(({ userKind, userId, userName, displayName, email, creationDate }) => ({
      userId,
      userName,
      displayName,
      email,
      userType: userKind,
      creationDate,
    }));
    return { details: toListDetails(page), result };
  }

  @Post(':groupId/members')
  @Requires('group.write')
  @Operation({
    id: 'AddGroupMembers',
    summary: 'Add users to a group, all or none',
    request: AddGroupMembersRequest,
    returns: DetailsResponse,
    description: `Users of the organization, who hold from now on the roles that are granted to the group. ${OF_GRANTED}`,
    refuses: [groupNotFound(), membersUnknown([EXAMPLE.person]), permissionMissing('user.grant.write')],
  })
  async addMembers(
    @Asking() actor: Actor,
    @Message() { groupId, userIds }: AddGroupMembersRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.groups.addMembers(actor, groupId, userIds), actor.orgId) };
  }

  @Post(':groupId/members/_remove')
  @Requires('group.write')
  @Operation({
    id: 'RemoveGroupMembers',
    summary: 'Remove users from a group',
    request: RemoveGroupMembersRequest,
    returns: DetailsResponse,
    description: OF_GRANTED,
    refuses: [groupNotFound(), permissionMissing('user.grant.delete')],
  })
  async removeMembers(
    @Asking() actor: Actor,
    @Message() { groupId, userIds }: RemoveGroupMembersRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.groups.removeMembers(actor, groupId, userIds), actor.orgId) };
  }
}

function toGroup(row: UserGroup): Group {
  return { id: row.id, name: row.name, description: row.description, details: toDetails(row, row.orgId) };
}
