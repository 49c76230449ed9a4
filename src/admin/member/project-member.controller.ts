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
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListMemberRolesResponse,
  ListMembersResponse,
  ListProjectMembersRequest,
  ProjectMemberReference,
  ProjectMemberRequest,
  UpdateProjectMemberRequest,
} from './member.dto.js';
import { toMemberList, toMemberSearch } from './member.mapping.js';

/** Who manages a project. */
@Tagged('Members')
@Controller('management/v1/projects')
@OfOrg()
export class ProjectMemberController {
  constructor(
    private readonly managers: Managers,
    private readonly clock: Clock,
    private readonly book: RoleBook,
  ) {}

  @Post('members/roles/_search')
  @Requires('project.member.read')
  @Operation({
    id: 'ListProjectMemberRoles',
    summary: 'List the available manager roles of a project',
    returns: ListMemberRolesResponse,
  })
  async listRoles(@Asking() _actor: Actor): Promise<ListMemberRolesResponse> {
    const result = this.book.rolesOf('project');
    return { details: toWholeListDetails(result.length, this.clock.now()), result };
  }

  @Post(':projectId/members/_search')
  @Requires('project.member.read', { project: 'projectId' })
  @Operation({
    id: 'ListProjectMembers',
    summary: 'Search the members of a project',
    request: ListProjectMembersRequest,
    exampleWith: { projectId: EXAMPLE.systemProject },
    returns: ListMembersResponse,
    refuses: [managedObjectNotFound('project')],
  })
  async list(@Asking() actor: Actor, @Message() request: ListProjectMembersRequest): Promise<ListMembersResponse> {
    const object = await this.managers.project(actor.orgId, request.projectId);
    return toMemberList(await this.managers.list(object, toMemberSearch(request)), object.orgId, request.sortingColumn);
  }

  @Post(':projectId/members')
  @Requires('project.member.write', { project: 'projectId' })
  @Operation({
    id: 'AddProjectMember',
    summary: 'Add a member to a project',
    request: ProjectMemberRequest,
    returns: DetailsResponse,
    refuses: [memberExists(), memberUserMissing(), roleTooStrong('PROJECT_OWNER'), managedObjectNotFound('project')],
  })
  async add(@Asking() actor: Actor, @Message() request: ProjectMemberRequest): Promise<DetailsResponse> {
    const object = await this.managers.project(actor.orgId, request.projectId);
    return {
      details: toAddedDetails(await this.managers.add(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Put(':projectId/members/:userId')
  @Requires('project.member.write', { project: 'projectId' })
  @Operation({
    id: 'UpdateProjectMember',
    summary: 'Update the roles of a project member',
    request: UpdateProjectMemberRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('PROJECT_OWNER')],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateProjectMemberRequest): Promise<DetailsResponse> {
    const object = await this.managers.project(actor.orgId, request.projectId);
    return {
      details: toDetails(await this.managers.change(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Delete(':projectId/members/:userId')
  @Requires('project.member.delete', { project: 'projectId' })
  @Operation({
    id: 'RemoveProjectMember',
    summary: 'Remove a member from a project',
    request: ProjectMemberReference,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('PROJECT_OWNER')],
  })
  async remove(@Asking() actor: Actor, @Message() request: ProjectMemberReference): Promise<DetailsResponse> {
    const object = await this.managers.project(actor.orgId, request.projectId);
    return { details: toChangedDetails(await this.managers.remove(actor, object, request.userId), object.orgId) };
  }
}
