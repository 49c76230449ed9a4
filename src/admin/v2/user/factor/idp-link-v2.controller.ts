import { Controller, Delete, Post } from '@nestjs/common';
import { idpLinkingNotAllowed, idpLinkNotFound, idpLinkTaken, idpNotFound } from '../../../../idp/idp.errors.js';
import { IdpLinks } from '../../../../idp/idp-links.js';
import { ManagedUsers } from '../../../../management/user/managed-users.js';
import { ProviderLinks } from '../../../../management/user/provider-links.js';
import { applicationNotTrusted, userTooStrong } from '../../../../user/permission/permission.errors.js';
import { checkPerson } from '../../../../user/person.service.js';
import { notPerson, userNotFound } from '../../../../user/user.errors.js';
import { UserDirectory } from '../../../../user/user-directory.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { toRange } from '../../../kit/wire/list.dto.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2, toListDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2 } from '../user.dto.js';
import {
  AddIdpLinkRequestV2,
  ListIdpLinksRequestV2,
  ListIdpLinksResponseV2,
  RemoveIdpLinkRequestV2,
} from './idp-link.dto.js';

const REFUSALS = [userNotFound(), notPerson()];
const CHANGE_REFUSALS = [...REFUSALS, userTooStrong(), applicationNotTrusted()];

/** Accounts at identity providers by which people sign in. */
@Tagged('User factors v2')
@Controller('v2/users/:userId/links')
@InService('user')
export class IdpLinkV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly providers: ProviderLinks,
    private readonly links: IdpLinks,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('_search')
  @Requires('user.read', { named: true })
  @Operation({
    id: 'ListIDPLinksV2',
    sameAs: ['ListHumanLinkedIDPs'],
    summary: "List a user's accounts at identity providers",
    request: ListIdpLinksRequestV2,
    returns: ListIdpLinksResponseV2,
    refuses: REFUSALS,
  })
  async list(
    @Asking() caller: Caller,
    @Message() { userId, query }: ListIdpLinksRequestV2,
  ): Promise<ListIdpLinksResponseV2> {
    const { orgId } = await this.reach.user(caller, 'user.read', userId);
    checkPerson(await this.directory.get(orgId, userId));
    const page = await this.links.list(userId, toRange(query));
    return {
      details: toListDetailsV2(page),
      result: page.rows.map(({ idpId, externalUserId, displayName }) => ({
        idpId,
        userId: externalUserId,
        userName: displayName,
      })),
    };
  }

  @Post()
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'AddIDPLinkV2',
    summary: 'Link a user with an account at an identity provider',
    description:
      'Whoever has that account can sign in as the user, who is told by e-mail. The provider is one of the organization of the user or of the instance. An account that was not set up yet is set up by it.',
    request: AddIdpLinkRequestV2,
    returns: UserChangedV2,
    refuses: [...CHANGE_REFUSALS, idpNotFound(), idpLinkingNotAllowed(), idpLinkTaken()],
  })
  async add(@Asking() caller: Caller, @Message() { userId, idpLink }: AddIdpLinkRequestV2): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const { idpId, userId: externalUserId, userName: displayName } = idpLink;
    const mark = await this.providers.add(actor, userId, { idpId, externalUserId, displayName });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }

  @Delete(':idpId/:linkedUserId')
  @Requires('user.credential.write', { named: true })
  @Operation({
    id: 'RemoveIDPLinkV2',
    sameAs: ['RemoveHumanLinkedIDP'],
    summary: 'Remove the link of a user with an account at an identity provider',
    description: 'Existing sessions continue. A user without a password needs another way to sign in afterwards.',
    request: RemoveIdpLinkRequestV2,
    returns: UserChangedV2,
    refuses: [...CHANGE_REFUSALS, idpLinkNotFound()],
  })
  async remove(
    @Asking() caller: Caller,
    @Message() { userId, idpId, linkedUserId }: RemoveIdpLinkRequestV2,
  ): Promise<UserChangedV2> {
    const actor = await this.reach.user(caller, 'user.credential.write', userId);
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.links.remove(tx, user, idpId, linkedUserId, actor.userId);
    });
    return { details: toChangedDetailsV2(mark, actor.orgId) };
  }
}
