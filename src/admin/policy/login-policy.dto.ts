import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { MULTI_FACTOR_TYPE, PASSWORDLESS_TYPE, SECOND_FACTOR_TYPE } from '../../org/policy/policy.enums.js';
import { LIMITS, toWebAddress, WEB_ADDRESS_RULE } from '../../org/policy/policy-rules.js';
import { AddIdpToOrgLoginPolicyRequest, IdpLoginPolicyLink } from '../idp/login-policy-idp.dto.js';
import { saidIn } from '../kit/wire/declared-field.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Choice, Choices, Flag, Named, Part, Parts, Span, Text } from '../kit/wire/fields.js';
import { ListDetails } from '../kit/wire/list.dto.js';

const address = {
  max: LIMITS.linkCharacters,
  form: { fits: (text: string): boolean => toWebAddress(text) !== undefined, says: WEB_ADDRESS_RULE },
};
const maxSeconds = LIMITS.lifetimeSeconds;

/** The fields of both requests, under the same numbers. */
abstract class LoginPolicySettings {
  @Flag(1, { description: 'Whether users may sign in with a password.', example: true })
  readonly allowUsernamePassword!: boolean;

  @Flag(2, { description: 'Whether users may register themselves.', example: true })
  readonly allowRegister!: boolean;

  @Flag(3, { description: 'Whether users may sign in through an identity provider.', example: true })
  readonly allowExternalIdp!: boolean;

  @Flag(4, { description: 'Whether a second factor is required for every user.', example: false })
  readonly forceMfa!: boolean;

  @Choice(5, PASSWORDLESS_TYPE, {
    description: 'Whether users may sign in with a passkey.',
    example: 'PASSWORDLESS_TYPE_ALLOWED',
  })
  readonly passwordlessType!: ValueOf<typeof PASSWORDLESS_TYPE>;

  @Flag(6, { description: 'Whether the login pages hide the password reset.', example: false })
  readonly hidePasswordReset!: boolean;

  @Flag(7, {
    description: 'Stored for compatibility. The login pages never reveal whether a user name exists.',
    example: true,
  })
  readonly ignoreUnknownUsernames!: boolean;

  @Text(8, {
    ...address,
    description:
      'Where users are redirected who sign in without an application, such as `https://www.example.com`. If empty, a page of the service is shown. Without a scheme, https is used (http for localhost).',
    example: '',
  })
  readonly defaultRedirectUri!: string;

  @Span(9, {
    maxSeconds,
    description: 'How long a password check stays valid. If absent, unchanged.',
    example: '864000s',
  })
  readonly passwordCheckLifetime?: number | undefined;

  @Span(10, {
    maxSeconds,
    description: 'How long a sign-in through an identity provider stays valid. If absent, unchanged.',
    example: '864000s',
  })
  readonly externalLoginCheckLifetime?: number | undefined;

  @Span(11, {
    maxSeconds,
    description:
      'How long users are not asked again to set up a second factor after they skipped it; 0s: they are never asked. If absent, unchanged.',
    example: '2592000s',
  })
  readonly mfaInitSkipLifetime?: number | undefined;

  @Span(12, {
    maxSeconds,
    description: 'How long a second factor check stays valid. If absent, unchanged.',
    example: '64800s',
  })
  readonly secondFactorCheckLifetime?: number | undefined;

  @Span(13, {
    maxSeconds,
    description: 'How long a passkey check stays valid. If absent, unchanged.',
    example: '43200s',
  })
  readonly multiFactorCheckLifetime?: number | undefined;
}

const domainDiscovery = {
  description: 'Whether the domain of an unknown login name selects the organization that has validated it.',
  example: true,
};
const withoutEmail = { description: 'Whether signing in with a verified e-mail address is disabled.', example: false };
const withoutPhone = { description: 'Whether signing in with a verified phone number is disabled.', example: false };
const localOnly = {
  description:
    'Whether a second factor is required only for users with a local sign-in, not for those who sign in through an identity provider.',
  example: false,
};

@Named('AddCustomLoginPolicyRequest')
export class AddCustomLoginPolicyRequest extends LoginPolicySettings {
  @Choices(14, SECOND_FACTOR_TYPE, {
    required: true,
    maxItems: 5,
    description: 'Second factors that users may use.',
    example: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
  })
  readonly secondFactors!: Array<ValueOf<typeof SECOND_FACTOR_TYPE>>;

  @Choices(15, MULTI_FACTOR_TYPE, {
    required: true,
    maxItems: 1,
    description: 'Multi-factors: factors that replace password and second factor.',
    example: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
  })
  readonly multiFactors!: Array<ValueOf<typeof MULTI_FACTOR_TYPE>>;

  @Parts(16, () => AddIdpToOrgLoginPolicyRequest, {
    maxItems: 100,
    description: 'Identity providers to offer. Defaults to every active one.',
    example: [],
  })
  readonly idps!: AddIdpToOrgLoginPolicyRequest[];

  @Flag(17, domainDiscovery)
  readonly allowDomainDiscovery!: boolean;

  @Flag(18, withoutEmail)
  readonly disableLoginWithEmail!: boolean;

  @Flag(19, withoutPhone)
  readonly disableLoginWithPhone!: boolean;

  @Flag(20, localOnly)
  readonly forceMfaLocalOnly!: boolean;
}

@Named('UpdateLoginPolicyRequest')
export class UpdateLoginPolicyRequest extends LoginPolicySettings {
  @Flag(14, domainDiscovery)
  readonly allowDomainDiscovery!: boolean;

  @Flag(15, withoutEmail)
  readonly disableLoginWithEmail!: boolean;

  @Flag(16, withoutPhone)
  readonly disableLoginWithPhone!: boolean;

  @Flag(17, localOnly)
  readonly forceMfaLocalOnly!: boolean;
}

const loginSaid = saidIn(AddCustomLoginPolicyRequest);

@Named('LoginPolicyDto')
export class LoginPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, loginSaid('allowUsernamePassword'))
  readonly allowUsernamePassword!: boolean;

  @Flag(3, loginSaid('allowRegister'))
  readonly allowRegister!: boolean;

  @Flag(4, loginSaid('allowExternalIdp'))
  readonly allowExternalIdp!: boolean;

  @Flag(5, loginSaid('forceMfa'))
  readonly forceMfa!: boolean;

  @Choice(6, PASSWORDLESS_TYPE, loginSaid('passwordlessType'))
  readonly passwordlessType!: ValueOf<typeof PASSWORDLESS_TYPE>;

  @Flag(7, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;

  @Flag(8, loginSaid('hidePasswordReset'))
  readonly hidePasswordReset!: boolean;

  @Flag(9, loginSaid('ignoreUnknownUsernames'))
  readonly ignoreUnknownUsernames!: boolean;

  @Text(10, loginSaid('defaultRedirectUri'))
  readonly defaultRedirectUri!: string;

  @Span(11, loginSaid('passwordCheckLifetime'))
  readonly passwordCheckLifetime!: number;

  @Span(12, loginSaid('externalLoginCheckLifetime'))
  readonly externalLoginCheckLifetime!: number;

  @Span(13, loginSaid('mfaInitSkipLifetime'))
  readonly mfaInitSkipLifetime!: number;

  @Span(14, loginSaid('secondFactorCheckLifetime'))
  readonly secondFactorCheckLifetime!: number;

  @Span(15, loginSaid('multiFactorCheckLifetime'))
  readonly multiFactorCheckLifetime!: number;

  @Choices(16, SECOND_FACTOR_TYPE, loginSaid('secondFactors'))
  readonly secondFactors!: ReadonlyArray<ValueOf<typeof SECOND_FACTOR_TYPE>>;

  @Choices(17, MULTI_FACTOR_TYPE, loginSaid('multiFactors'))
  readonly multiFactors!: ReadonlyArray<ValueOf<typeof MULTI_FACTOR_TYPE>>;

  @Parts(18, () => IdpLoginPolicyLink, {
    description: 'The identity providers that the policy lists. If there are none, every active one is offered.',
  })
  readonly idps!: readonly IdpLoginPolicyLink[];

  @Flag(19, loginSaid('allowDomainDiscovery'))
  readonly allowDomainDiscovery!: boolean;

  @Flag(20, loginSaid('disableLoginWithEmail'))
  readonly disableLoginWithEmail!: boolean;

  @Flag(21, loginSaid('disableLoginWithPhone'))
  readonly disableLoginWithPhone!: boolean;

  @Flag(22, loginSaid('forceMfaLocalOnly'))
  readonly forceMfaLocalOnly!: boolean;
}

@Named('LoginPolicyResponse')
export class LoginPolicyResponse {
  @Part(1, () => LoginPolicyDto)
  readonly policy!: LoginPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('SecondFactorRequest')
export class SecondFactorRequest {
  @Choice(1, SECOND_FACTOR_TYPE, {
    required: true,
    description: 'The factor.',
    example: 'SECOND_FACTOR_TYPE_OTP_EMAIL',
  })
  readonly type!: ValueOf<typeof SECOND_FACTOR_TYPE>;
}

@Named('MultiFactorRequest')
export class MultiFactorRequest {
  @Choice(1, MULTI_FACTOR_TYPE, {
    required: true,
    description: 'The factor.',
    example: 'MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION',
  })
  readonly type!: ValueOf<typeof MULTI_FACTOR_TYPE>;
}

@Named('SecondFactorsResponse')
export class SecondFactorsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choices(2, SECOND_FACTOR_TYPE, { description: 'The complete list.' })
  readonly result!: ReadonlyArray<ValueOf<typeof SECOND_FACTOR_TYPE>>;
}

@Named('MultiFactorsResponse')
export class MultiFactorsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choices(2, MULTI_FACTOR_TYPE, { description: 'The complete list.' })
  readonly result!: ReadonlyArray<ValueOf<typeof MULTI_FACTOR_TYPE>>;
}
