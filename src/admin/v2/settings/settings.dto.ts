import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Choices, Flag, Long, Named, Part, Span, Text, Texts } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';

const RESOURCE_OWNER_TYPE = wireEnum('ResourceOwnerTypeV2', {
  RESOURCE_OWNER_TYPE_UNSPECIFIED: [0, 'unspecified'],
  RESOURCE_OWNER_TYPE_INSTANCE: [1, 'instance'],
  RESOURCE_OWNER_TYPE_ORG: [2, 'org'],
});

const PASSKEYS_TYPE = wireEnum('PasskeysTypeV2', {
  PASSKEYS_TYPE_NOT_ALLOWED: [0, 'not_allowed'],
  PASSKEYS_TYPE_ALLOWED: [1, 'allowed'],
});

const SECOND_FACTOR_TYPE = wireEnum('SecondFactorTypeV2', {
  SECOND_FACTOR_TYPE_UNSPECIFIED: [0, 'unspecified'],
  SECOND_FACTOR_TYPE_OTP: [1, 'otp'],
  SECOND_FACTOR_TYPE_U2F: [2, 'u2f'],
  SECOND_FACTOR_TYPE_OTP_EMAIL: [3, 'otp_email'],
  SECOND_FACTOR_TYPE_OTP_SMS: [4, 'otp_sms'],
  SECOND_FACTOR_TYPE_RECOVERY_CODES: [5, 'recovery_codes'],
});

const MULTI_FACTOR_TYPE = wireEnum('MultiFactorTypeV2', {
  MULTI_FACTOR_TYPE_UNSPECIFIED: [0, 'unspecified'],
  MULTI_FACTOR_TYPE_U2F_WITH_VERIFICATION: [1, 'u2f_with_verification'],
});

const THEME_MODE = wireEnum('ThemeModeV2', {
  THEME_MODE_UNSPECIFIED: [0, 'unspecified'],
  THEME_MODE_AUTO: [1, 'auto'],
  THEME_MODE_LIGHT: [2, 'light'],
  THEME_MODE_DARK: [3, 'dark'],
});

const OWNER_TYPE = { description: 'Whether it is the policy of the organization or that of the instance.' } as const;

@Named('RequestContextV2')
export class RequestContextV2 {
  @Text(1, {
    oneof: 'resource_owner',
    min: 1,
    max: 200,
    description: 'ID of the organization.',
    example: EXAMPLE.org,
  })
  readonly orgId?: string;

  @Flag(2, { oneof: 'resource_owner', description: 'The defaults of the instance.' })
  readonly instance?: boolean;
}

@Named('SettingsRequestV2')
export class SettingsRequestV2 {
  @Part(1, () => RequestContextV2, { description: "Whose settings. Defaults to the caller's organization." })
  readonly ctx?: RequestContextV2;
}

@Named('LoginSettingsV2')
export class LoginSettingsV2 {
  @Flag(1, { deprecated: true, description: 'Whether users may sign in with a name and a password.' })
  readonly allowUsernamePassword!: boolean;

  @Flag(2, { description: 'Whether people may register.' })
  readonly allowRegister!: boolean;

  @Flag(3, { description: 'Whether users may sign in at identity providers.' })
  readonly allowExternalIdp!: boolean;

  @Flag(4, { description: 'Whether each user needs a second factor.' })
  readonly forceMfa!: boolean;

  @Choice(5, PASSKEYS_TYPE, { description: 'Whether users may sign in with passkeys.' })
  readonly passkeysType!: ValueOf<typeof PASSKEYS_TYPE>;

  @Flag(6, { description: 'Whether the page of the password has no link to reset it.' })
  readonly hidePasswordReset!: boolean;

  @Flag(7, { description: 'Whether unknown names are answered like known ones.' })
  readonly ignoreUnknownUsernames!: boolean;

  @Text(8, { description: 'Where people go who signed in without an application.' })
  readonly defaultRedirectUri!: string;

  @Span(9, { description: 'How long a proved password counts.', example: '864000s' })
  readonly passwordCheckLifetime?: number;

  @Span(10, { description: 'How long a sign-in at a provider counts.', example: '864000s' })
  readonly externalLoginCheckLifetime?: number;

  @Span(11, { description: 'How long people are not asked again to set a second factor up.', example: '864000s' })
  readonly mfaInitSkipLifetime?: number;

  @Span(12, { description: 'How long a proved second factor counts.', example: '864000s' })
  readonly secondFactorCheckLifetime?: number;

  @Span(13, { description: 'How long a proved passkey counts.', example: '864000s' })
  readonly multiFactorCheckLifetime?: number;

  @Choices(14, SECOND_FACTOR_TYPE, { description: 'The second factors that users may set up.' })
  readonly secondFactors!: ReadonlyArray<ValueOf<typeof SECOND_FACTOR_TYPE>>;

  @Choices(15, MULTI_FACTOR_TYPE, { description: 'What counts as two factors at once.' })
  readonly multiFactors!: ReadonlyArray<ValueOf<typeof MULTI_FACTOR_TYPE>>;

  @Flag(16, { description: 'Whether the domain of a typed name leads to its organization.' })
  readonly allowDomainDiscovery!: boolean;

  @Flag(17, { description: 'Whether an address does not count as a name.' })
  readonly disableLoginWithEmail!: boolean;

  @Flag(18, { description: 'Whether a phone number does not count as a name.' })
  readonly disableLoginWithPhone!: boolean;

  @Choice(19, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;

  @Flag(20, { description: 'Whether users may sign in with a name and a password.' })
  readonly allowLocalAuthentication!: boolean;

  @Flag(22, { description: 'Whether only users who do not sign in at a provider need a second factor.' })
  readonly forceMfaLocalOnly!: boolean;
}

@Named('GetLoginSettingsResponseV2')
export class GetLoginSettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => LoginSettingsV2)
  readonly settings!: LoginSettingsV2;
}

@Named('PasswordComplexitySettingsV2')
export class PasswordComplexitySettingsV2 {
  @Long(1, { description: 'The least number of characters.', example: '8' })
  readonly minLength!: bigint;

  @Flag(2, { description: 'Whether a password needs an upper case letter.' })
  readonly requiresUppercase!: boolean;

  @Flag(3, { description: 'Whether a password needs a lower case letter.' })
  readonly requiresLowercase!: boolean;

  @Flag(4, { description: 'Whether a password needs a digit.' })
  readonly requiresNumber!: boolean;

  @Flag(5, { description: 'Whether a password needs another character.' })
  readonly requiresSymbol!: boolean;

  @Choice(6, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;
}

@Named('GetPasswordComplexitySettingsResponseV2')
export class GetPasswordComplexitySettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => PasswordComplexitySettingsV2)
  readonly settings!: PasswordComplexitySettingsV2;
}

@Named('PasswordExpirySettingsV2')
export class PasswordExpirySettingsV2 {
  @Long(1, { description: 'After how many days a password must be changed; 0: never.', example: '365' })
  readonly maxAgeDays!: bigint;

  @Long(2, { description: 'How many days before people are told.', example: '10' })
  readonly expireWarnDays!: bigint;

  @Choice(3, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;
}

@Named('GetPasswordExpirySettingsResponseV2')
export class GetPasswordExpirySettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => PasswordExpirySettingsV2)
  readonly settings!: PasswordExpirySettingsV2;
}

@Named('ThemeV2')
export class ThemeV2 {
  @Text(1, { description: 'Color of buttons and links.', example: '#1d4a94' })
  readonly primaryColor!: string;

  @Text(2, { description: 'Background color.', example: '#f2f4f7' })
  readonly backgroundColor!: string;

  @Text(3, { description: 'Color of error messages.', example: '#b3261e' })
  readonly warnColor!: string;

  @Text(4, { description: 'Text color.', example: '#14181f' })
  readonly fontColor!: string;

  @Text(5, { description: 'Address of the logo; empty if there is none.' })
  readonly logoUrl!: string;

  @Text(6, { description: 'Address of the icon; empty if there is none.' })
  readonly iconUrl!: string;
}

@Named('BrandingSettingsV2')
export class BrandingSettingsV2 {
  @Part(1, () => ThemeV2)
  readonly lightTheme!: ThemeV2;

  @Part(2, () => ThemeV2)
  readonly darkTheme!: ThemeV2;

  @Text(3, { description: 'Always empty: pages use the fonts of the reader.' })
  readonly fontUrl!: string;

  @Flag(4, {
    description: 'Whether the pages hide the domain of login names when the application requests the organization.',
  })
  readonly hideLoginNameSuffix!: boolean;

  @Flag(5, { description: 'Whether the name of the service is hidden on the pages.' })
  readonly disableWatermark!: boolean;

  @Choice(6, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;

  @Choice(7, THEME_MODE, { description: "Light mode, dark mode, or the browser's preference." })
  readonly themeMode!: ValueOf<typeof THEME_MODE>;
}

@Named('GetBrandingSettingsResponseV2')
export class GetBrandingSettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => BrandingSettingsV2)
  readonly settings!: BrandingSettingsV2;
}

@Named('DomainSettingsV2')
export class DomainSettingsV2 {
  @Flag(1, { description: 'Whether login names end with the domain of the organization.' })
  readonly loginNameIncludesDomain!: boolean;

  @Flag(2, { description: 'Whether an organization must prove that a domain is its own.' })
  readonly requireOrgDomainVerification!: boolean;

  @Flag(3, { description: 'Whether mails are sent from an address at the domain of the instance.' })
  readonly smtpSenderAddressMatchesInstanceDomain!: boolean;

  @Choice(6, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;
}

@Named('GetDomainSettingsResponseV2')
export class GetDomainSettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => DomainSettingsV2)
  readonly settings!: DomainSettingsV2;
}

@Named('LegalAndSupportSettingsV2')
export class LegalAndSupportSettingsV2 {
  @Text(1, { description: 'Address of the terms.' })
  readonly tosLink!: string;

  @Text(2, { description: 'Address of the privacy statement.' })
  readonly privacyPolicyLink!: string;

  @Text(3, { description: 'Address of the help.' })
  readonly helpLink!: string;

  @Text(4, { description: 'Where people may write to.' })
  readonly supportEmail!: string;

  @Choice(5, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;

  @Text(6, { description: 'Address of the documentation.' })
  readonly docsLink!: string;

  @Text(7, { description: 'A further address.' })
  readonly customLink!: string;

  @Text(8, { description: 'The text of that link.' })
  readonly customLinkText!: string;
}

@Named('GetLegalAndSupportSettingsResponseV2')
export class GetLegalAndSupportSettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => LegalAndSupportSettingsV2)
  readonly settings!: LegalAndSupportSettingsV2;
}

@Named('LockoutSettingsV2')
export class LockoutSettingsV2 {
  @Long(1, { description: 'After how many wrong passwords a user is locked; 0: never.', example: '10' })
  readonly maxPasswordAttempts!: bigint;

  @Choice(2, RESOURCE_OWNER_TYPE, OWNER_TYPE)
  readonly resourceOwnerType!: ValueOf<typeof RESOURCE_OWNER_TYPE>;

  @Long(3, { description: 'After how many wrong codes a user is locked; 0: never.', example: '10' })
  readonly maxOtpAttempts!: bigint;
}

@Named('GetLockoutSettingsResponseV2')
export class GetLockoutSettingsResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => LockoutSettingsV2)
  readonly settings!: LockoutSettingsV2;
}

@Named('GetGeneralSettingsResponseV2')
export class GetGeneralSettingsResponseV2 {
  @Text(1, { deprecated: true, description: 'ID of the default organization.', example: EXAMPLE.org })
  readonly defaultOrgId!: string;

  @Text(2, { description: 'The language of those whose own is not known.', example: 'en' })
  readonly defaultLanguage!: string;

  @Texts(3, { description: 'The languages that there are.', example: ['en'] })
  readonly supportedLanguages!: readonly string[];

  @Text(4, { description: 'ID of the default organization.', example: EXAMPLE.org })
  readonly defaultOrganizationId!: string;

  @Texts(5, { description: 'Those that people may choose: all.', example: ['en'] })
  readonly allowedLanguages!: readonly string[];
}
