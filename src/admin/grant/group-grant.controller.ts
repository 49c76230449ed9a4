import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { UserGrants } from '../../management/project/user-grants.js';
import { projectNotFound, rolesUnknown } from '../../project/project.errors.js';
import {
  groupGrantExists,
  projectGrantInactive,
  userGrantNotFound,
  userGrantStateUnchanged,
} from '../../project/user-grant/user-grant.errors.js';
import type { GroupGrantEntry } from '../../project/user-grant/user-grant-directory.js';
import { groupNotFound } from '../../user/group/group.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddGroupGrantRequest,
  AddGroupGrantResponse,
  type GroupGrant,
  GroupGrantReference,
  GroupGrantResponse,
  ListGroupGrantsRequest,
  ListGroupGrantsResponse,
  UpdateGroupGrantRequest,
} from './group-grant.dto.js';
import { REACH } from './user-grant.controller.js';

/** Roles that all members of a group hold. */
@Tagged('User grants')
@Controller('management/v1/groups/:groupId/grants')
@OfOrg()
export class GroupGrantController {
  constructor(private readonly grants: UserGrants) {}

  @Post('_search')
  @Requires('user.grant.read', REACH)
  @Operation({
    id: 'ListGroupGrants',
    summary: 'List the grants of a group',
    request: ListGroupGrantsRequest,
    returns: ListGroupGrantsResponse,
    description: 'A manager of individual projects or project grants sees only the grants of those.',
    refuses: [groupNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { groupId, query }: ListGroupGrantsRequest,
  ): Promise<ListGroupGrantsResponse> {
    const page = await this.grants.listOfGroup(actor, groupId, { ...toRange(query), sortBy: 'id', where: [] });
    return { details: toListDetails(page), result: page.rows.map((row) => toGroupGrant(row)) };
  }

  @Get(':grantId')
  @Requires('user.grant.read', REACH)
  @Operation({
    id: 'GetGroupGrant',
    summary: 'Get a grant of a group',
    request: GroupGrantReference,
    returns: GroupGrantResponse,
    refuses: [groupNotFound(), userGrantNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { groupId, grantId }: GroupGrantReference): Promise<GroupGrantResponse> {
    return { groupGrant: toGroupGrant(await this.grants.findOfGroup(actor, { groupId, grantId })) };
  }

  @Post()
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'AddGroupGrant',
    summary: 'Grant roles of a project to all members of a group',
    request: AddGroupGrantRequest,
    returns: AddGroupGrantResponse,
    description: 'The project must belong to the organization or be granted to it.',
    refuses: [
      groupNotFound(),
      projectNotFound(),
      rolesUnknown(['reader'], 'roleKeys'),
      projectGrantInactive(),
      groupGrantExists(),
    ],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { groupId, projectId, projectGrantId, roleKeys }: AddGroupGrantRequest,
  ): Promise<AddGroupGrantResponse> {
    const { id, mark } = await this.grants.add(actor, { holder: { groupId }, projectId, projectGrantId, roleKeys });
    return { groupGrantId: id, details: toAddedDetails(mark, actor.orgId) };
  }

  @Put(':grantId')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'UpdateGroupGrant',
    summary: 'Update the roles of a group grant',
    request: UpdateGroupGrantRequest,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), rolesUnknown(['reader'], 'roleKeys')],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { groupId, grantId, roleKeys }: UpdateGroupGrantRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.change(actor, { groupId, grantId }, roleKeys), actor.orgId) };
  }

  @Post(':grantId/_deactivate')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'DeactivateGroupGrant',
    summary: 'Deactivate a group grant: its roles have no effect',
    request: GroupGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('inactive')],
  })
  async deactivate(@Asking() actor: Actor, @Message() place: GroupGrantReference): Promise<DetailsResponse> {
    return this.changeState(actor, place, 'inactive');
  }

  @Post(':grantId/_reactivate')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'ReactivateGroupGrant',
    summary: 'Reactivate a group grant',
    request: GroupGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('active')],
  })
  async reactivate(@Asking() actor: Actor, @Message() place: GroupGrantReference): Promise<DetailsResponse> {
    return this.changeState(actor, place, 'active');
  }

  @Delete(':grantId')
  @Requires('user.grant.delete', REACH)
  @Operation({
    id: 'RemoveGroupGrant',
    summary: 'Remove a group grant',
    request: GroupGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { groupId, grantId }: GroupGrantReference): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.remove(actor, { groupId, grantId }), actor.orgId) };
  }

  private async changeState(
    actor: Actor,
    { groupId, grantId }: GroupGrantReference,
    state: 'active' | 'inactive',
  ): Promise<DetailsResponse> {
    const mark = await this.grants.changeState(actor, { groupId, grantId }, state);
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

function toGroupGrant(row: GroupGrantEntry): GroupGrant {
  return {
    id: row.id,
    details: toDetails(row, row.orgId),
    groupId: row.groupId,
    groupName: row.groupName,
    projectId: row.projectId,
    projectName: row.projectName,
    projectGrantId: row.projectGrantId ?? '',
    roleKeys: row.roleKeys,
    state: row.state,
  };
}
