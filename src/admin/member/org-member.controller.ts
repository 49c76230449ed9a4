import { Controller, Delete, Post, Put } from '@nestjs/common';
import { Clock } from '../../foundation/time/clock.js';
import type { Actor } from '../../user/permission/actor.js';
import { Managers } from '../../user/permission/managers.js';
import type { MemberObject } from '../../user/permission/memberships.js';
import {
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
  ListMembersResponse,
  ListOrgMemberRolesResponse,
  ListOrgMembersRequest,
  OrgMemberRequest,
  UpdateOrgMemberRequest,
  UserIdRequest,
} from './member.dto.js';
import { toMemberList, toMemberSearch } from './member.mapping.js';

/** Who manages the organization. */
@Tagged('Members')
@Controller('management/v1/orgs')
@OfOrg()
export class OrgMemberController {
  constructor(
    private readonly managers: Managers,
    private readonly clock: Clock,
    private readonly book: RoleBook,
  ) {}

  @Post('members/roles/_search')
  @Requires('org.member.read')
  @Operation({
    id: 'ListOrgMemberRoles',
    summary: 'List the available manager roles of an organization',
    returns: ListOrgMemberRolesResponse,
  })
  async listRoles(@Asking() _actor: Actor): Promise<ListOrgMemberRolesResponse> {
    const result = this.book.rolesOf('org');
    return { details: toWholeListDetails(result.length, this.clock.now()), result };
  }

  @Post('me/members/_search')
  @Requires('org.member.read')
  @Operation({
    id: 'ListOrgMembers',
    summary: 'Search the members of the organization',
    request: ListOrgMembersRequest,
    returns: ListMembersResponse,
  })
  async list(@Asking() actor: Actor, @Message() request: ListOrgMembersRequest): Promise<ListMembersResponse> {
    const object = toObject(actor);
    return toMemberList(await this.managers.list(object, toMemberSearch(request)), object.orgId, request.sortingColumn);
  }

  @Post('me/members')
  @Requires('org.member.write')
  @Operation({
    id: 'AddOrgMember',
    summary: 'Add a member to the organization',
    request: OrgMemberRequest,
    returns: DetailsResponse,
    refuses: [memberExists(), memberUserMissing(), roleTooStrong('ORG_OWNER')],
  })
  async add(@Asking() actor: Actor, @Message() request: OrgMemberRequest): Promise<DetailsResponse> {
    const object = toObject(actor);
    return {
      details: toAddedDetails(await this.managers.add(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Put('me/members/:userId')
  @Requires('org.member.write')
  @Operation({
    id: 'UpdateOrgMember',
    summary: 'Update the roles of an organization member',
    request: UpdateOrgMemberRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('ORG_OWNER')],
  })
  async update(@Asking() actor: Actor, @Message() request: UpdateOrgMemberRequest): Promise<DetailsResponse> {
    const object = toObject(actor);
    return {
      details: toDetails(await this.managers.change(actor, object, request.userId, request.roles), object.orgId),
    };
  }

  @Delete('me/members/:userId')
  @Requires('org.member.delete')
  @Operation({
    id: 'RemoveOrgMember',
    summary: 'Remove a member from the organization',
    request: UserIdRequest,
    returns: DetailsResponse,
    refuses: [memberNotFound(), roleTooStrong('ORG_OWNER')],
  })
  async remove(@Asking() actor: Actor, @Message() request: UserIdRequest): Promise<DetailsResponse> {
    const object = toObject(actor);
    return { details: toChangedDetails(await this.managers.remove(actor, object, request.userId), object.orgId) };
  }
}

function toObject({ orgId }: Actor): MemberObject {
  return { level: 'org', objectId: orgId, orgId };
}
