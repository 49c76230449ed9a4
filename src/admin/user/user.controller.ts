import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { listTooSlow } from '../../foundation/database/listing.js';
import { ManagedUsers } from '../../management/user/managed-users.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, lastOwner, userTooStrong } from '../../user/permission/permission.errors.js';
import {
  userDomainElsewhere,
  userNameTaken,
  userNotFound,
  userNotInState,
  userStateUnchanged,
} from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  IsUserUniqueRequest,
  IsUserUniqueResponse,
  UpdateUserNameRequest,
  UserById,
  UserByLoginName,
  UserResponse,
} from './user.dto.js';
import { toSearches, toUser, toUserColumn } from './user.mapping.js';
import { ListUsersRequest, ListUsersResponse } from './user-search.dto.js';

/** What people and service users have in common. */
@Tagged('Users')
@Controller('management/v1')
@OfOrg()
export class UserController {
  constructor(
    private readonly directory: UserDirectory,
    private readonly users: UserService,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('users/_search')
  @Requires('user.read')
  @Operation({
    id: 'ListUsers',
    summary: 'Search the users of the organization',
    request: ListUsersRequest,
    returns: ListUsersResponse,
    refuses: [listTooSlow()],
    description: 'Searching for equal texts or prefixes is fast for any number of users.',
    example: {
      query: { offset: '0', limit: 100, asc: true },
      sortingColumn: 'USER_FIELD_NAME_USER_NAME',
    },
  })
  async list(
    @Asking() actor: Actor,
    @Message() { query, sortingColumn, queries }: ListUsersRequest,
  ): Promise<ListUsersResponse> {
    const page = await this.directory.list(actor.orgId, toSearches(queries), {
      ...toRange(query),
      sortBy: toUserColumn(sortingColumn),
    });
    return { details: toListDetails(page), sortingColumn, result: page.rows.map(toUser) };
  }

  @Get('users/_is_unique')
  @Requires('user.read')
  @Operation({
    id: 'IsUserUnique',
    summary: 'Check whether a user name and an e-mail address are available',
    request: IsUserUniqueRequest,
    returns: IsUserUniqueResponse,
  })
  async isUnique(
    @Asking() actor: Actor,
    @Message() { userName, email }: IsUserUniqueRequest,
  ): Promise<IsUserUniqueResponse> {
    return { isUnique: await this.directory.isUnique(actor.orgId, userName, email) };
  }

  @Get('global/users/_by_login_name')
  @Requires('user.global.read')
  @Operation({
    id: 'GetUserByLoginNameGlobal',
    summary: 'Get a user of any organization by login name',
    request: UserByLoginName,
    returns: UserResponse,
    refuses: [userNotFound()],
  })
  async getByLoginName(@Asking() _actor: Actor, @Message() { loginName }: UserByLoginName): Promise<UserResponse> {
    return { user: toUser(await this.directory.getByLoginName(loginName)) };
  }

  @Get('users/:id')
  @Requires('user.read')
  @Operation({
    id: 'GetUserByID',
    summary: 'Get a user by ID',
    request: UserById,
    exampleWith: { id: EXAMPLE.administrator },
    returns: UserResponse,
    refuses: [userNotFound()],
  })
  async get(@Asking() actor: Actor, @Message() { id }: UserById): Promise<UserResponse> {
    return { user: toUser(await this.directory.get(actor.orgId, id)) };
  }

  @Put('users/:userId/username')
  @Requires('user.write')
  @Operation({
    id: 'UpdateUserName',
    summary: 'Update the user name of a user',
    request: UpdateUserNameRequest,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), userNameTaken(), userDomainElsewhere()],
  })
  async rename(
    @Asking() actor: Actor,
    @Message() { userId, userName }: UpdateUserNameRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx, user) =>
      this.users.rename(tx, user, userName, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post('users/:id/_deactivate')
  @Requires('user.write')
  @Operation({
    id: 'DeactivateUser',
    summary: 'Deactivate a user and end their sessions and tokens',
    request: UserById,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), userStateUnchanged('inactive'), lastOwner()],
  })
  async deactivate(@Asking() actor: Actor, @Message() { id }: UserById): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.managed.deactivate(actor, id), actor.orgId) };
  }

  @Post('users/:id/_reactivate')
  @Requires('user.write')
  @Operation({
    id: 'ReactivateUser',
    summary: 'Reactivate a user: an account that was never set up waits for that again',
    request: UserById,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), userNotInState('inactive')],
  })
  async reactivate(@Asking() actor: Actor, @Message() { id }: UserById): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) => this.users.reactivate(tx, user, actor.userId));
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Post('users/:id/_lock')
  @Requires('user.write')
  @Operation({
    id: 'LockUser',
    summary: 'Lock a user and end their sessions and tokens',
    request: UserById,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), userNotInState('active'), lastOwner()],
  })
  async lock(@Asking() actor: Actor, @Message() { id }: UserById): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.managed.lock(actor, id), actor.orgId) };
  }

  @Post('users/:id/_unlock')
  @Requires('user.write')
  @Operation({
    id: 'UnlockUser',
    summary: 'Unlock a user who was locked by a manager or after wrong passwords',
    request: UserById,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), userNotInState('locked')],
  })
  async unlock(@Asking() actor: Actor, @Message() { id }: UserById): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, id, (tx, user) => this.users.unlock(tx, user, actor.userId));
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  @Delete('users/:id')
  @Requires('user.delete')
  @Operation({
    id: 'RemoveUser',
    summary: 'Remove a user and everything that belongs to them',
    request: UserById,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), lastOwner()],
  })
  async remove(@Asking() actor: Actor, @Message() { id }: UserById): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.managed.remove(actor, id), actor.orgId) };
  }
}
