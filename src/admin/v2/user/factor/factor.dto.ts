import { type ValueOf, wireEnum } from '../../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../../kit/wire/example-ids.js';
import { Choice, Choices, Count, Filter, Flag, Named, Part, Parts, Reserves, Text } from '../../../kit/wire/fields.js';
import { DetailsV2, ListDetailsV2 } from '../../kit/object.dto.js';
import { USER_ID } from '../user.dto.js';

const METHOD_TYPE = wireEnum('AuthenticationMethodTypeV2', {
  AUTHENTICATION_METHOD_TYPE_UNSPECIFIED: [0, 'unspecified'],
  AUTHENTICATION_METHOD_TYPE_PASSWORD: [1, 'password'],
  AUTHENTICATION_METHOD_TYPE_PASSKEY: [2, 'passkey'],
  AUTHENTICATION_METHOD_TYPE_IDP: [3, 'idp'],
  AUTHENTICATION_METHOD_TYPE_TOTP: [4, 'otp'],
  AUTHENTICATION_METHOD_TYPE_U2F: [5, 'u2f'],
  AUTHENTICATION_METHOD_TYPE_OTP_SMS: [6, 'otp_sms'],
  AUTHENTICATION_METHOD_TYPE_OTP_EMAIL: [7, 'otp_email'],
  AUTHENTICATION_METHOD_TYPE_RECOVERY_CODE: [8, 'recovery_codes'],
});
export type MethodType = ValueOf<typeof METHOD_TYPE>;

const AUTH_FACTORS = wireEnum('AuthFactorsV2', {
  OTP: [0, 'otp'],
  OTP_SMS: [1, 'otp_sms'],
  OTP_EMAIL: [2, 'otp_email'],
  U2F: [3, 'u2f'],
});

const AUTH_FACTOR_STATE = wireEnum('AuthFactorStateV2', {
  AUTH_FACTOR_STATE_UNSPECIFIED: [0, 'unspecified'],
  AUTH_FACTOR_STATE_NOT_READY: [1, 'pending'],
  AUTH_FACTOR_STATE_READY: [2, 'ready'],
  AUTH_FACTOR_STATE_REMOVED: [3, 'removed'],
});

const KEY_ID = { min: 1, max: 200, description: 'ID of the security key.', example: EXAMPLE.securityKey } as const;
const PASSKEY_ID = { min: 1, max: 200, description: 'ID of the passkey.', example: EXAMPLE.passkey } as const;

@Named('DomainQueryV2')
export class DomainQueryV2 {
  @Flag(1, { description: 'Has no effect: every passkey and security key here has a domain.' })
  readonly includeWithoutDomain!: boolean;

  @Text(2, {
    max: 253,
    example: 'id.example.com',
    description: 'Passkeys and security keys count that were made for this domain; if empty, all of them.',
  })
  readonly domain!: string;
}

@Named('ListAuthenticationMethodTypesRequestV2')
export class ListAuthenticationMethodTypesRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => DomainQueryV2)
  readonly domainQuery?: DomainQueryV2;
}

@Named('ListAuthenticationMethodTypesResponseV2')
export class ListAuthenticationMethodTypesResponseV2 {
  @Part(1, () => ListDetailsV2)
  readonly details!: ListDetailsV2;

  @Choices(2, METHOD_TYPE, { description: 'Each once, however many the user has of it.' })
  readonly authMethodTypes!: readonly MethodType[];
}

@Filter()
@Named('ListAuthenticationFactorsRequestV2')
export class ListAuthenticationFactorsRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Choices(2, AUTH_FACTORS, {
    maxItems: 20,
    description: 'The kinds to return; if empty, every kind, and recovery codes.',
  })
  readonly authFactors!: ReadonlyArray<ValueOf<typeof AUTH_FACTORS>>;

  @Choices(3, AUTH_FACTOR_STATE, { maxItems: 20, description: 'The states to return; if empty, every state.' })
  readonly states!: ReadonlyArray<ValueOf<typeof AUTH_FACTOR_STATE>>;
}

/** Codes of an authenticator app. */
@Named('AuthFactorOTPV2')
export class AuthFactorOtpV2 {}

/** Codes by e-mail. */
@Named('AuthFactorOTPEmailV2')
export class AuthFactorOtpEmailV2 {}

/** A security key. */
@Named('AuthFactorU2FV2')
export class AuthFactorU2fV2 {
  @Text(1, { description: 'ID of the security key.', example: EXAMPLE.securityKey })
  readonly id!: string;

  @Text(2, { description: 'The name that the user has given it.', example: 'Blue key' })
  readonly name!: string;
}

@Named('AuthFactorRecoveryCodesV2')
export class AuthFactorRecoveryCodesV2 {
  @Count(1, { example: 10, description: 'How many recovery codes are unused.' })
  readonly left!: number;
}

@Reserves({ 4: 'otp_sms' })
@Named('AuthFactorV2')
export class AuthFactorV2 {
  @Choice(1, AUTH_FACTOR_STATE, {
    example: 'AUTH_FACTOR_STATE_READY',
    description:
      'AUTH_FACTOR_STATE_NOT_READY: the setup was started but not completed, so the factor cannot be used yet.',
  })
  readonly state!: ValueOf<typeof AUTH_FACTOR_STATE>;

  @Part(2, () => AuthFactorOtpV2, { oneof: 'type', description: 'Codes from an authenticator app.' })
  readonly otp?: AuthFactorOtpV2;

  @Part(3, () => AuthFactorU2fV2, { oneof: 'type', description: 'A security key.' })
  readonly u2f?: AuthFactorU2fV2;

  @Part(5, () => AuthFactorOtpEmailV2, { oneof: 'type', description: 'Codes sent by e-mail.' })
  readonly otpEmail?: AuthFactorOtpEmailV2;

  @Part(100, () => AuthFactorRecoveryCodesV2, {
    oneof: 'type',
    description: 'Single-use codes that replace any other second factor.',
  })
  readonly recoveryCodes?: AuthFactorRecoveryCodesV2;
}

@Named('ListAuthenticationFactorsResponseV2')
export class ListAuthenticationFactorsResponseV2 {
  @Parts(1, () => AuthFactorV2)
  readonly result!: readonly AuthFactorV2[];
}

@Named('U2FByIdRequestV2')
export class U2fByIdRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, KEY_ID)
  readonly u2fId!: string;
}

/** A passkey, without anything that could be used to sign in. */
@Named('PasskeyV2')
export class PasskeyV2 {
  @Text(1, { description: 'ID of the passkey.', example: EXAMPLE.passkey })
  readonly id!: string;

  @Choice(2, AUTH_FACTOR_STATE, { example: 'AUTH_FACTOR_STATE_READY', description: 'Passkeys are always ready.' })
  readonly state!: ValueOf<typeof AUTH_FACTOR_STATE>;

  @Text(3, { description: 'The name that the user has given it.', example: 'Google Password Manager' })
  readonly name!: string;
}

@Named('ListPasskeysResponseV2')
export class ListPasskeysResponseV2 {
  @Part(1, () => ListDetailsV2)
  readonly details!: ListDetailsV2;

  @Parts(2, () => PasskeyV2)
  readonly result!: readonly PasskeyV2[];
}

@Named('PasskeyByIdRequestV2')
export class PasskeyByIdRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, PASSKEY_ID)
  readonly passkeyId!: string;
}

@Named('SendPasskeyRegistrationLinkV2')
export class SendPasskeyRegistrationLinkV2 {
  @Text(1, {
    optional: true,
    max: 200,
    description: 'Refused if not empty: e-mails link to the pages of this service.',
  })
  readonly urlTemplate?: string;
}

@Named('ReturnPasskeyRegistrationCodeV2')
export class ReturnPasskeyRegistrationCodeV2 {}

@Named('CreatePasskeyRegistrationLinkRequestV2')
export class CreatePasskeyRegistrationLinkRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => SendPasskeyRegistrationLinkV2, {
    oneof: 'medium',
    description: 'The link is sent by e-mail, as it is if nothing is said.',
  })
  readonly sendLink?: SendPasskeyRegistrationLinkV2;

  @Part(3, () => ReturnPasskeyRegistrationCodeV2, {
    oneof: 'medium',
    description: 'Refused: a code reaches nobody but the owner of the address.',
  })
  readonly returnCode?: ReturnPasskeyRegistrationCodeV2;
}

@Named('CreatePasskeyRegistrationLinkResponseV2')
@Reserves({ 2: 'code' })
export class CreatePasskeyRegistrationLinkResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
