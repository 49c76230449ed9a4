import { Controller, Post } from '@nestjs/common';
import { factorExists, factorMissing, factorNotAllowed } from '../../../../user/factor/factor.errors.js';
import { RECOVERY_CODES } from '../../../../user/factor/recovery-codes.js';
import { emailNotVerified } from '../../../../user/user.errors.js';
import { MyFactors } from '../../../account/my-factors.js';
import { InService } from '../../../kit/grpc/services.js';
import { Asking } from '../../../kit/guard/asking.js';
import { AUTHENTICATED } from '../../../kit/guard/demand.js';
import { Requires } from '../../../kit/guard/requires.js';
import { Operation } from '../../../kit/operation.js';
import { Tagged } from '../../../kit/wire/documentation.js';
import { Message } from '../../../kit/wire/message.js';
import { toChangedDetailsV2 } from '../../kit/object.dto.js';
import { type Caller, Reach } from '../../kit/reach.js';
import { UserChangedV2 } from '../user.dto.js';
import {
  GenerateRecoveryCodesRequestV2,
  GenerateRecoveryCodesResponseV2,
  OwnIdRequestV2,
  RegisterTotpResponseV2,
  VerifyTotpRegistrationRequestV2,
} from './own-factor.dto.js';
import { ABOUT_OWN, OWN_FACTOR_REFUSALS } from './own-refusals.js';

/**
 * Second factors whose codes are typed, which users set up for themselves: with a token from a new sign-in with every
 * factor that is held (RFC 9470).
 */
@Tagged('User factors v2')
@Controller('v2/users/:userId')
@InService('user')
export class OwnFactorV2Controller {
  constructor(
    private readonly reach: Reach,
    private readonly own: MyFactors,
  ) {}

  @Post('totp')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'RegisterTOTPV2',
    sameAs: ['AddMyAuthFactorOTP'],
    summary: 'Begin the setup of an authenticator app of the caller',
    description: `Returns the seed for the app. The factor counts once VerifyTOTPRegistration gets its first code, with a token of the same sign-in. A new seed replaces one whose setup was not completed. ${ABOUT_OWN}`,
    request: OwnIdRequestV2,
    returns: RegisterTotpResponseV2,
    refuses: [...OWN_FACTOR_REFUSALS, factorNotAllowed(), factorExists()],
  })
  async beginTotp(@Asking() caller: Caller, @Message() { userId }: OwnIdRequestV2): Promise<RegisterTotpResponseV2> {
    const actor = this.reach.ownAccount(caller, userId);
    const { seed, uri, mark } = await this.own.beginApp(actor);
    return { details: toChangedDetailsV2(mark, actor.orgId), uri, secret: seed.reveal() };
  }

  @Post('totp/verify')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'VerifyTOTPRegistrationV2',
    sameAs: ['VerifyMyAuthFactorOTP'],
    summary: 'Complete the setup of an authenticator app of the caller',
    description: `The code is used up. The next sign-in shows recovery codes if the user has none. An e-mail tells the user of the new factor. ${ABOUT_OWN}`,
    request: VerifyTotpRegistrationRequestV2,
    returns: UserChangedV2,
    refuses: [...OWN_FACTOR_REFUSALS, factorNotAllowed()],
  })
  async finishTotp(
    @Asking() caller: Caller,
    @Message() { userId, code }: VerifyTotpRegistrationRequestV2,
  ): Promise<UserChangedV2> {
    const actor = this.reach.ownAccount(caller, userId);
    return { details: toChangedDetailsV2(await this.own.finishApp(actor, code), actor.orgId) };
  }

  @Post('otp_email')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'AddOTPEmailV2',
    sameAs: ['AddMyAuthFactorOTPEmail'],
    summary: 'Set up e-mail codes as a second factor of the caller',
    description: `Codes are sent to the verified e-mail address. An e-mail tells the user of the new factor. ${ABOUT_OWN}`,
    request: OwnIdRequestV2,
    returns: UserChangedV2,
    refuses: [...OWN_FACTOR_REFUSALS, factorNotAllowed(), factorExists(), emailNotVerified()],
  })
  async addOtpEmail(@Asking() caller: Caller, @Message() { userId }: OwnIdRequestV2): Promise<UserChangedV2> {
    const actor = this.reach.ownAccount(caller, userId);
    return { details: toChangedDetailsV2(await this.own.addEmailCodes(actor), actor.orgId) };
  }

  @Post('recovery_codes')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'GenerateRecoveryCodesV2',
    summary: 'Make new recovery codes of the caller',
    description: `They replace the present ones, and substitute for another second factor, which the user must have. At most ten sets per hour. An e-mail tells the user. ${ABOUT_OWN}`,
    request: GenerateRecoveryCodesRequestV2,
    returns: GenerateRecoveryCodesResponseV2,
    refuses: [...OWN_FACTOR_REFUSALS, factorMissing()],
  })
  async makeRecoveryCodes(
    @Asking() caller: Caller,
    @Message() { userId, count }: GenerateRecoveryCodesRequestV2,
  ): Promise<GenerateRecoveryCodesResponseV2> {
    const actor = this.reach.ownAccount(caller, userId);
    const { codes, mark } = await this.own.makeRecoveryCodes(actor, count === 0 ? RECOVERY_CODES : count);
    return { details: toChangedDetailsV2(mark, actor.orgId), recoveryCodes: codes.map((code) => code.reveal()) };
  }

  @Post('mfa_init_skipped')
  @Requires(AUTHENTICATED)
  @Operation({
    id: 'HumanMFAInitSkippedV2',
    summary: 'Decline to set up a second factor of the caller',
    description: `The sign-in pages do not offer it again for as long as the login policy says; they still demand one where the policy does. ${ABOUT_OWN}`,
    request: OwnIdRequestV2,
    returns: UserChangedV2,
    refuses: OWN_FACTOR_REFUSALS,
  })
  async skip(@Asking() caller: Caller, @Message() { userId }: OwnIdRequestV2): Promise<UserChangedV2> {
    const actor = this.reach.ownAccount(caller, userId);
    return { details: toChangedDetailsV2(await this.own.skip(actor), actor.orgId) };
  }
}
