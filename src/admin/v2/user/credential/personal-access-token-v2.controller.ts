import { Controller, Delete, Post } from '@nestjs/common';
import { listTooSlow } from '../../../../foundation/database/listing.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { PersonalAccessTokens, personalAccessTokenNotFound } from '../../../../token/personal-access-tokens.js';
import { userTooStrong } from '../../../../user/permission/permission.errors.js';
import { notServiceUser, userNotFound } from '../../../../user/user.errors.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Message } from '../../../kit/wire/message.js';
import { toPagination } from '../../kit/page.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { readableOrgs, toListed, toListRequest } from './credential-list.js';
import {
  AddPersonalAccessTokenRequestV2,
  AddPersonalAccessTokenResponseV2,
  ListPersonalAccessTokensRequestV2,
  ListPersonalAccessTokensResponseV2,
  RemovePersonalAccessTokenRequestV2,
  RemovePersonalAccessTokenResponseV2,
} from './personal-access-token.dto.js';

/** Bearer tokens of service users that are used as they are. */
@Tagged('User credentials v2')
@Controller('v2/users')
@InService('user')
export class PersonalAccessTokenV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly tokens: PersonalAccessTokens,
    private readonly managed: ManagedUsers,
  ) {}

  @Post(':userId/pats')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'AddPersonalAccessTokenV2',
    sameAs: ['AddPersonalAccessToken'],
    summary: 'Add a personal access token to a service user',
    request: AddPersonalAccessTokenRequestV2,
    returns: AddPersonalAccessTokenResponseV2,
    refuses: [userNotFound(), userTooStrong(), notServiceUser()],
  })
  async add(
    @Asking() caller: Caller,
    @Message() { userId, expirationDate }: AddPersonalAccessTokenRequestV2,
  ): Promise<AddPersonalAccessTokenResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    return this.managed.change(actor, userId, async (tx) => {
      const { id: tokenId, token } = await this.tokens.add(tx, userId, actor.userId, expirationDate);
      const { creationDate } = await this.tokens.get(userId, tokenId, tx);
      return { creationDate, tokenId, token: token.reveal() };
    });
  }

  @Post('pats/search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListPersonalAccessTokensV2',
    sameAs: ['ListPersonalAccessTokens', 'GetPersonalAccessTokenByIDs'],
    summary: 'Search the personal access tokens of the service users that the caller may read, of all organizations',
    request: ListPersonalAccessTokensRequestV2,
    exampleWith: { filters: [{ userIdFilter: { id: EXAMPLE.service } }] },
    returns: ListPersonalAccessTokensResponseV2,
    refuses: [listTooSlow()],
  })
  async list(
    @Asking() caller: Caller,
    @Message() request: ListPersonalAccessTokensRequestV2,
  ): Promise<ListPersonalAccessTokensResponseV2> {
    const page = await this.tokens.listIn(readableOrgs(caller.rights), toListRequest(request));
    return { pagination: toPagination(page, request.pagination), result: page.rows.map(toListed) };
  }

  @Delete(':userId/pats/:tokenId')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemovePersonalAccessTokenV2',
    sameAs: ['RemovePersonalAccessToken'],
    summary: 'Remove a personal access token from a service user',
    request: RemovePersonalAccessTokenRequestV2,
    returns: RemovePersonalAccessTokenResponseV2,
    refuses: [userNotFound(), userTooStrong(), personalAccessTokenNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, tokenId }: RemovePersonalAccessTokenRequestV2,
  ): Promise<RemovePersonalAccessTokenResponseV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, (tx) =>
      this.tokens.remove(tx, userId, tokenId, actor.userId),
    );
    return { deletionDate: mark.at };
  }
}
