import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import type { Actor } from '../../user/permission/actor.js';
import { Managers } from '../../user/permission/managers.js';
import {
  managedObjectNotFound,
  memberExists,
  memberNotFound,
  memberUserMissing,
  roleTooStrong,
} from '../../user/permission/permission.errors.js';
import { RoleBook } from '../../user/permission/role-book.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListMemberRolesResponse,
  ListMembersResponse,
  ListProjectGrantMemberRolesRequest,
  ListProjectGrantMembersRequest,
  ProjectGrantMemberReference,
  ProjectGrantMemberRequest,
  UpdateProjectGrantMemberRequest,
} from './member.dto.js';
import { toMemberList, toMemberSearch } from './member.mapping.js';

/** Who manages a project grant. */
@Tagged('Members')
@Controller('management/v1/projects')
@OfOrg()
export class ProjectGrantMemberController {
  constructor(
    private readonly managers: Managers,
    private readonly clock: Clock,
    private readonly book: RoleBook,
  ) {}

  @Post('grants/members/roles/_search')
  @Requires('project.grant.member.read')
  @Operation({
    id: 'ListProjectGrantMemberRoles',
    summary: 'List the available manager roles of a project grant',
    request: ListProjectGrantMemberRolesRequest,
    returns: ListMemberRolesResponse,
  })
  async listRoles(
    @Asking() _actor: Actor,
    @Message() _request: ListProjectGrantMemberRolesRequest,
  ): Promise<ListMemberRolesResponse> {
    const result = this.book.rolesOf('project_grant');
    return { details: toWholeListDetails(result.length, this.clock.now()), result };
  }

  @Post(':projectId/grants/:grantId/members/_search')
  @Requires('project.grant.member.read', { project: 'projectId', grant: 'grantId' })
  @Operation({
    id: 'ListProjectGrantMembers',
    summary: 'Search the members of a project grant',
    request: ListProjectGrantMembersRequest,
    returns: ListMembersResponse,
    refuses: [managedObjectNotFound('project_grant')],
  })
  async list(@Asking() actor: Actor, @Message() request: ListProjectGrantMembersRequest): Promise<ListMembersResponse> {
    const object = await this.managers.projectGrant(actor.orgId, request.projectId, request.grantId);
    return toMemberList(await this.managers.list(object, toMemberSearch(request)), object.orgId, request.sortingColumn);
  }

  @Post(':projectId/grants/:grantId/members')
  @Requires('project.grant.member.write', { project: 'projectId', grant: 'grantId' })
  @Operation({
    id: 'AddProjectGrantMember',
    summary: 'Add a member to a project grant',
    request: ProjectGrantMemberRequest,
    returns: DetailsResponse,
    refuses: [
      memberExists(),
      memberUserMissing(),
      roleTooStrong('PROJECT_GRANT_OWNER'),
      managedObjectNotFound('project_grant'),
    ],
  })
  async add(@Asking() actor: Actor, @Message() request: ProjectGrantMemberRequest): Promise<DetailsResponse> {
    const object = await this.managers.projectGrant(actor.orgId, request.projectId, request.grantId);
    return {
      details: toAddedDetails(await this.managers.add(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Put(':projectId/grants/:grantId/members/:userId')
  @Requires('project.grant.member.write', { project: 'projectId', grant: 'grantId' })
  @Operation({
    id: 'UpdateProjectGrantMember',
    summary: 'Update the roles of a project grant member',
    request: UpdateProjectGrantMemberRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('PROJECT_GRANT_OWNER')],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateProjectGrantMemberRequest): Promise<DetailsResponse> {
    const object = await this.managers.projectGrant(actor.orgId, request.projectId, request.grantId);
    return {
      details: toDetails(await this.managers.change(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Delete(':projectId/grants/:grantId/members/:userId')
  @Requires('project.grant.member.delete', { project: 'projectId', grant: 'grantId' })
  @Operation({
    id: 'RemoveProjectGrantMember',
    summary: 'Remove a member from a project grant',
    request: ProjectGrantMemberReference,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('PROJECT_GRANT_OWNER')],
  })
  async remove(@Asking() actor: Actor, @Message() request: ProjectGrantMemberReference): Promise<DetailsResponse> {
    const object = await this.managers.projectGrant(actor.orgId, request.projectId, request.grantId);
    return { details: toChangedDetails(await this.managers.remove(actor, object, request.userId), object.orgId) };
  }
}
