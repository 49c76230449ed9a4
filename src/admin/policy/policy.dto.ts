import { isLink, isSupportEmail, LIMITS } from '../../org/policy/policy-rules.js';
import { saidIn } from '../kit/wire/declared-field.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Count, Flag, Long, Named, Part, Text } from '../kit/wire/fields.js';

@Named('LockoutPolicyRequest')
export class LockoutPolicyRequest {
  @Count(1, {
    max: LIMITS.attempts,
    description:
      'Number of consecutive wrong passwords after which an account is locked until an administrator unlocks it; 0: never.',
    example: 0,
  })
  readonly maxPasswordAttempts!: number;

  @Count(2, {
    max: LIMITS.attempts,
    description: 'Number of consecutive wrong second factor codes after which an account is locked; 0: never.',
    example: 0,
  })
  readonly maxOtpAttempts!: number;
}

const lockoutSaid = saidIn(LockoutPolicyRequest);

@Named('LockoutPolicyDto')
export class LockoutPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Long(2, lockoutSaid('maxPasswordAttempts'))
  readonly maxPasswordAttempts!: bigint;

  @Long(3, lockoutSaid('maxOtpAttempts'))
  readonly maxOtpAttempts!: bigint;

  @Flag(4, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;
}

@Named('LockoutPolicyResponse')
export class LockoutPolicyResponse {
  @Part(1, () => LockoutPolicyDto)
  readonly policy!: LockoutPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('PasswordComplexityPolicyRequest')
export class PasswordComplexityPolicyRequest {
  @Long(1, { description: `Minimum number of characters of a password: 1 to ${LIMITS.passwordLength}.`, example: '8' })
  readonly minLength!: bigint;

  @Flag(2, { description: 'Whether a password must contain an uppercase letter.', example: false })
  readonly hasUppercase!: boolean;

  @Flag(3, { description: 'Whether a password must contain a lowercase letter.', example: false })
  readonly hasLowercase!: boolean;

  @Flag(4, { description: 'Whether a password must contain a digit.', example: false })
  readonly hasNumber!: boolean;

  @Flag(5, {
    description: 'Whether a password must contain a character that is neither a letter nor a digit.',
    example: false,
  })
  readonly hasSymbol!: boolean;

  @Count(101, {
    max: LIMITS.passwordLength,
    optional: true,
    description:
      'The same for passwords that people choose on the login pages, unless the login policy forces a second factor. ' +
      'Omitted or 0: the same as minLength.',
    example: 15,
  })
  readonly minLengthWithoutSecondFactor?: number;
}

const passwordComplexitySaid = saidIn(PasswordComplexityPolicyRequest);

/** Like `PasswordComplexityPolicyRequest`, for the instance, where the length is a `uint32`. */
@Named('InstancePasswordComplexityPolicyRequest')
export class InstancePasswordComplexityPolicyRequest {
  @Count(1, { ...passwordComplexitySaid('minLength'), example: 8 })
  readonly minLength!: number;

  @Flag(2, passwordComplexitySaid('hasUppercase'))
  readonly hasUppercase!: boolean;

  @Flag(3, passwordComplexitySaid('hasLowercase'))
  readonly hasLowercase!: boolean;

  @Flag(4, passwordComplexitySaid('hasNumber'))
  readonly hasNumber!: boolean;

  @Flag(5, passwordComplexitySaid('hasSymbol'))
  readonly hasSymbol!: boolean;

  @Count(101, { ...passwordComplexitySaid('minLengthWithoutSecondFactor'), max: LIMITS.passwordLength, optional: true })
  readonly minLengthWithoutSecondFactor?: number;
}

@Named('PasswordComplexityPolicyDto')
export class PasswordComplexityPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Long(2, passwordComplexitySaid('minLength'))
  readonly minLength!: bigint;

  @Flag(3, passwordComplexitySaid('hasUppercase'))
  readonly hasUppercase!: boolean;

  @Flag(4, passwordComplexitySaid('hasLowercase'))
  readonly hasLowercase!: boolean;

  @Flag(5, passwordComplexitySaid('hasNumber'))
  readonly hasNumber!: boolean;

  @Flag(6, passwordComplexitySaid('hasSymbol'))
  readonly hasSymbol!: boolean;

  @Count(101, { description: 'The same for passwords that people choose where no second factor is forced.' })
  readonly minLengthWithoutSecondFactor!: number;

  @Flag(7, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;
}

@Named('PasswordComplexityPolicyResponse')
export class PasswordComplexityPolicyResponse {
  @Part(1, () => PasswordComplexityPolicyDto)
  readonly policy!: PasswordComplexityPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('PasswordAgePolicyRequest')
export class PasswordAgePolicyRequest {
  @Count(1, {
    max: LIMITS.days,
    description: 'Number of days after which a password must be changed; 0: never.',
    example: 0,
  })
  readonly maxAgeDays!: number;

  @Count(2, {
    max: LIMITS.days,
    description: 'Number of days before expiry from which the user is warned.',
    example: 0,
  })
  readonly expireWarnDays!: number;
}

const passwordAgeSaid = saidIn(PasswordAgePolicyRequest);

@Named('PasswordAgePolicyDto')
export class PasswordAgePolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Long(2, passwordAgeSaid('maxAgeDays'))
  readonly maxAgeDays!: bigint;

  @Long(3, passwordAgeSaid('expireWarnDays'))
  readonly expireWarnDays!: bigint;

  @Flag(4, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;
}

@Named('PasswordAgePolicyResponse')
export class PasswordAgePolicyResponse {
  @Part(1, () => PasswordAgePolicyDto)
  readonly policy!: PasswordAgePolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

const link = {
  max: LIMITS.linkCharacters,
  form: {
    fits: isLink,
    says: "must be an http or https URL; the placeholder {{.Lang}} stands for the user's language",
  },
};

@Named('PrivacyPolicyRequest')
export class PrivacyPolicyRequest {
  @Text(1, {
    ...link,
    description: 'URL of the terms of service, such as `https://www.example.com/{{.Lang}}/terms`.',
    example: '',
  })
  readonly tosLink!: string;

  @Text(2, {
    ...link,
    description: 'URL of the privacy policy, such as `https://www.example.com/{{.Lang}}/privacy`.',
    example: '',
  })
  readonly privacyLink!: string;

  @Text(3, {
    ...link,
    description: 'URL of the help page for users who sign in.',
    example: '',
  })
  readonly helpLink!: string;

  @Text(4, {
    max: LIMITS.emailCharacters,
    form: { fits: isSupportEmail, says: 'must be an e-mail address' },
    description: 'E-mail address of the support.',
    example: '',
  })
  readonly supportEmail!: string;

  @Text(5, {
    ...link,
    description: 'URL of the documentation for administrators.',
    example: '',
  })
  readonly docsLink!: string;

  @Text(6, { ...link, description: 'URL of an additional link.', example: '' })
  readonly customLink!: string;

  @Text(7, { max: LIMITS.linkTextCharacters, description: 'Text of the additional link.', example: '' })
  readonly customLinkText!: string;
}

const privacySaid = saidIn(PrivacyPolicyRequest);

@Named('PrivacyPolicyDto')
export class PrivacyPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Text(2, privacySaid('tosLink'))
  readonly tosLink!: string;

  @Text(3, privacySaid('privacyLink'))
  readonly privacyLink!: string;

  @Flag(4, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;

  @Text(5, privacySaid('helpLink'))
  readonly helpLink!: string;

  @Text(6, privacySaid('supportEmail'))
  readonly supportEmail!: string;

  @Text(7, privacySaid('docsLink'))
  readonly docsLink!: string;

  @Text(8, privacySaid('customLink'))
  readonly customLink!: string;

  @Text(9, privacySaid('customLinkText'))
  readonly customLinkText!: string;
}

@Named('PrivacyPolicyResponse')
export class PrivacyPolicyResponse {
  @Part(1, () => PrivacyPolicyDto)
  readonly policy!: PrivacyPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

@Named('NotificationPolicyRequest')
export class NotificationPolicyRequest {
  @Flag(1, { description: 'Whether users are notified when their password was changed.', example: true })
  readonly passwordChange!: boolean;
}

const notificationSaid = saidIn(NotificationPolicyRequest);

@Named('NotificationPolicyDto')
export class NotificationPolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;

  @Flag(3, notificationSaid('passwordChange'))
  readonly passwordChange!: boolean;
}

@Named('NotificationPolicyResponse')
export class NotificationPolicyResponse {
  @Part(1, () => NotificationPolicyDto)
  readonly policy!: NotificationPolicyDto;

  @Flag(2, { deprecated: true, description: 'Same as in the policy.' })
  readonly isDefault!: boolean;
}

const mayThemselves = (what: string): string => `Whether users may ${what} themselves.`;

@Named('SelfServicePolicyRequest')
export class SelfServicePolicyRequest {
  @Flag(1, { description: mayThemselves('change their name, language and the like'), example: true })
  readonly editProfile!: boolean;

  @Flag(2, { description: mayThemselves('change their e-mail address'), example: true })
  readonly changeEmail!: boolean;

  @Flag(3, { description: mayThemselves('change their phone number'), example: true })
  readonly changePhone!: boolean;

  @Flag(4, { description: mayThemselves('change their password while they are signed in'), example: true })
  readonly changePassword!: boolean;

  @Flag(5, { description: mayThemselves('add and remove second factors, passkeys and security keys'), example: true })
  readonly manageFactors!: boolean;

  @Flag(6, { description: mayThemselves('link and unlink accounts of identity providers'), example: true })
  readonly linkProviders!: boolean;

  @Flag(7, { description: mayThemselves('download what is stored about them'), example: true })
  readonly downloadData!: boolean;

  @Flag(8, { description: mayThemselves('delete their account'), example: false })
  readonly deleteAccount!: boolean;

  @Count(9, {
    max: LIMITS.graceDays,
    description:
      'Number of days for which a deleted account can be taken back: it is closed at once, and removed afterwards. ' +
      '0: it is removed at once.',
    example: 14,
  })
  readonly accountDeletionGraceDays!: number;
}

const selfServiceSaid = saidIn(SelfServicePolicyRequest);

@Named('SelfServicePolicyDto')
export class SelfServicePolicyDto {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(2, { description: "Whether this is the instance's policy." })
  readonly isDefault!: boolean;

  @Flag(3, selfServiceSaid('editProfile'))
  readonly editProfile!: boolean;

  @Flag(4, selfServiceSaid('changeEmail'))
  readonly changeEmail!: boolean;

  @Flag(5, selfServiceSaid('changePhone'))
  readonly changePhone!: boolean;

  @Flag(6, selfServiceSaid('changePassword'))
  readonly changePassword!: boolean;

  @Flag(7, selfServiceSaid('manageFactors'))
  readonly manageFactors!: boolean;

  @Flag(8, selfServiceSaid('linkProviders'))
  readonly linkProviders!: boolean;

  @Flag(9, selfServiceSaid('downloadData'))
  readonly downloadData!: boolean;

  @Flag(10, selfServiceSaid('deleteAccount'))
  readonly deleteAccount!: boolean;

  @Count(11, selfServiceSaid('accountDeletionGraceDays'))
  readonly accountDeletionGraceDays!: number;
}

@Named('SelfServicePolicyResponse')
export class SelfServicePolicyResponse {
  @Part(1, () => SelfServicePolicyDto)
  readonly policy!: SelfServicePolicyDto;
}
