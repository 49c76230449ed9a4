import { Controller, Delete, Post } from '@nestjs/common';
import type { EventMark } from '../../foundation/event/journal.js';
import { MyAccount } from '../../management/user/my-account.js';
import { factorExists, factorNotAllowed, factorNotFound, factorRequired } from '../../user/factor/factor.errors.js';
import { FactorService } from '../../user/factor/factor.service.js';
import { PasskeyService } from '../../user/factor/passkey.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { emailNotVerified } from '../../user/user.errors.js';
import { toAuthFactor } from '../factor/auth-factor.controller.js';
import { type AuthFactor, ListHumanAuthFactorsResponse } from '../factor/auth-factor.dto.js';
import { Asking } from '../kit/guard/asking.js';
import { AUTHENTICATED } from '../kit/guard/demand.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { Message } from '../kit/wire/message.js';
import { AddMyAuthFactorOTPResponse, VerifyMyAuthFactorOTPRequest } from './my-factor.dto.js';
import { MyFactors } from './my-factors.js';
import { OWN_REFUSALS, PROVED_REFUSALS } from './my-refusals.js';

const ADDED = [...PROVED_REFUSALS, factorNotAllowed(), factorExists()];
const REMOVED = [...PROVED_REFUSALS, factorNotFound(), factorRequired()];

/**
 * The caller's second factors whose codes are typed. Changes need a token from a new sign-in with every factor that is
 * held (RFC 9470).
 */
@Tagged('My sign-in')
@Controller('auth/v1/users/me/auth_factors')
export class MyFactorsController {
  constructor(
    private readonly account: MyAccount,
    private readonly own: MyFactors,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
  ) {}

  @Post('_search')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'ListMyAuthFactors',
    summary: "List the caller's second factors",
    description: 'Returns the complete list, without anything that could be used to sign in.',
    returns: ListHumanAuthFactorsResponse,
    refuses: OWN_REFUSALS,
  })
  async list(@Asking() actor: Actor): Promise<ListHumanAuthFactorsResponse> {
    await this.account.read(actor);
    const keys = (await this.passkeys.list(actor.userId)).filter(({ kind }) => kind === 'u2f');
    return {
      result: [
        ...(await this.factors.listSole(actor.userId)).map(toAuthFactor),
        ...keys.map(({ id, name }): AuthFactor => ({ state: 'ready', u2f: { id, name } })),
      ],
    };
  }

  @Post('otp')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyAuthFactorOTP',
    summary: 'Begin the setup of an authenticator app for the caller',
    description:
      'Returns the seed for the app. The factor counts once VerifyMyAuthFactorOTP gets its first code, with a token of the same sign-in. A new seed replaces one whose setup was not completed.',
    returns: AddMyAuthFactorOTPResponse,
    refuses: ADDED,
  })
  async addOtp(@Asking() actor: Actor): Promise<AddMyAuthFactorOTPResponse> {
    const { seed, uri, mark } = await this.own.beginApp(actor);
    return { url: uri, secret: seed.reveal(), details: toChangedDetails(mark, actor.ownOrgId) };
  }

  @Post('otp/_verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyMyAuthFactorOTP',
    summary: "Complete the setup of the caller's authenticator app",
    description:
      'The code is used up. The next sign-in shows recovery codes if the user has none. An e-mail tells the user of the new factor.',
    request: VerifyMyAuthFactorOTPRequest,
    returns: DetailsResponse,
    refuses: [...PROVED_REFUSALS, factorNotAllowed()],
  })
  async verifyOtp(@Asking() actor: Actor, @Message() { code }: VerifyMyAuthFactorOTPRequest): Promise<DetailsResponse> {
    return toAnswer(actor, await this.own.finishApp(actor, code));
  }

  @Delete('otp')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorOTP',
    summary: "Remove the caller's authenticator app",
    returns: DetailsResponse,
    refuses: REMOVED,
  })
  async removeOtp(@Asking() actor: Actor): Promise<DetailsResponse> {
    return toAnswer(actor, await this.own.remove(actor, 'otp'));
  }

  @Post('otp_email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddMyAuthFactorOTPEmail',
    summary: 'Set up e-mail codes as a second factor of the caller',
    description: 'Codes are sent to the verified e-mail address. An e-mail tells the user of the new factor.',
    returns: DetailsResponse,
    refuses: [...ADDED, emailNotVerified()],
  })
  async addOtpEmail(@Asking() actor: Actor): Promise<DetailsResponse> {
    return toAnswer(actor, await this.own.addEmailCodes(actor));
  }

  @Delete('otp_email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RemoveMyAuthFactorOTPEmail',
    summary: "Remove e-mail codes as the caller's second factor",
    returns: DetailsResponse,
    refuses: REMOVED,
  })
  async removeOtpEmail(@Asking() actor: Actor): Promise<DetailsResponse> {
    return toAnswer(actor, await this.own.remove(actor, 'otp_email'));
  }
}

function toAnswer({ ownOrgId }: Actor, mark: EventMark): DetailsResponse {
  return { details: toChangedDetails(mark, ownOrgId) };
}
