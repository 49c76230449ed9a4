import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { idpLinkNotFound, lastWayIn } from '../../idp/idp.errors.js';
import { IdpLinks } from '../../idp/idp-links.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { WaysIn } from '../../user/factor/ways-in.js';
import type { Actor } from '../../user/permission/actor.js';
import type { User } from '../../user/user.entity.js';
import { userNameTaken } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { UserMails } from '../../user/user-mails.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toListDetails, toRange } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
import { toComplexityPolicy } from '../policy/policy.mapping.js';
import { toUserLinks } from '../user/linked-idp.dto.js';
import {
  GetMyPasswordComplexityPolicyResponse,
  ListMyLinkedIDPsRequest,
  ListMyLinkedIDPsResponse,
  RemoveMyLinkedIDPRequest,
  UpdateMyPasswordRequest,
  UpdateMyUserNameRequest,
} from './my-account.dto.js';
import { MyPassword } from './my-password.js';
import { OWN_REFUSALS, PROVED_REFUSALS } from './my-refusals.js';

/** What signs the caller in. Changes need a token from a new sign-in with every factor that is held (RFC 9470). */
@Tagged('My sign-in')
@Controller('auth/v1')
export class MyCredentialsController {
  constructor(
    private readonly account: MyAccount,
    private readonly password: MyPassword,
    private readonly users: UserService,
    private readonly links: IdpLinks,
    private readonly ways: WaysIn,
    private readonly policies: PolicyService,
    private readonly mails: UserMails,
  ) {}

  @Put('users/me/username')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'UpdateMyUserName',
    summary: "Update the caller's user name",
    request: UpdateMyUserNameRequest,
    returns: DetailsResponse,
    refuses: [...PROVED_REFUSALS, userNameTaken()],
  })
  async rename(@Asking() actor: Actor, @Message() { userName }: UpdateMyUserNameRequest): Promise<DetailsResponse> {
    return this.proved(actor, 'editProfile', (tx, user) => this.users.rename(tx, user, userName, actor.userId));
  }

  @Get('policies/passwords/complexity')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GetMyPasswordComplexityPolicy',
    summary: "Get the rules for the caller's password",
    returns: GetMyPasswordComplexityPolicyResponse,
  })
  async getComplexity(@Asking() { ownOrgId }: Actor): Promise<GetMyPasswordComplexityPolicyResponse> {
    const { policy } = toComplexityPolicy(await this.policies.read('passwordComplexity', ownOrgId));
    return { policy };
  }

  @Put('users/me/password')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'UpdateMyPassword',
    summary: "Update the caller's password",
    description:
      "Ends the caller's other sessions and every access token and refresh token issued so far, also the one of this call.",
    request: UpdateMyPasswordRequest,
    exampleWith: { oldPassword: 'Birkenhof-2025!' },
    returns: DetailsResponse,
    refuses: PROVED_REFUSALS,
  })
  async changePassword(@Asking() actor: Actor, @Message() request: UpdateMyPasswordRequest): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.password.change(actor, request), actor.ownOrgId) };
  }

  @Post('users/me/idps/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyLinkedIDPs',
    summary: "List the caller's linked identity providers",
    request: ListMyLinkedIDPsRequest,
    returns: ListMyLinkedIDPsResponse,
    refuses: OWN_REFUSALS,
  })
  async listLinks(
    @Asking() actor: Actor,
    @Message() { query }: ListMyLinkedIDPsRequest,
  ): Promise<ListMyLinkedIDPsResponse> {
    await this.account.read(actor);
    const page = await this.links.list(actor.userId, toRange(query));
    return {
      details: toListDetails(page),
      result: toUserLinks(page.rows),
    };
  }

  @Delete('users/me/idps/:idpId/:linkedUserId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyLinkedIDP',
    summary: 'Remove a link of the caller to an identity provider',
    request: RemoveMyLinkedIDPRequest,
    returns: DetailsResponse,
    refuses: [...PROVED_REFUSALS, idpLinkNotFound(), lastWayIn()],
  })
  async removeLink(
    @Asking() actor: Actor,
    @Message() { idpId, linkedUserId }: RemoveMyLinkedIDPRequest,
  ): Promise<DetailsResponse> {
    return this.proved(actor, 'linkProviders', async (tx, user) => {
      const link = (await this.links.of(user.id)).find(
        (each) => each.idpId === idpId && each.externalUserId === linkedUserId,
      );
      const mark = await this.links.remove(tx, user, idpId, linkedUserId, user.id);
      if (!(await this.ways.areLeft(tx, user.id))) throw lastWayIn();
      await this.mails.tellAccountChanged(tx, user, 'providerUnlinked', link?.idpName ?? '');
      return mark;
    });
  }

  private async proved(
    actor: Actor,
    setting: Parameters<MyAccount['changeProved']>[1],
    work: (tx: Transaction, user: User) => Promise<EventMark>,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.account.changeProved(actor, setting, work), actor.ownOrgId) };
  }
}
