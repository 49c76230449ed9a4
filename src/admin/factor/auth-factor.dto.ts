import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { wireEnum } from '../../foundation/http/wire-enum.js';
import { Choice, Count, Part, Parts, Reserves } from '../wire/fields.js';

const AUTH_FACTOR_STATE = wireEnum('AuthFactorState', {
  AUTH_FACTOR_STATE_UNSPECIFIED: [0, 'unspecified'],
  AUTH_FACTOR_STATE_NOT_READY: [1, 'pending'],
  AUTH_FACTOR_STATE_READY: [2, 'ready'],
  AUTH_FACTOR_STATE_REMOVED: [3, 'removed'],
});

/** Codes of an authenticator app. */
export class AuthFactorOTP {}

/** Codes by e-mail. */
export class AuthFactorOTPEmail {}

export class AuthFactorRecoveryCodes {
  @Count(1, { example: 10, description: 'How many recovery codes are unused.' })
  readonly left!: number;
}

@Reserves({ 3: 'u2f', 4: 'otp_sms' })
export class AuthFactor {
  @Choice(1, AUTH_FACTOR_STATE, {
    example: 'AUTH_FACTOR_STATE_READY',
    description:
      'AUTH_FACTOR_STATE_NOT_READY: the setup was started but not completed, so the factor cannot be used yet.',
  })
  readonly state!: ValueOf<typeof AUTH_FACTOR_STATE>;

  @Part(2, () => AuthFactorOTP, { oneof: 'type', description: 'Codes from an authenticator app.' })
  readonly otp?: AuthFactorOTP;

  @Part(5, () => AuthFactorOTPEmail, { oneof: 'type', description: 'Codes sent by e-mail.' })
  readonly otpEmail?: AuthFactorOTPEmail;

  @Part(100, () => AuthFactorRecoveryCodes, {
    oneof: 'type',
    description: 'Recovery codes: single-use codes that replace any other second factor.',
  })
  readonly recoveryCodes?: AuthFactorRecoveryCodes;
}

export class ListHumanAuthFactorsResponse {
  @Parts(1, () => AuthFactor)
  readonly result!: readonly AuthFactor[];
}
