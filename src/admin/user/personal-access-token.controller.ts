import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import {
  type PersonalAccessTokenEntry,
  PersonalAccessTokens,
  personalAccessTokenNotFound,
} from '../../token/personal-access-tokens.js';
import type { Actor } from '../../user/permission/actor.js';
import { userTooStrong } from '../../user/permission/permission.errors.js';
import { notServiceUser, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  AddPersonalAccessTokenRequest,
  AddPersonalAccessTokenResponse,
  ListPersonalAccessTokensRequest,
  ListPersonalAccessTokensResponse,
  type PersonalAccessToken,
  PersonalAccessTokenByIds,
  PersonalAccessTokenResponse,
} from './service-user.dto.js';

/** Bearer tokens of service users that are used as they are. */
@Tagged('Service users')
@Controller('management/v1/users/:userId/pats')
@OfOrg()
export class PersonalAccessTokenController {
  constructor(
    private readonly tokens: PersonalAccessTokens,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post()
  @Requires('user.write')
  @Operation({
    id: 'AddPersonalAccessToken',
    summary: 'Add a personal access token to a service user',
    request: AddPersonalAccessTokenRequest,
    returns: AddPersonalAccessTokenResponse,
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async add(
    @Asking() actor: Actor,
    @Message() { userId, expirationDate }: AddPersonalAccessTokenRequest,
  ): Promise<AddPersonalAccessTokenResponse> {
    const { token, row } = await this.managed.change(actor, userId, async (tx) => {
      const added = await this.tokens.add(tx, userId, actor.userId, expirationDate);
      return { token: added.token, row: await this.tokens.get(userId, added.id, tx) };
    });
    return { tokenId: row.id, token: token.reveal(), details: toDetails(row, actor.orgId) };
  }

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListPersonalAccessTokens',
    summary: 'List the personal access tokens of a service user',
    request: ListPersonalAccessTokensRequest,
    returns: ListPersonalAccessTokensResponse,
    refuses: [userNotFound()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { userId, query }: ListPersonalAccessTokensRequest,
  ): Promise<ListPersonalAccessTokensResponse> {
    await this.directory.get(actor.orgId, userId);
    const page = await this.tokens.list(userId, toRange(query));
    return { details: toListDetails(page), result: page.rows.map((row) => toToken(row, actor.orgId)) };
  }

  @Get(':tokenId')
  @Requires('user.read')
  @Operation({
    id: 'GetPersonalAccessTokenByIDs',
    summary: 'Get a personal access token of a service user',
    request: PersonalAccessTokenByIds,
    returns: PersonalAccessTokenResponse,
    refuses: [userNotFound(), personalAccessTokenNotFound()],
  })
  async get(
    @Asking() actor: Actor,
    @Message() { userId, tokenId }: PersonalAccessTokenByIds,
  ): Promise<PersonalAccessTokenResponse> {
    await this.directory.get(actor.orgId, userId);
    return { token: toToken(await this.tokens.get(userId, tokenId), actor.orgId) };
  }

  @Delete(':tokenId')
  @Requires('user.write')
  @Operation({
    id: 'RemovePersonalAccessToken',
    summary: 'Remove a personal access token from a service user',
    request: PersonalAccessTokenByIds,
    returns: DetailsResponse,
    refuses: [userNotFound(), userTooStrong(), personalAccessTokenNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { userId, tokenId }: PersonalAccessTokenByIds,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, (tx) =>
      this.tokens.remove(tx, userId, tokenId, actor.userId),
    );
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

function toToken(row: PersonalAccessTokenEntry, orgId: string): PersonalAccessToken {
  return { id: row.id, details: toDetails(row, orgId), expirationDate: row.expiresAt, scopes: row.scopes };
}
