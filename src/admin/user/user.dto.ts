import { ObjectDetails } from '../wire/details.dto.js';
import { EXAMPLE } from '../wire/example-ids.js';
import { Choice, Flag, Moment, Part, Text, Texts } from '../wire/fields.js';
import { ACCESS_TOKEN_HEADER_TYPE, type SentHeaderType } from '../wire/token-header-type.js';
import type { ValueOf } from '../wire/wire-enum.js';
import { ACCESS_TOKEN_TYPE, GENDER, USER_STATE } from './user.enums.js';

export const USER_ID = { min: 1, max: 200, description: 'Id of the user.', example: EXAMPLE.person };

/** Requests that name a user and nothing else. Whether the wire calls it `id` or `userId` is as old as the operation. */
export class UserById {
  @Text(1, USER_ID)
  readonly id!: string;
}

export class UserByUserId {
  @Text(1, USER_ID)
  readonly userId!: string;
}

/** OIDC Core §5.1.1. */
export class UserAddress {
  @Text(1, { max: 1_000, description: 'The whole address as it is written on a letter; may have several lines.' })
  readonly formatted!: string;

  @Text(2, { max: 200, example: 'Hauptstr. 1', description: 'Street and house number; lines are parted by line ends.' })
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

export class UserProfile {
  @Text(1, { example: 'Ilse' })
  readonly firstName!: string;

  @Text(2, { example: 'Brandt' })
  readonly lastName!: string;

  @Text(3, { example: 'Ilse' })
  readonly nickName!: string;

  @Text(4, { example: 'Ilse Brandt', description: 'What the person is called on pages.' })
  readonly displayName!: string;

  @Text(5, { description: 'Language tag.', example: 'de' })
  readonly preferredLanguage!: string;

  @Choice(6, GENDER, { example: 'GENDER_FEMALE', description: 'As the person says.' })
  readonly gender!: ValueOf<typeof GENDER>;

  @Text(7, { description: 'Same as `pictureUrl`.' })
  readonly avatarUrl!: string;

  @Text(100)
  readonly middleName!: string;

  @Text(101, { description: 'Page about the person.' })
  readonly profileUrl!: string;

  @Text(102, { description: 'Picture of the person.' })
  readonly pictureUrl!: string;

  @Text(103, { description: 'Page of the person.' })
  readonly website!: string;

  @Text(104, { description: 'YYYY-MM-DD, with 0000 for a year that is not told, or YYYY.' })
  readonly birthdate!: string;

  @Text(105, { description: 'Time zone.', example: 'Europe/Berlin' })
  readonly zoneinfo!: string;

  @Part(106, () => UserAddress)
  readonly address?: UserAddress;
}

export class UserEmail {
  @Text(1, { example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Flag(2, { example: true, description: 'Whether it is known to be theirs.' })
  readonly isEmailVerified!: boolean;
}

export class UserPhone {
  @Text(1, { example: '+49301234567' })
  readonly phone!: string;

  @Flag(2, { description: 'Whether it is known to be theirs.' })
  readonly isPhoneVerified!: boolean;
}

export class Human {
  @Part(1, () => UserProfile)
  readonly profile!: UserProfile;

  @Part(2, () => UserEmail)
  readonly email!: UserEmail;

  @Part(3, () => UserPhone, { description: 'Absent: there is no number.' })
  readonly phone?: UserPhone | undefined;

  @Moment(4, { description: 'When the password was set; absent: there is none.', example: '2026-11-20T08:30:00.000Z' })
  readonly passwordChanged?: Date | undefined;
}

export class Machine {
  @Text(1, { example: 'Nightly report', description: 'For people.' })
  readonly name!: string;

  @Text(2, { example: 'Reads the numbers of the day', description: 'What it is there for.' })
  readonly description!: string;

  @Flag(3, { description: 'Whether there is a client secret.' })
  readonly hasSecret!: boolean;

  @Choice(4, ACCESS_TOKEN_TYPE, {
    example: 'ACCESS_TOKEN_TYPE_BEARER',
    description: 'The form of its access tokens: opaque, or JWT.',
  })
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;

  @Choice(100, ACCESS_TOKEN_HEADER_TYPE, {
    example: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
    description: 'The `typ` in the header of JWT access tokens.',
  })
  readonly accessTokenHeaderType!: SentHeaderType;
}

export class User {
  @Text(1, { example: EXAMPLE.person })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, USER_STATE, { description: 'USER_STATE_INITIAL: not set up yet.', example: 'USER_STATE_ACTIVE' })
  readonly state!: ValueOf<typeof USER_STATE>;

  @Text(4, { example: 'ilse.brandt', description: 'The part of the login name before the domain.' })
  readonly userName!: string;

  @Texts(5, {
    description: 'What the user may type to sign in.',
    example: ['ilse.brandt@birkenhof.localhost', 'ilse.brandt'],
  })
  readonly loginNames!: readonly string[];

  @Text(6, { description: 'The login name that applications see.', example: 'ilse.brandt@birkenhof.localhost' })
  readonly preferredLoginName!: string;

  @Part(7, () => Human, { oneof: 'type', description: 'A person.' })
  readonly human?: Human;

  @Part(8, () => Machine, { oneof: 'type', description: 'A service user.' })
  readonly machine?: Machine;
}

export class UserResponse {
  @Part(1, () => User)
  readonly user!: User;
}

export class UserByLoginName {
  @Text(1, { min: 1, max: 450, description: 'The whole login name.', example: 'admin@acme.localhost' })
  readonly loginName!: string;
}

export class IsUserUniqueRequest {
  @Text(1, { max: 200, description: 'A user name; empty: not asked for.', example: 'ilse.brandt' })
  readonly userName!: string;

  @Text(2, { max: 200, description: 'An e-mail address; empty: not asked for.', example: 'ilse@birkenhof.example' })
  readonly email!: string;
}

export class IsUserUniqueResponse {
  @Flag(1, { example: true, description: 'Whether no user has the name, nor the e-mail address.' })
  readonly isUnique!: boolean;
}

export class UpdateUserNameRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { min: 1, max: 200, example: 'ilse.brandt', description: 'The part of the login name before the domain.' })
  readonly userName!: string;
}
