import { Controller, Post } from '@nestjs/common';
import { listTooSlow } from '../../foundation/database/listing.js';
import type { Actor } from '../../user/permission/actor.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { ListAllUsersRequest, ListAllUsersResponse } from './all-users.dto.js';
import { toUser } from './user.mapping.js';

/** Help desks know a name or an address, and not of which organization the user is. */
@Tagged('Users')
@Controller('management/v1/global/users')
@OfOrg()
export class AllUsersController {
  constructor(private readonly directory: UserDirectory) {}

  @Post('_search')
  @Requires('user.global.read')
  @Operation({
    id: 'ListAllUsers',
    summary: 'Search the users of all organizations',
    description:
      'Finds users whose user name, e-mail address, first, last, nick or display name contains the text, in any case. The `resourceOwner` of a user is the organization to work in afterwards.',
    request: ListAllUsersRequest,
    returns: ListAllUsersResponse,
    refuses: [listTooSlow()],
  })
  async list(@Asking() _actor: Actor, @Message() { query, text }: ListAllUsersRequest): Promise<ListAllUsersResponse> {
    const page = await this.directory.listAll(text, toRange(query));
    return { details: toListDetails(page), result: page.rows.map(toUser) };
  }
}
