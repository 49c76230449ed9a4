import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { GENDER } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { Choice, Named, Part, Text } from '../kit/wire/fields.js';
import { USER_ID } from './user-id.js';

const URL = { max: 2_000 };

/** OIDC Core §5.1.1. */
@Named('UserAddress')
export class UserAddress {
  @Text(1, { max: 1_000, description: 'The complete address, formatted for mailing; may have several lines.' })
  readonly formatted!: string;

  @Text(2, { max: 200, example: 'Hauptstr. 1', description: 'Street and house number; may have several lines.' })
  readonly streetAddress!: string;

  @Text(3, { max: 200, example: 'Berlin', description: 'City.' })
  readonly locality!: string;

  @Text(4, { max: 200, description: 'State, province or region.' })
  readonly region!: string;

  @Text(5, { max: 200, example: '10115' })
  readonly postalCode!: string;

  @Text(6, { max: 200, example: 'Germany' })
  readonly country!: string;
}

@Named('UserProfile')
export class UserProfile {
  @Text(1, { example: 'Ilse' })
  readonly firstName!: string;

  @Text(2, { example: 'Brandt' })
  readonly lastName!: string;

  @Text(3, { example: 'Ilse' })
  readonly nickName!: string;

  @Text(4, { example: 'Ilse Brandt', description: 'Display name of the user.' })
  readonly displayName!: string;

  @Text(5, { description: 'Language tag.', example: 'de' })
  readonly preferredLanguage!: string;

  @Choice(6, GENDER, { example: 'GENDER_FEMALE', description: 'The gender.' })
  readonly gender!: ValueOf<typeof GENDER>;

  @Text(7, { description: 'Same as `pictureUrl`.' })
  readonly avatarUrl!: string;

  @Text(100)
  readonly middleName!: string;

  @Text(101, { description: "URL of the user's profile page." })
  readonly profileUrl!: string;

  @Text(102, { description: "URL of the user's picture." })
  readonly pictureUrl!: string;

  @Text(103, { description: "URL of the user's website." })
  readonly website!: string;

  @Text(104, { description: 'YYYY-MM-DD, with 0000 for an unknown year, or YYYY.' })
  readonly birthdate!: string;

  @Text(105, { description: 'Time zone.', example: 'Europe/Berlin' })
  readonly zoneinfo!: string;

  @Part(106, () => UserAddress)
  readonly address?: UserAddress;
}

/** The fields of every operation that sends a person's profile. */
export class SentProfile {
  @Text(1, { min: 1, max: 200, example: 'Ilse' })
  readonly firstName!: string;

  @Text(2, { min: 1, max: 200, example: 'Brandt' })
  readonly lastName!: string;

  @Text(3, { max: 200 })
  readonly nickName!: string;

  @Text(4, { max: 200, description: 'Display name. Defaults to first and last name.' })
  readonly displayName!: string;

  @Text(5, { max: 10, description: 'Language tag.', example: 'de' })
  readonly preferredLanguage!: string;

  @Choice(6, GENDER, { example: 'GENDER_FEMALE', description: 'The gender.' })
  readonly gender!: ValueOf<typeof GENDER>;
}

/** A person's profile as it is sent. The members from 100 on are left as they are when they are not sent. */
@Named('HumanProfileInput')
export class HumanProfileInput extends SentProfile {
  @Text(100, { max: 200, optional: true })
  readonly middleName?: string;

  @Text(101, { ...URL, optional: true, description: "URL of the user's profile page." })
  readonly profileUrl?: string;

  @Text(102, { ...URL, optional: true, description: "URL of the user's picture." })
  readonly pictureUrl?: string;

  @Text(103, { ...URL, optional: true, description: "URL of the user's website." })
  readonly website?: string;

  @Text(104, { max: 10, optional: true, description: 'YYYY-MM-DD, with 0000 for an unknown year, or YYYY.' })
  readonly birthdate?: string;

  @Text(105, { max: 64, optional: true, description: 'Time zone.', example: 'Europe/Berlin' })
  readonly zoneinfo?: string;

  @Part(106, () => UserAddress, { description: 'Postal address. An empty object removes it.' })
  readonly address?: UserAddress;
}

@Named('HumanProfileResponse')
export class HumanProfileResponse {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Part(2, () => UserProfile)
  readonly profile!: UserProfile;
}

@Named('UpdateHumanProfileRequest')
export class UpdateHumanProfileRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, example: 'Ilse' })
  readonly firstName!: string;

  @Text(3, { min: 1, max: 200, example: 'Brandt' })
  readonly lastName!: string;

  @Text(4, { max: 200 })
  readonly nickName!: string;

  @Text(5, { max: 200, description: 'Display name. Defaults to first and last name.' })
  readonly displayName!: string;

  @Text(6, { max: 10, description: 'Language tag.', example: 'de' })
  readonly preferredLanguage!: string;

  @Choice(7, GENDER, { example: 'GENDER_FEMALE', description: 'The gender.' })
  readonly gender!: ValueOf<typeof GENDER>;

  @Text(100, {
    max: 200,
    optional: true,
    description: 'If this or any of the following fields is absent, it is unchanged.',
  })
  readonly middleName?: string;

  @Text(101, { ...URL, optional: true, description: "URL of the user's profile page." })
  readonly profileUrl?: string;

  @Text(102, { ...URL, optional: true, description: "URL of the user's picture." })
  readonly pictureUrl?: string;

  @Text(103, { ...URL, optional: true, description: "URL of the user's website." })
  readonly website?: string;

  @Text(104, { max: 10, optional: true, description: 'YYYY-MM-DD, with 0000 for an unknown year, or YYYY.' })
  readonly birthdate?: string;

  @Text(105, { max: 64, optional: true, description: 'Time zone.', example: 'Europe/Berlin' })
  readonly zoneinfo?: string;

  @Part(106, () => UserAddress, { description: 'Postal address. An empty object removes it.' })
  readonly address?: UserAddress;
}
