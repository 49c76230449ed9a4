import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Managers } from '../../user/permission/managers.js';
import type { MemberObject } from '../../user/permission/memberships.js';
import {
  lastOwner,
  memberExists,
  memberNotFound,
  memberUserMissing,
  roleTooStrong,
} from '../../user/permission/permission.errors.js';
import { RoleBook } from '../../user/permission/role-book.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  InstanceMemberRequest,
  ListIamMemberRolesResponse,
  ListMembersRequest,
  ListMembersResponse,
  UpdateInstanceMemberRequest,
  UserIdRequest,
} from './member.dto.js';
import { toMemberList, toMemberSearch } from './member.mapping.js';

/** Who manages the instance. */
@Tagged('Members')
@Controller('admin/v1/members')
export class InstanceMemberController {
  constructor(
    private readonly managers: Managers,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
    private readonly book: RoleBook,
  ) {}

  @Post('roles/_search')
  @Requires('iam.member.read')
  @Operation({
    id: 'ListIAMMemberRoles',
    summary: 'List the available manager roles of the instance',
    returns: ListIamMemberRolesResponse,
  })
  async listRoles(@Asking() _actor: Actor): Promise<ListIamMemberRolesResponse> {
    const roles = this.book.rolesOf('instance');
    return { details: toWholeListDetails(roles.length, this.clock.now()), roles };
  }

  @Post('/_search')
  @Requires('iam.member.read')
  @Operation({
    id: 'ListIAMMembers',
    summary: 'Search the members of the instance',
    request: ListMembersRequest,
    returns: ListMembersResponse,
  })
  async list(@Asking() _actor: Actor, @Message() request: ListMembersRequest): Promise<ListMembersResponse> {
    const object = await this.object();
    return toMemberList(await this.managers.list(object, toMemberSearch(request)), object.orgId, request.sortingColumn);
  }

  @Post('')
  @Requires('iam.member.write')
  @Operation({
    id: 'AddIAMMember',
    summary: 'Add a member to the instance',
    request: InstanceMemberRequest,
    returns: DetailsResponse,
    refuses: [memberExists(), memberUserMissing(), roleTooStrong('IAM_OWNER')],
  })
  async add(@Asking() actor: Actor, @Message() request: InstanceMemberRequest): Promise<DetailsResponse> {
    const object = await this.object();
    return {
      details: toAddedDetails(await this.managers.add(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Put('/:userId')
  @Requires('iam.member.write')
  @Operation({
    id: 'UpdateIAMMember',
    summary: 'Update the roles of an instance member',
    request: UpdateInstanceMemberRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('IAM_OWNER'), lastOwner()],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateInstanceMemberRequest): Promise<DetailsResponse> {
    const object = await this.object();
    return {
      details: toDetails(await this.managers.change(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Delete('/:userId')
  @Requires('iam.member.delete')
  @Operation({
    id: 'RemoveIAMMember',
    summary: 'Remove a member from the instance',
    request: UserIdRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('IAM_OWNER'), lastOwner()],
  })
  async remove(@Asking() actor: Actor, @Message() request: UserIdRequest): Promise<DetailsResponse> {
    const object = await this.object();
    return { details: toChangedDetails(await this.managers.remove(actor, object, request.userId), object.orgId) };
  }

  private async object(): Promise<MemberObject> {
    const { id } = await this.instances.get();
    return { level: 'instance', objectId: id, orgId: id };
  }
}
