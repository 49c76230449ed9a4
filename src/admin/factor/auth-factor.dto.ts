import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { wireEnum } from '../../foundation/http/wire-enum.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Count, Named, Part, Parts, Reserves, Span, Text } from '../kit/wire/fields.js';

const AUTH_FACTOR_STATE = wireEnum('AuthFactorState', {
  AUTH_FACTOR_STATE_UNSPECIFIED: [0, 'unspecified'],
  AUTH_FACTOR_STATE_NOT_READY: [1, 'pending'],
  AUTH_FACTOR_STATE_READY: [2, 'ready'],
  AUTH_FACTOR_STATE_REMOVED: [3, 'removed'],
});

/** Codes of an authenticator app. */
@Named('AuthFactorOTP')
export class AuthFactorOTP {}

/** A security key. */
@Named('AuthFactorU2F')
export class AuthFactorU2F {
  @Text(1, { description: 'ID of the security key.', example: EXAMPLE.securityKey })
  readonly id!: string;

  @Text(2, { description: 'The name that the user has given it.', example: 'Blue key' })
  readonly name!: string;
}

/** Codes by e-mail. */
@Named('AuthFactorOTPEmail')
export class AuthFactorOTPEmail {}

@Named('AuthFactorRecoveryCodes')
export class AuthFactorRecoveryCodes {
  @Count(1, { example: 10, description: 'How many recovery codes are unused.' })
  readonly left!: number;
}

@Reserves({ 4: 'otp_sms' })
@Named('AuthFactor')
export class AuthFactor {
  @Choice(1, AUTH_FACTOR_STATE, {
    example: 'AUTH_FACTOR_STATE_READY',
    description:
      'AUTH_FACTOR_STATE_NOT_READY: the setup was started but not completed, so the factor cannot be used yet.',
  })
  readonly state!: ValueOf<typeof AUTH_FACTOR_STATE>;

  @Part(2, () => AuthFactorOTP, { oneof: 'type', description: 'Codes from an authenticator app.' })
  readonly otp?: AuthFactorOTP;

  @Part(3, () => AuthFactorU2F, { oneof: 'type', description: 'A security key.' })
  readonly u2f?: AuthFactorU2F;

  @Part(5, () => AuthFactorOTPEmail, { oneof: 'type', description: 'Codes sent by e-mail.' })
  readonly otpEmail?: AuthFactorOTPEmail;

  @Part(100, () => AuthFactorRecoveryCodes, {
    oneof: 'type',
    description: 'Recovery codes: single-use codes that replace any other second factor.',
  })
  readonly recoveryCodes?: AuthFactorRecoveryCodes;
}

@Named('ListHumanAuthFactorsResponse')
export class ListHumanAuthFactorsResponse {
  @Parts(1, () => AuthFactor)
  readonly result!: readonly AuthFactor[];
}

const USER = { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.importedPerson };

@Named('RemoveHumanAuthFactorU2FRequest')
export class RemoveHumanAuthFactorU2FRequest {
  @Text(1, USER)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the security key.', example: EXAMPLE.securityKey })
  readonly tokenId!: string;
}

@Named('AddPasswordlessRegistrationResponse')
export class AddPasswordlessRegistrationResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, {
    description: 'URL to add a passkey. Works once; opening it does not use it up.',
    example: `https://id.example.com/ui/login/login/passwordless/init?userID=${EXAMPLE.person}&orgID=${EXAMPLE.org}&code=K7QX2MP4TZ9W`,
  })
  readonly link!: string;

  @Span(3, { description: 'How long the link is valid.', example: '3600s' })
  readonly expiration!: number;
}

@Named('RemoveHumanPasswordlessRequest')
export class RemoveHumanPasswordlessRequest {
  @Text(1, USER)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, description: 'ID of the passkey.', example: EXAMPLE.passkey })
  readonly tokenId!: string;
}

/** A passkey, without anything that could be used to sign in. */
@Named('WebAuthNToken')
export class WebAuthNToken {
  @Text(1, { description: 'ID of the passkey.', example: EXAMPLE.passkey })
  readonly id!: string;

  @Choice(2, AUTH_FACTOR_STATE, { example: 'AUTH_FACTOR_STATE_READY', description: 'Passkeys are always ready.' })
  readonly state!: ValueOf<typeof AUTH_FACTOR_STATE>;

  @Text(3, { description: 'The name that the user has given it.', example: 'Google Password Manager' })
  readonly name!: string;
}

@Named('ListHumanPasswordlessResponse')
export class ListHumanPasswordlessResponse {
  @Parts(1, () => WebAuthNToken)
  readonly result!: readonly WebAuthNToken[];
}
