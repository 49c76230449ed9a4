import { Controller, Delete, Post } from '@nestjs/common';
import type { Transaction } from '../../foundation/database/database.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PasskeyLinks } from '../../management/user/passkey-links.js';
import { MOST_KEYS } from '../../user/factor/auth-key.entity.js';
import type { KeyKind } from '../../user/factor/factor.entity.js';
import {
  challengeExpired,
  challengeSpent,
  factorNotAllowed,
  factorRequired,
  lastWayIn,
  passkeyExists,
  passkeyNotFound,
  passkeyRefused,
  passkeysNotAllowed,
  passkeysUnavailable,
  tooManyKeys,
  userNotVerified,
} from '../../user/factor/factor.errors.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import type { Actor } from '../../user/permission/actor.js';
import type { User } from '../../user/user.entity.js';
import { emailNotVerified } from '../../user/user.errors.js';
import { AddPasswordlessRegistrationResponse, ListHumanPasswordlessResponse } from '../factor/auth-factor.dto.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import {
  NewKeyResponse,
  RemoveMyAuthFactorU2FRequest,
  RemoveMyPasswordlessRequest,
  VerifyMyKeyRequest,
} from './my-factor.dto.js';
import { MyKeys } from './my-keys.js';
import { OWN_REFUSALS, PROVED_REFUSALS } from './my-refusals.js';

const OF_PASSKEYS = [...PROVED_REFUSALS, passkeysUnavailable(), passkeysNotAllowed()];
const OF_SECURITY_KEYS = [...PROVED_REFUSALS, passkeysUnavailable(), factorNotAllowed()];
const OF_ANSWERS = [
  passkeyRefused(''),
  userNotVerified(),
  challengeExpired(),
  challengeSpent(),
  passkeyExists(),
  tooManyKeys(MOST_KEYS),
];
const ABOUT_LINKS =
  'For another device, where the page that it opens creates the passkey after a further proof. It can be used once, within an hour; previous links become invalid.';
const ABOUT_OPTIONS =
  'The relying party is that of the sign-in pages, and so is the origin that is accepted: browsers create keys for it on a page of that origin, and apps where their system vouches for its domain.';
const ABOUT_STORING =
  'At most thirty answers per hour are checked for a user. The next sign-in shows recovery codes if the user has none. The user is notified of the new key by e-mail.';

/**
 * The caller's passkeys and security keys. Changes need a token from a new sign-in with every factor that is held (RFC
 * 9470), so that a stolen token adds no key.
 */
@Tagged('My sign-in')
@Controller('auth/v1/users/me')
export class MyKeysController {
  constructor(
    private readonly account: MyAccount,
    private readonly own: MyKeys,
    private readonly passkeys: PasskeyService,
    private readonly links: PasskeyLinks,
  ) {}

  @Post('auth_factors/u2f')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyAuthFactorU2F',
    summary: 'Begin the registration of a security key of the caller',
    description: `Returns what the authenticator is asked for; VerifyMyAuthFactorU2F gets its answer. ${ABOUT_OPTIONS}`,
    returns: NewKeyResponse,
    refuses: OF_SECURITY_KEYS,
  })
  async beginU2f(@Asking() actor: Actor): Promise<NewKeyResponse> {
    return this.begin(actor, 'u2f');
  }

  @Post('auth_factors/u2f/_verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyMyAuthFactorU2F',
    summary: 'Add a security key of the caller',
    description: ABOUT_STORING,
    request: VerifyMyKeyRequest,
    returns: DetailsResponse,
    refuses: [...OF_SECURITY_KEYS, ...OF_ANSWERS],
  })
  async addU2f(@Asking() actor: Actor, @Message() request: VerifyMyKeyRequest): Promise<DetailsResponse> {
    return this.add(actor, 'u2f', request);
  }

  @Delete('auth_factors/u2f/:tokenId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorU2F',
    summary: 'Remove a security key of the caller',
    request: RemoveMyAuthFactorU2FRequest,
    returns: DetailsResponse,
    refuses: [...PROVED_REFUSALS, passkeyNotFound(), factorRequired()],
  })
  async removeU2f(
    @Asking() actor: Actor,
    @Message() { tokenId }: RemoveMyAuthFactorU2FRequest,
  ): Promise<DetailsResponse> {
    return this.remove(actor, 'u2f', tokenId);
  }

  @Post('passwordless/_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyPasswordless',
    summary: "List the caller's passkeys",
    description: 'Returns the complete list, the oldest first. Security keys are among the second factors.',
    returns: ListHumanPasswordlessResponse,
    refuses: OWN_REFUSALS,
  })
  async listPasskeys(@Asking() actor: Actor): Promise<ListHumanPasswordlessResponse> {
    await this.account.read(actor);
    const keys = (await this.passkeys.list(actor.userId)).filter(({ kind }) => kind === 'passkey');
    return { result: keys.map(({ id, name }) => ({ id, state: 'ready', name })) };
  }

  @Post('passwordless')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyPasswordless',
    summary: 'Begin the registration of a passkey of the caller',
    description: `Returns what the authenticator is asked for; VerifyMyPasswordless gets its answer. ${ABOUT_OPTIONS}`,
    returns: NewKeyResponse,
    refuses: OF_PASSKEYS,
  })
  async beginPasskey(@Asking() actor: Actor): Promise<NewKeyResponse> {
    return this.begin(actor, 'passkey');
  }

  @Post('passwordless/_verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyMyPasswordless',
    summary: 'Add a passkey of the caller',
    description: ABOUT_STORING,
    request: VerifyMyKeyRequest,
    returns: DetailsResponse,
    refuses: [...OF_PASSKEYS, ...OF_ANSWERS],
  })
  async addPasskey(@Asking() actor: Actor, @Message() request: VerifyMyKeyRequest): Promise<DetailsResponse> {
    return this.add(actor, 'passkey', request);
  }

  @Post('passwordless/_link')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyPasswordlessLink',
    summary: 'Add a link for the caller to register a passkey',
    returns: AddPasswordlessRegistrationResponse,
    description: ABOUT_LINKS,
    refuses: OF_PASSKEYS,
  })
  async addLink(@Asking() actor: Actor): Promise<AddPasswordlessRegistrationResponse> {
    const { link, lifetimeSeconds, mark } = await this.account.changeProved(
      actor,
      'manageFactors',
      async (tx, user) => {
        await this.links.checkUsable(user.orgId);
        return this.links.makeFor(tx, user, user.id);
      },
    );
    return { details: toChangedDetails(mark, actor.ownOrgId), link, expiration: lifetimeSeconds };
  }

  @Post('passwordless/_send_link')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'SendMyPasswordlessLink',
    summary: 'Send the caller a link to register a passkey',
    returns: DetailsResponse,
    description: `Goes to the verified e-mail address. ${ABOUT_LINKS}`,
    refuses: [...OF_PASSKEYS, emailNotVerified()],
  })
  async sendLink(@Asking() actor: Actor): Promise<DetailsResponse> {
    return this.proved(actor, async (tx, user) => {
      await this.links.checkUsable(user.orgId);
      return this.links.sendFor(tx, user, user.id);
    });
  }

  @Delete('passwordless/:tokenId')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyPasswordless',
    summary: 'Remove a passkey of the caller',
    request: RemoveMyPasswordlessRequest,
    returns: DetailsResponse,
    refuses: [...PROVED_REFUSALS, passkeyNotFound(), lastWayIn(), factorRequired()],
  })
  async removePasskey(
    @Asking() actor: Actor,
    @Message() { tokenId }: RemoveMyPasswordlessRequest,
  ): Promise<DetailsResponse> {
    return this.remove(actor, 'passkey', tokenId);
  }

  private async begin(actor: Actor, kind: KeyKind): Promise<NewKeyResponse> {
    const { json, owner } = await this.own.options(actor, kind);
    return { key: { publicKey: Buffer.from(`{"publicKey":${json}}`) }, details: toDetails(owner, owner.orgId) };
  }

  private async add(actor: Actor, kind: KeyKind, { verification }: VerifyMyKeyRequest): Promise<DetailsResponse> {
    const { publicKeyCredential, tokenName } = verification;
    const made = { answer: publicKeyCredential.toString(), name: tokenName, nameField: 'verification.tokenName' };
    return { details: toChangedDetails(await this.own.add(actor, kind, made), actor.ownOrgId) };
  }

  private async remove(actor: Actor, kind: KeyKind, id: string): Promise<DetailsResponse> {
    return this.proved(actor, async (tx, user) => {
      const mark = await this.passkeys.removeOwn(tx, user.id, id, kind);
      await this.account.checkFactorLeft(tx, user);
      return mark;
    });
  }

  private async proved(
    actor: Actor,
    work: (tx: Transaction, user: User) => Promise<EventMark>,
  ): Promise<DetailsResponse> {
    const mark = await this.account.changeProved(actor, 'manageFactors', work);
    return { details: toChangedDetails(mark, actor.ownOrgId) };
  }
}
