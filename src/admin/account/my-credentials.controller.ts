import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { SoleFactorKind } from '../../factor/factor.entity.js';
import {
  factorNotFound,
  factorRequired,
  passkeyNotFound,
  passkeysNotAllowed,
  passkeysUnavailable,
} from '../../factor/factor.errors.js';
import { FactorService } from '../../factor/factor.service.js';
import { PasskeyService } from '../../factor/passkey.service.js';
import { WaysIn } from '../../factor/ways-in.js';
import type { Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { idpLinkNotFound, lastWayIn } from '../../idp/idp.errors.js';
import { IdpLinks } from '../../idp/idp-links.js';
import type { Actor } from '../../permission/actor.js';
import { PolicyService } from '../../policy/policy.service.js';
import type { User } from '../../user/user.entity.js';
import { emailNotVerified, selfServiceClosed, userNameTaken } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';
import { UserMails } from '../../user/user-mails.js';
import { PasskeyLinks } from '../../user-management/passkey-links.js';
import { toAuthFactor } from '../factor/auth-factor.controller.js';
import {
  AddPasswordlessRegistrationResponse,
  type AuthFactor,
  ListHumanAuthFactorsResponse,
  ListHumanPasswordlessResponse,
} from '../factor/auth-factor.dto.js';
import { accountOfPeople, secondFactorMissing, signInTooOld } from '../guard/admin-guard.errors.js';
import { Asking } from '../guard/asking.js';
import { AUTHENTICATED } from '../guard/demand.js';
import { Requires } from '../guard/requires.js';
import { Operation } from '../operation.js';
import { toComplexityPolicy } from '../policy/policy.mapping.js';
import { DetailsResponse, toChangedDetails } from '../wire/details.dto.js';
import { Tagged } from '../wire/documentation.js';
import { toListDetails, toRange } from '../wire/list.dto.js';
import { Message } from '../wire/message.js';
import {
  GetMyPasswordComplexityPolicyResponse,
  ListMyLinkedIDPsRequest,
  ListMyLinkedIDPsResponse,
  RemoveMyAuthFactorU2FRequest,
  RemoveMyLinkedIDPRequest,
  RemoveMyPasswordlessRequest,
  UpdateMyPasswordRequest,
  UpdateMyUserNameRequest,
} from './own-account.dto.js';
import { OwnAccount } from './own-account.js';
import { OwnPassword } from './own-password.js';

const READ = [accountOfPeople()];
const PROVED = [...READ, selfServiceClosed('manageFactors'), signInTooOld(), secondFactorMissing()];
const LINK = [...PROVED, passkeysUnavailable(), passkeysNotAllowed()];
const ABOUT_LINKS =
  'For another device, where the page that it opens creates the passkey after a further proof. It can be used once, within an hour; previous links become invalid.';
const FACTOR = [...PROVED, factorNotFound(), factorRequired()];

/** What signs the caller in. Changes need a token from a new sign-in with every factor that is held (RFC 9470). */
@Tagged('My account')
@Controller('auth/v1')
export class MyCredentialsController {
  constructor(
    private readonly account: OwnAccount,
    private readonly password: OwnPassword,
    private readonly users: UserService,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly passkeyLinks: PasskeyLinks,
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
    refuses: [...PROVED, userNameTaken()],
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
    summary: "Change the caller's password",
    description:
      "Ends the caller's other sessions and every access token and refresh token issued so far, also the one of this call.",
    request: UpdateMyPasswordRequest,
    exampleWith: { oldPassword: 'Birkenhof-2025!' },
    returns: DetailsResponse,
    refuses: PROVED,
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
    refuses: READ,
  })
  async listLinks(
    @Asking() actor: Actor,
    @Message() { query }: ListMyLinkedIDPsRequest,
  ): Promise<ListMyLinkedIDPsResponse> {
    await this.account.read(actor);
    const page = await this.links.list(actor.userId, toRange(query));
    return {
      details: toListDetails(page),
      result: page.rows.map(({ externalUserId, displayName, ...link }) => ({
        ...link,
        providedUserId: externalUserId,
        providedUserName: displayName,
      })),
    };
  }

  @Delete('users/me/idps/:idpId/:linkedUserId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyLinkedIDP',
    summary: 'Remove a link of the caller to an identity provider',
    request: RemoveMyLinkedIDPRequest,
    returns: DetailsResponse,
    refuses: [...PROVED, idpLinkNotFound(), lastWayIn()],
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

  @Post('users/me/auth_factors/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyAuthFactors',
    summary: "List the caller's second factors",
    description: 'Returns the complete list, without anything that could be used to sign in.',
    returns: ListHumanAuthFactorsResponse,
    refuses: READ,
  })
  async listFactors(@Asking() actor: Actor): Promise<ListHumanAuthFactorsResponse> {
    await this.account.read(actor);
    const keys = (await this.passkeys.list(actor.userId)).filter(({ kind }) => kind === 'u2f');
    return {
      result: [
        ...(await this.factors.listSole(actor.userId)).map(toAuthFactor),
        ...keys.map(({ id, name }): AuthFactor => ({ state: 'ready', u2f: { id, name } })),
      ],
    };
  }

  @Delete('users/me/auth_factors/otp')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorOTP',
    summary: "Remove the caller's authenticator app",
    returns: DetailsResponse,
    refuses: FACTOR,
  })
  async removeOtp(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.removeFactor(actor, 'otp');
  }

  @Delete('users/me/auth_factors/otp_email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorOTPEmail',
    summary: "Remove e-mail codes as the caller's second factor",
    returns: DetailsResponse,
    refuses: FACTOR,
  })
  async removeOtpEmail(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.removeFactor(actor, 'otp_email');
  }

  @Delete('users/me/auth_factors/u2f/:tokenId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorU2F',
    summary: 'Remove a security key of the caller',
    request: RemoveMyAuthFactorU2FRequest,
    returns: DetailsResponse,
    refuses: [...PROVED, passkeyNotFound(), factorRequired()],
  })
  async removeU2f(
    @Asking() actor: Actor,
    @Message() { tokenId }: RemoveMyAuthFactorU2FRequest,
  ): Promise<DetailsResponse> {
    return this.proved(actor, 'manageFactors', async (tx, user) => {
      const mark = await this.passkeys.removeOwn(tx, user.id, tokenId, 'u2f');
      await this.account.checkFactorLeft(tx, user);
      return mark;
    });
  }

  @Post('users/me/passwordless/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyPasswordless',
    summary: "List the caller's passkeys",
    description: 'Returns the complete list, the oldest first. Security keys are among the second factors.',
    returns: ListHumanPasswordlessResponse,
    refuses: READ,
  })
  async listPasskeys(@Asking() actor: Actor): Promise<ListHumanPasswordlessResponse> {
    await this.account.read(actor);
    const keys = (await this.passkeys.list(actor.userId)).filter(({ kind }) => kind === 'passkey');
    return { result: keys.map(({ id, name }) => ({ id, state: 'ready', name })) };
  }

  @Post('users/me/passwordless/_link')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyPasswordlessLink',
    summary: 'Add a link for the caller to register a passkey',
    returns: AddPasswordlessRegistrationResponse,
    description: ABOUT_LINKS,
    refuses: LINK,
  })
  async addPasskeyLink(@Asking() actor: Actor): Promise<AddPasswordlessRegistrationResponse> {
    const { link, lifetimeSeconds, mark } = await this.account.changeProved(
      actor,
      'manageFactors',
      async (tx, user) => {
        await this.passkeyLinks.checkUsable(user.orgId);
        return this.passkeyLinks.makeFor(tx, user, user.id);
      },
    );
    return { details: toChangedDetails(mark, actor.ownOrgId), link, expiration: lifetimeSeconds };
  }

  @Post('users/me/passwordless/_send_link')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'SendMyPasswordlessLink',
    summary: 'Send the caller a link to register a passkey',
    returns: DetailsResponse,
    description: `Goes to the verified e-mail address. ${ABOUT_LINKS}`,
    refuses: [...LINK, emailNotVerified()],
  })
  async sendPasskeyLink(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.proved(actor, 'manageFactors', async (tx, user) => {
      await this.passkeyLinks.checkUsable(user.orgId);
      return this.passkeyLinks.sendFor(tx, user, user.id);
    });
  }

  @Delete('users/me/passwordless/:tokenId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyPasswordless',
    summary: 'Remove a passkey of the caller',
    request: RemoveMyPasswordlessRequest,
    returns: DetailsResponse,
    refuses: [...PROVED, passkeyNotFound(), lastWayIn(), factorRequired()],
  })
  async removePasskey(
    @Asking() actor: Actor,
    @Message() { tokenId }: RemoveMyPasswordlessRequest,
  ): Promise<DetailsResponse> {
    return this.proved(actor, 'manageFactors', async (tx, user) => {
      const mark = await this.passkeys.removeOwn(tx, user.id, tokenId, 'passkey');
      await this.account.checkFactorLeft(tx, user);
      return mark;
    });
  }

  private async removeFactor(actor: Actor, kind: SoleFactorKind): Promise<DetailsResponse> {
    return this.proved(actor, 'manageFactors', async (tx, user) => {
      const mark = await this.factors.remove(tx, user.id, kind, user.id);
      await this.account.checkFactorLeft(tx, user);
      return mark;
    });
  }

  private async proved(
    actor: Actor,
    setting: Parameters<OwnAccount['changeProved']>[1],
    work: (tx: Transaction, user: User) => Promise<EventMark>,
  ): Promise<DetailsResponse> {
    return { details: toChangedDetails(await this.account.changeProved(actor, setting, work), actor.ownOrgId) };
  }
}
