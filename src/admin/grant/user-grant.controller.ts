import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { UserGrants } from '../../management/project/user-grants.js';
import { projectNotFound, rolesUnknown } from '../../project/project.errors.js';
import {
  projectGrantInactive,
  userGrantExists,
  userGrantNotFound,
  userGrantStateUnchanged,
} from '../../project/user-grant/user-grant.errors.js';
import type { Actor } from '../../user/permission/actor.js';
import { userNotFound } from '../../user/user.errors.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toAddedDetails, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddUserGrantRequest,
  AddUserGrantResponse,
  BulkRemoveUserGrantRequest,
  BulkRemoveUserGrantResponse,
  ListUserGrantsRequest,
  ListUserGrantsResponse,
  UpdateUserGrantRequest,
  UserGrantReference,
  UserGrantResponse,
} from './user-grant.dto.js';
import { asksForGranted, toUserGrant, toUserGrantFilters, toUserGrantList } from './user-grant.mapping.js';

/** A role over a single project, or a single grant of one, is enough for what is given of that. */
export const REACH = { some: ['project', 'project_grant'] } as const;

@Tagged('User grants')
@Controller('management/v1')
@OfOrg()
export class UserGrantController {
  constructor(private readonly grants: UserGrants) {}

  @Post('users/grants/_search')
  @Requires('user.grant.read', REACH)
  @Operation({
    id: 'ListUserGrants',
    summary: 'Search the user grants of the organization',
    request: ListUserGrantsRequest,
    returns: ListUserGrantsResponse,
    description: 'A manager of individual projects or project grants sees only the user grants of those.',
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, queries }: ListUserGrantsRequest,
  ): Promise<ListUserGrantsResponse> {
    const request = { ...toRange(query), sortBy: 'id', where: [] } as const;
    return toUserGrantList(
      await this.grants.list(actor, toUserGrantFilters(queries), asksForGranted(queries), request),
    );
  }

  @Get('users/:userId/grants/:grantId')
  @Requires('user.grant.read', REACH)
  @Operation({
    id: 'GetUserGrantByID',
    summary: 'Get a user grant',
    request: UserGrantReference,
    returns: UserGrantResponse,
    refuses: [userGrantNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { userId, grantId }: UserGrantReference): Promise<UserGrantResponse> {
    return { userGrant: toUserGrant(await this.grants.find(actor, { userId, grantId })) };
  }

  @Post('users/:userId/grants')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'AddUserGrant',
    summary: 'Add a user grant: grant roles of a project to a user',
    request: AddUserGrantRequest,
    returns: AddUserGrantResponse,
    description: 'The project must belong to the organization or be granted to it.',
    refuses: [
      projectNotFound(),
      userNotFound(),
      rolesUnknown(['reader'], 'roleKeys'),
      projectGrantInactive(),
      userGrantExists(),
    ],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { userId, projectId, projectGrantId, roleKeys }: AddUserGrantRequest,
  ): Promise<AddUserGrantResponse> {
    const { id, mark } = await this.grants.add(actor, { holder: { userId }, projectId, projectGrantId, roleKeys });
    return { userGrantId: id, details: toAddedDetails(mark, actor.orgId) };
  }

  @Put('users/:userId/grants/:grantId')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'UpdateUserGrant',
    summary: 'Update the roles of a user grant',
    request: UpdateUserGrantRequest,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), rolesUnknown(['reader'], 'roleKeys')],
  })
  async update(
    @Asking() actor: Actor,
    @Message() { userId, grantId, roleKeys }: UpdateUserGrantRequest,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.change(actor, { userId, grantId }, roleKeys), actor.orgId) };
  }

  @Post('users/:userId/grants/:grantId/_deactivate')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'DeactivateUserGrant',
    summary: 'Deactivate a user grant: its roles have no effect',
    request: UserGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('inactive')],
  })
  async deactivate(
    @Asking() actor: Actor,
    @Message() { userId, grantId }: UserGrantReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.grants.changeState(actor, { userId, grantId }, 'inactive'), actor.orgId),
    };
  }

  @Post('users/:userId/grants/:grantId/_reactivate')
  @Requires('user.grant.write', REACH)
  @Operation({
    id: 'ReactivateUserGrant',
    summary: 'Reactivate a user grant',
    request: UserGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound(), userGrantStateUnchanged('active')],
  })
  async reactivate(
    @Asking() actor: Actor,
    @Message() { userId, grantId }: UserGrantReference,
  ): Promise<DetailsResponse> {
    return {
      details: toChangedDetails(await this.grants.changeState(actor, { userId, grantId }, 'active'), actor.orgId),
    };
  }

  @Delete('users/:userId/grants/:grantId')
  @Requires('user.grant.delete', REACH)
  @Operation({
    id: 'RemoveUserGrant',
    summary: 'Remove a user grant',
    request: UserGrantReference,
    returns: DetailsResponse,
    refuses: [userGrantNotFound()],
  })
  async remove(@Asking() actor: Actor, @Message() { userId, grantId }: UserGrantReference): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.grants.remove(actor, { userId, grantId }), actor.orgId) };
  }

  @Delete('user_grants/_bulk')
  @Requires('user.grant.delete', REACH)
  @Operation({
    id: 'BulkRemoveUserGrant',
    summary: 'Remove several user grants, all or none',
    request: BulkRemoveUserGrantRequest,
    returns: BulkRemoveUserGrantResponse,
    refuses: [userGrantNotFound()],
  })
  async removeMany(
    @Asking() actor: Actor,
    @Message() { grantId }: BulkRemoveUserGrantRequest,
  ): Promise<BulkRemoveUserGrantResponse> {
    await this.grants.removeMany(actor, grantId);
    return {};
  }
}
