import { PASSWORD_FORMS } from '../../foundation/password/password-form.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Flag, Named, Part, Parts, Span, Text } from '../kit/wire/fields.js';
import { HumanProfileInput } from './profile.dto.js';
import { UserEmail, UserPhone } from './user.dto.js';
import { USER_ID } from './user-id.js';

const EMAIL = { min: 1, max: 200, example: 'ilse@birkenhof.example' };
const PHONE = {
  min: 1,
  max: 50,
  form: { fits: (text: string) => text.startsWith('+'), says: 'must start with +' },
  description: 'Phone number with country code; stored without spaces and punctuation.',
  example: '+49 30 1234567',
};
const PASSWORD = { max: 200, writeOnly: true, example: 'Birkenhof-2026!' };

@Named('HumanEmailInput')
export class HumanEmailInput {
  @Text(1, EMAIL)
  readonly email!: string;

  @Flag(2, { description: 'Whether it is verified.', example: true })
  readonly isEmailVerified!: boolean;
}

@Named('HumanPhoneInput')
export class HumanPhoneInput {
  @Text(1, PHONE)
  readonly phone!: string;

  @Flag(2, { description: 'Whether it is verified.' })
  readonly isPhoneVerified!: boolean;
}

@Named('AddHumanUserRequest')
export class AddHumanUserRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description: 'The user name: the part of the login name before the domain. May be an e-mail address.',
    example: 'ilse.brandt',
  })
  readonly userName!: string;

  @Part(2, () => HumanProfileInput, { required: true })
  readonly profile!: HumanProfileInput;

  @Part(3, () => HumanEmailInput, { required: true })
  readonly email!: HumanEmailInput;

  @Part(4, () => HumanPhoneInput)
  readonly phone?: HumanPhoneInput;

  @Text(5, {
    ...PASSWORD,
    example: undefined, // everybody would know the password of an account that is created with it
    description: 'If empty, the user sets a password with the code of the initialization e-mail.',
  })
  readonly initialPassword!: string;
}

const PROVED_BY_ANOTHER =
  'Whether another user of the instance has proved this e-mail address by a code. A person who types it signs in as that user, not as this one, unless the organization has validated the domain.';

@Named('AddHumanUserResponse')
export class AddHumanUserResponse {
  @Text(1, { example: EXAMPLE.person })
  readonly userId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(100, {
    description: PROVED_BY_ANOTHER,
    example: false,
  })
  readonly isEmailProvedByAnother!: boolean;
}

@Named('ImportedPasswordHash')
export class ImportedPasswordHash {
  @Text(1, {
    max: 500,
    writeOnly: true,
    description: `In PHC or modular crypt format: ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}. Rehashed with argon2id at the next sign-in.`,
    // Random bytes: no password is known that has this hash.
    example: '$argon2id$v=19$m=19456,t=2,p=1$kraax2iRlpprUF1AGqrX0Q$isWwVobLfZeum/zMQTKylWtn4A7BssgxnXwQHTm3Xgg',
  })
  readonly value!: string;
}

@Named('ImportedProviderAccount')
export class ImportedProviderAccount {
  @Text(1, { min: 1, max: 200, description: 'ID of an identity provider of the organization or the instance.' })
  readonly configId!: string;

  @Text(2, { min: 1, max: 200, description: "The provider's ID of the user: the `sub` of its tokens." })
  readonly externalUserId!: string;

  @Text(3, { max: 200, description: 'Name of the user at the identity provider.' })
  readonly displayName!: string;
}

@Named('ImportedRecoveryCode')
export class ImportedRecoveryCode {
  @Text(1, { min: 1, max: 200, oneof: 'code_type', writeOnly: true, description: 'The code in plain text.' })
  readonly raw?: string;

  @Text(2, {
    min: 1,
    max: 200,
    oneof: 'code_type',
    writeOnly: true,
    description: 'The hash of the code, in the formats of password hashes.',
  })
  readonly hash?: string;
}

@Named('ImportHumanUserRequest')
export class ImportHumanUserRequest {
  @Text(1, {
    min: 1,
    max: 200,
    description: 'The user name: the part of the login name before the domain. May be an e-mail address.',
    example: 'ilse.brandt',
  })
  readonly userName!: string;

  @Part(2, () => HumanProfileInput, { required: true })
  readonly profile!: HumanProfileInput;

  @Part(3, () => HumanEmailInput, { required: true })
  readonly email!: HumanEmailInput;

  @Part(4, () => HumanPhoneInput)
  readonly phone?: HumanPhoneInput;

  @Text(5, {
    ...PASSWORD,
    example: undefined,
    description: "A new password; must satisfy the organization's password complexity policy.",
  })
  readonly password!: string;

  @Part(6, () => ImportedPasswordHash, {
    description: "The hash of the user's existing password, which remains valid.",
  })
  readonly hashedPassword?: ImportedPasswordHash;

  @Flag(7, { description: 'Whether the user must change the password at the next sign-in.' })
  readonly passwordChangeRequired!: boolean;

  @Flag(8, {
    description:
      'Whether to return a link with which the user adds a passkey in place of a password. The e-mail address must be verified: the link then works at once. Otherwise, the user chooses a passkey when setting up the account.',
  })
  readonly requestPasswordlessRegistration!: boolean;

  @Text(9, { max: 200, writeOnly: true, description: 'Seed of one-time codes (TOTP) in base32; stored encrypted.' })
  readonly otpCode!: string;

  @Parts(10, () => ImportedProviderAccount, {
    maxItems: 20,
    description: 'Links to identity providers that the user signs in with.',
  })
  readonly idps!: ImportedProviderAccount[];

  @Parts(11, () => ImportedRecoveryCode, {
    maxItems: 32,
    description: 'Recovery codes: single-use codes that replace a second factor; stored hashed.',
  })
  readonly recoveryCodes!: ImportedRecoveryCode[];
}

@Named('PasswordlessRegistration')
export class PasswordlessRegistration {
  @Text(1, {
    description: 'URL to add a passkey. Works once; opening it does not use it up.',
    example: `https://id.example.com/ui/login/login/passwordless/init?userID=${EXAMPLE.importedPerson}&orgID=${EXAMPLE.org}&code=K7QX2MP4TZ9W`,
  })
  readonly link!: string;

  @Span(2, { description: 'How long the link is valid.', example: '3600s' })
  readonly lifetime?: number;

  @Span(3, { description: 'How long the link is valid.', example: '3600s' })
  readonly expiration?: number;
}

@Named('ImportHumanUserResponse')
export class ImportHumanUserResponse {
  @Text(1, { example: EXAMPLE.importedPerson })
  readonly userId!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Part(3, () => PasswordlessRegistration, {
    description:
      'The link to add a passkey. Absent if none was requested, and if the user has yet to set up the account.',
  })
  readonly passwordlessRegistration?: PasswordlessRegistration;

  @Flag(100, {
    description: PROVED_BY_ANOTHER,
    example: false,
  })
  readonly isEmailProvedByAnother!: boolean;
}

@Named('HumanEmailResponse')
export class HumanEmailResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Part(2, () => UserEmail)
  readonly email!: UserEmail;
}

@Named('UpdateHumanEmailRequest')
export class UpdateHumanEmailRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, EMAIL)
  readonly email!: string;

  @Flag(3, { description: 'Whether it is verified. If not, a verification code is sent to it.', example: true })
  readonly isEmailVerified!: boolean;
}

@Named('UpdateHumanEmailResponse')
export class UpdateHumanEmailResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Flag(100, {
    description: PROVED_BY_ANOTHER,
    example: false,
  })
  readonly isEmailProvedByAnother!: boolean;
}

@Named('HumanPhoneResponse')
export class HumanPhoneResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Part(2, () => UserPhone)
  readonly phone!: UserPhone;
}

@Named('UpdateHumanPhoneRequest')
export class UpdateHumanPhoneRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, PHONE)
  readonly phone!: string;

  @Flag(3, { description: 'Whether it is verified.' })
  readonly isPhoneVerified!: boolean;
}

@Named('SetHumanInitialPasswordRequest')
export class SetHumanInitialPasswordRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { ...PASSWORD, min: 1, description: 'The user must change the password at the next sign-in.' })
  readonly password!: string;
}

@Named('SetHumanPasswordRequest')
export class SetHumanPasswordRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { ...PASSWORD, min: 1, description: "Must satisfy the organization's password complexity policy." })
  readonly password!: string;

  @Flag(3, {
    description: 'Whether the user may keep the password. Otherwise, they must change it at the next sign-in.',
  })
  readonly noChangeRequired!: boolean;
}
