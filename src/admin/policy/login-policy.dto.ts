import { LIMITS, toWebAddress, WEB_ADDRESS_RULE } from '../../policy/policy-rules.js';
import { AddIdpToOrgLoginPolicyRequest, IdpLoginPolicyLink } from '../idp/login-policy-idp.dto.js';
import { ObjectDetails } from '../wire/details.dto.js';
import { saidIn } from '../wire/field.js';
import { Choice, Choices, Flag, Part, Parts, Span, Text } from '../wire/fields.js';
import { ListDetails } from '../wire/list.dto.js';
import type { ValueOf } from '../wire/wire-enum.js';
import { MULTI_FACTOR_TYPE, PASSWORDLESS_TYPE, SECOND_FACTOR_TYPE } from './policy.enums.js';

const address = {
  max: LIMITS.linkCharacters,
  form: { fits: (text: string): boolean => toWebAddress(text) !== undefined, says: WEB_ADDRESS_RULE },
};
const maxSeconds = LIMITS.lifetimeSeconds;

/** What both requests say, under the same numbers. */
abstract class LoginPolicySettings {
  @Flag(1, { description: 'Whether people may sign in with a password.', example: true })
  readonly allowUsernamePassword!: boolean;

  @Flag(2, { description: 'Whether people may make an account for themselves.', example: true })
  readonly allowRegister!: boolean;

  @Flag(3, { description: 'Whether people may sign in through an identity provider.', example: true })
  readonly allowExternalIdp!: boolean;

  @Flag(4, { description: 'Whether everybody must have a second factor.', example: false })
  readonly forceMfa!: boolean;

  @Choice(5, PASSWORDLESS_TYPE, {
    description: 'Whether people may sign in with a passkey.',
    example: 'PASSWORDLESS_TYPE_ALLOWED',
  })
  readonly passwordlessType!: ValueOf<typeof PASSWORDLESS_TYPE>;

  @Flag(6, { description: 'Whether the pages offer no reset of the password.', example: false })
  readonly hidePasswordReset!: boolean;

  @Flag(7, { description: 'Kept for clients that set it. The pages never tell whether a name exists.', example: false })
  readonly ignoreUnknownUsernames!: boolean;

  @Text(8, {
    ...address,
    description:
      'Where somebody goes who signs in without coming from an application; empty: a page of the service. Without a scheme it is https, and http for this machine itself.',
    example: 'https://www.birkenhof.example',
  })
  readonly defaultRedirectUri!: string;

  @Span(9, {
    maxSeconds,
    description: 'How long a password check counts. Not sent: stays as it is.',
    example: '864000s',
  })
  readonly passwordCheckLifetime?: number | undefined;

  @Span(10, {
    maxSeconds,
    description: 'How long a sign-in through a provider counts. Not sent: stays as it is.',
    example: '864000s',
  })
  readonly externalLoginCheckLifetime?: number | undefined;

  @Span(11, {
    maxSeconds,
    description:
      'For how long nobody is asked again to set up a second factor; 0s: never asked. Not sent: stays as it is.',
    example: '2592000s',
  })
  readonly mfaInitSkipLifetime?: number | undefined;

  @Span(12, {
    maxSeconds,
    description: 'How long a check of a second factor counts. Not sent: stays as it is.',
    example: '64800s',
  })
  readonly secondFactorCheckLifetime?: number | undefined;

  @Span(13, {
    maxSeconds,
    description: 'How long a check of a passkey counts. Not sent: stays as it is.',
    example: '43200s',
  })
  readonly multiFactorCheckLifetime?: number | undefined;
}

const domainDiscovery = {
  description: 'Whether the domain of a name that nobody has leads to the organization of that domain.',
  example: true,
};
const withoutEmail = { description: 'Whether a verified e-mail address is no login name.', example: false };
const withoutPhone = { description: 'Whether a verified phone number is no login name.', example: false };
const localOnly = {
  description: 'Whether the demand for a second factor spares those who come from an identity provider.',
  example: false,
};

export class AddCustomLoginPolicyRequest extends LoginPolicySettings {
  @Choices(14, SECOND_FACTOR_TYPE, {
    required: true,
    maxItems: 5,
    description: 'Second factors that people may use.',
    example: ['SECOND_FACTOR_TYPE_OTP', 'SECOND_FACTOR_TYPE_U2F'],
  })
  readonly secondFactors!: Array<ValueOf<typeof SECOND_FACTOR_TYPE>>;

  @Choices(15, MULTI_FACTOR_TYPE, {
    required: true,
    maxItems: 1,
    description: 'Factors that stand for two.',
    example: ['MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION'],
  })
  readonly multiFactors!: Array<ValueOf<typeof MULTI_FACTOR_TYPE>>;

  @Parts(16, () => AddIdpToOrgLoginPolicyRequest, {
    maxItems: 100,
    description: 'Identity providers to offer; none listed: every active one.',
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

  @Flag(7, { description: 'Whether it is the policy of the instance.' })
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
    description: 'The identity providers that it lists; none: every active one is offered.',
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

export class LoginPolicyResponse {
  @Part(1, () => LoginPolicyDto)
  readonly policy!: LoginPolicyDto;

  @Flag(2, { deprecated: true, description: 'As in the policy.' })
  readonly isDefault!: boolean;
}

export class SecondFactorRequest {
  @Choice(1, SECOND_FACTOR_TYPE, {
    required: true,
    description: 'The factor.',
    example: 'SECOND_FACTOR_TYPE_OTP_EMAIL',
  })
  readonly type!: ValueOf<typeof SECOND_FACTOR_TYPE>;
}

export class MultiFactorRequest {
  @Choice(1, MULTI_FACTOR_TYPE, {
    required: true,
    description: 'The factor.',
    example: 'MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION',
  })
  readonly type!: ValueOf<typeof MULTI_FACTOR_TYPE>;
}

export class SecondFactorsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choices(2, SECOND_FACTOR_TYPE, { description: 'All of them.' })
  readonly result!: ReadonlyArray<ValueOf<typeof SECOND_FACTOR_TYPE>>;
}

export class MultiFactorsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Choices(2, MULTI_FACTOR_TYPE, { description: 'All of them.' })
  readonly result!: ReadonlyArray<ValueOf<typeof MULTI_FACTOR_TYPE>>;
}
