import { Controller, Delete, Post } from '@nestjs/common';
import { ManagedUsers } from '../../management/user/managed-users.js';
import type { SoleFactorKind } from '../../user/factor/factor.entity.js';
import { factorNotFound, passkeyNotFound } from '../../user/factor/factor.errors.js';
import { FactorService, type HeldFactor } from '../../user/factor/factor.service.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
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
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import { UserByUserId } from '../user/user.dto.js';
import { type AuthFactor, ListHumanAuthFactorsResponse, RemoveHumanAuthFactorU2FRequest } from './auth-factor.dto.js';

const SOMEBODY = { userId: EXAMPLE.importedPerson };
const REFUSALS = [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson(), factorNotFound()];
const AFTERWARDS =
  'Existing sessions continue. At the next sign-in, the user sets up a new factor if the login policy requires or offers it.';

/** The second factors of users. Managers remove them for users who have lost theirs. */
@Tagged('Human users')
@Controller('management/v1/users/:userId/auth_factors')
@OfOrg()
export class AuthFactorController {
  constructor(
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly directory: UserDirectory,
    private readonly managed: ManagedUsers,
  ) {}

  @Post('_search')
  @Requires('user.read')
  @Operation({
    id: 'ListHumanAuthFactors',
    summary: 'List the second factors of a user',
    request: UserByUserId,
    exampleWith: SOMEBODY,
    returns: ListHumanAuthFactorsResponse,
    description: 'Returns the complete list, without anything that could be used to sign in.',
    refuses: [userNotFound(), notPerson()],
  })
  async list(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<ListHumanAuthFactorsResponse> {
    checkPerson(await this.directory.get(actor.orgId, userId));
    const keys = (await this.passkeys.list(userId)).filter(({ kind }) => kind === 'u2f');
    return {
      result: [
        ...(await this.factors.listSole(userId)).map(toAuthFactor),
        ...keys.map(({ id, name }): AuthFactor => ({ state: 'ready', u2f: { id, name } })),
      ],
    };
  }

  @Delete('otp')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanAuthFactorOTP',
    summary: "Remove a user's authenticator app",
    request: UserByUserId,
    exampleWith: SOMEBODY,
    returns: DetailsResponse,
    description: `Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    refuses: REFUSALS,
  })
  async removeOtp(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    return this.remove(actor, userId, 'otp');
  }

  @Delete('otp_email')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanAuthFactorOTPEmail',
    summary: "Remove e-mail codes as a user's second factor",
    request: UserByUserId,
    exampleWith: SOMEBODY,
    returns: DetailsResponse,
    description: `Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    refuses: REFUSALS,
  })
  async removeOtpEmail(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    return this.remove(actor, userId, 'otp_email');
  }

  @Delete('recovery_codes')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanAuthFactorRecoveryCodes',
    summary: "Remove a user's recovery codes",
    request: UserByUserId,
    exampleWith: SOMEBODY,
    returns: DetailsResponse,
    description: "For codes that may have been seen by others. The user's other second factors are kept.",
    refuses: REFUSALS,
  })
  async removeRecoveryCodes(@Asking() actor: Actor, @Message() { userId }: UserByUserId): Promise<DetailsResponse> {
    return this.remove(actor, userId, 'recovery_codes');
  }

  @Delete('u2f/:tokenId')
  @Requires('user.write')
  @Operation({
    id: 'RemoveHumanAuthFactorU2F',
    summary: 'Remove a security key of a user',
    request: RemoveHumanAuthFactorU2FRequest,
    returns: DetailsResponse,
    description: `For a key that was lost. Removing the last factor also removes the recovery codes. ${AFTERWARDS}`,
    refuses: [userNotFound(), userTooStrong(), applicationNotTrusted(), notPerson(), passkeyNotFound()],
  })
  async removeU2f(
    @Asking() actor: Actor,
    @Message() { userId, tokenId }: RemoveHumanAuthFactorU2FRequest,
  ): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.passkeys.remove(tx, userId, tokenId, 'u2f', actor.userId);
    });
    return { details: toChangedDetails(mark, actor.orgId) };
  }

  private async remove(actor: Actor, userId: string, kind: SoleFactorKind): Promise<DetailsResponse> {
    const mark = await this.managed.change(actor, userId, async (tx, user) => {
      checkPerson(user);
      return this.factors.remove(tx, userId, kind, actor.userId);
    });
    return { details: toChangedDetails(mark, actor.orgId) };
  }
}

export function toAuthFactor({ kind, state, left }: HeldFactor & { readonly kind: SoleFactorKind }): AuthFactor {
  switch (kind) {
    case 'otp':
      return { state, otp: {} };
    case 'otp_email':
      return { state, otpEmail: {} };
    case 'recovery_codes':
      return { state, recoveryCodes: { left } };
  }
}
