import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { PASSWORD_FORMS } from '../../../foundation/password/password-form.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Bytes, Choice, Flag, Named, Part, Parts, Text } from '../../kit/wire/fields.js';

export const GENDER_V2 = wireEnum('GenderV2', {
  GENDER_UNSPECIFIED: [0, ''],
  GENDER_FEMALE: [1, 'female'],
  GENDER_MALE: [2, 'male'],
  GENDER_DIVERSE: [3, 'diverse'],
});

/** `object.v2.Organization`: names an organization, where `org.v2.Organization` is one. */
@Named('OrganizationReferenceV2')
export class OrganizationReferenceV2 {
  @Text(1, { min: 1, max: 200, oneof: 'org', example: EXAMPLE.org })
  readonly orgId?: string;

  @Text(2, { min: 1, max: 200, oneof: 'org', description: 'A verified domain of the organization.' })
  readonly orgDomain?: string;
}

@Named('SetHumanProfileV2')
export class SetHumanProfileV2 {
  @Text(1, { min: 1, max: 200, example: 'Ilse' })
  readonly givenName!: string;

  @Text(2, { min: 1, max: 200, example: 'Brandt' })
  readonly familyName!: string;

  @Text(3, { optional: true, max: 200 })
  readonly nickName?: string;

  @Text(4, { optional: true, max: 200, description: 'Defaults to given and family name.' })
  readonly displayName?: string;

  @Text(5, { optional: true, max: 10, description: 'Language tag.', example: 'de' })
  readonly preferredLanguage?: string;

  @Choice(6, GENDER_V2, { optional: true, example: 'GENDER_FEMALE', description: 'The gender.' })
  readonly gender?: ValueOf<typeof GENDER_V2>;
}

@Named('SendEmailVerificationCodeV2')
export class SendEmailVerificationCodeV2 {
  @Text(1, {
    optional: true,
    max: 200,
    description: 'Refused if not empty: e-mails link to the pages of this service.',
  })
  readonly urlTemplate?: string;
}

@Named('ReturnEmailVerificationCodeV2')
export class ReturnEmailVerificationCodeV2 {}

@Named('SetHumanEmailV2')
export class SetHumanEmailV2 {
  @Text(1, { min: 1, max: 200, example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Part(2, () => SendEmailVerificationCodeV2, {
    oneof: 'verification',
    description: 'A code is sent by e-mail, as it is if nothing is said.',
  })
  readonly sendCode?: SendEmailVerificationCodeV2;

  @Part(3, () => ReturnEmailVerificationCodeV2, {
    oneof: 'verification',
    description: 'Refused: a code reaches nobody but the owner of the address.',
  })
  readonly returnCode?: ReturnEmailVerificationCodeV2;

  @Flag(4, { oneof: 'verification', description: 'Whether it is verified. If not, a code is sent.', example: true })
  readonly isVerified?: boolean;
}

@Named('SendPhoneVerificationCodeV2')
export class SendPhoneVerificationCodeV2 {}

@Named('ReturnPhoneVerificationCodeV2')
export class ReturnPhoneVerificationCodeV2 {}

@Named('SetHumanPhoneV2')
export class SetHumanPhoneV2 {
  @Text(1, {
    max: 50,
    form: { fits: (text) => text === '' || text.startsWith('+'), says: 'must be empty or start with +' },
    description: 'Phone number with country code; stored without spaces and punctuation.',
    example: '+49 30 1234567',
  })
  readonly phone!: string;

  @Part(2, () => SendPhoneVerificationCodeV2, { oneof: 'verification', description: 'Refused: no SMS are sent.' })
  readonly sendCode?: SendPhoneVerificationCodeV2;

  @Part(3, () => ReturnPhoneVerificationCodeV2, {
    oneof: 'verification',
    description: 'Refused: phone numbers are not verified by codes.',
  })
  readonly returnCode?: ReturnPhoneVerificationCodeV2;

  @Flag(4, { oneof: 'verification', description: 'Whether it is verified.' })
  readonly isVerified?: boolean;
}

@Named('SetMetadataEntryV2')
export class SetMetadataEntryV2 {
  @Text(1, { min: 1, max: 200, example: 'department' })
  readonly key!: string;

  @Bytes(2, { min: 1, max: 500_000, description: 'Arbitrary bytes; base64 in JSON.', example: 'bG9naXN0aWNz' })
  readonly value!: Buffer;
}

@Named('PasswordV2')
export class PasswordV2 {
  @Text(1, { min: 1, max: 200, writeOnly: true, description: 'Must satisfy the password complexity policy.' })
  readonly password!: string;

  @Flag(2, { description: 'Whether the user must change it at the next sign-in.' })
  readonly changeRequired!: boolean;
}

@Named('HashedPasswordV2')
export class HashedPasswordV2 {
  @Text(1, {
    min: 1,
    max: 500,
    writeOnly: true,
    description: `In PHC or modular crypt format: ${PASSWORD_FORMS.map(({ name }) => name).join(', ')}. Rehashed with argon2id at the next sign-in.`,
  })
  readonly hash!: string;

  @Flag(2, { description: 'Whether the user must change the password at the next sign-in.' })
  readonly changeRequired!: boolean;
}

@Named('IdpLinkV2')
export class IdpLinkV2 {
  @Text(1, { min: 1, max: 200, description: 'ID of an identity provider of the organization or the instance.' })
  readonly idpId!: string;

  @Text(2, { min: 1, max: 200, description: "The provider's ID of the user: the `sub` of its tokens." })
  readonly userId!: string;

  @Text(3, { max: 200, description: 'Name of the user at the identity provider.' })
  readonly userName!: string;
}

/** A new human user: with a password, with the hash of one, or with neither. */
@Named('AddHumanUserRequestV2')
export class AddHumanUserRequestV2 {
  @Text(1, { optional: true, min: 1, max: 200, description: 'ID of the user. Generated by default.' })
  readonly userId?: string;

  @Text(2, {
    optional: true,
    min: 1,
    max: 200,
    description: 'The user name: the part of the login name before the domain. Defaults to the e-mail address.',
  })
  readonly username?: string;

  @Part(4, () => SetHumanProfileV2, { required: true })
  readonly profile!: SetHumanProfileV2;

  @Part(5, () => SetHumanEmailV2, { required: true })
  readonly email!: SetHumanEmailV2;

  @Parts(6, () => SetMetadataEntryV2, { maxItems: 100 })
  readonly metadata!: SetMetadataEntryV2[];

  @Part(7, () => PasswordV2, { oneof: 'password_type' })
  readonly password?: PasswordV2;

  @Part(8, () => HashedPasswordV2, {
    oneof: 'password_type',
    description: "The hash of the user's existing password, which remains valid.",
  })
  readonly hashedPassword?: HashedPasswordV2;

  @Parts(9, () => IdpLinkV2, {
    maxItems: 20,
    description: 'Accounts at identity providers that the user signs in with.',
  })
  readonly idpLinks!: IdpLinkV2[];

  @Part(10, () => SetHumanPhoneV2)
  readonly phone?: SetHumanPhoneV2;

  @Part(11, () => OrganizationReferenceV2, { description: 'The organization that the user belongs to.' })
  readonly organization?: OrganizationReferenceV2;

  @Text(12, {
    optional: true,
    max: 200,
    writeOnly: true,
    description: 'Seed of one-time codes (TOTP) in base32; stored encrypted.',
  })
  readonly totpSecret?: string;
}
