import { Controller, Delete, Post } from '@nestjs/common';
import { idpLinkNotFound } from '../../idp/idp.errors.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { ManagedUsers } from '../../management/user/managed-users.js';
import type { Actor } from '../../user/permission/actor.js';
import { applicationNotTrusted, userTooStrong } from '../../user/permission/permission.errors.js';
import { checkPerson } from '../../user/person.service.js';
import { notPerson, userNotFound } from '../../user/user.errors.js';
import { UserDirectory } from '../../user/user-directory.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { OfOrg, Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import {
  ListHumanLinkedIDPsRequest,
  ListHumanLinkedIDPsResponse,
  RemoveHumanLinkedIDPRequest,
  toUserLinks,
} from './linked-idp.dto.js';

/** Accounts at identity providers by which people sign in. */
@Tagged('Human users')
@Controller('management/v1/users/:userId/idps')
@OfOrg()
export class LinkedIdpController {
  constructor(
    private readonly links: IdpLinks,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListHumanLinkedIDPs',
    summary: "List a user's linked identity providers",
    request: ListHumanLinkedIDPsRequest,
    returns: ListHumanLinkedIDPsResponse,
    refuses: [userNotFound(), notPerson()],
  })
  async list(
    @Asking() actor: Actor,
    @Message() { userId, query }: ListHumanLinkedIDPsRequest,
  ): Promise<ListHumanLinkedIDPsResponse> {
    checkPerson(await this.directory.get(actor.orgId, userId));
    const page = await this.links.list(userId, toRange(query));
    return {
      details: toListDetails(page),
      result: toUserLinks(page.rows),
    };
  }

  @Delete(':idpId/:linkedUserId')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanLinkedIDP',
    summary: 'Remove the link of a user to an identity provider',
    request: RemoveHumanLinkedIDPRequest,
    returns: DetailsResponse,
    description: 'Existing sessions continue. A user without a password needs another way to sign in afterwards.',
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson(), idpLinkNotFound()],
  })
  async remove(
    @Asking() actor: Actor,
    @Message() { userId, idpId, linkedUserId }: RemoveHumanLinkedIDPRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.links.remove(tx, user, idpId, linkedUserId, actor.userId);
    });
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}
