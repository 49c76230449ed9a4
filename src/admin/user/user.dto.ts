import type { ValueOf } from '../../foundation/http/wire-enum.js';
import { ACCESS_TOKEN_HEADER_TYPE, ACCESS_TOKEN_TYPE, USER_STATE } from '../../user/user.enums.js';
import { ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Flag, Moment, Named, Part, Text, Texts } from '../kit/wire/fields.js';
import type { SentHeaderType } from '../kit/wire/token-header-type.js';
import { UserProfile } from './profile.dto.js';
import { USER_ID } from './user-id.js';

/**
 * Requests that name a user and nothing else. Whether the wire calls it `id` or `userId` is as old as the operation.
 */
@Named('UserById')
export class UserById {
  @Text(1, USER_ID)
  readonly id!: string;
}

@Named('UserByUserId')
export class UserByUserId {
  @Text(1, USER_ID)
  readonly userId!: string;
}

@Named('UserEmail')
export class UserEmail {
  @Text(1, { example: 'ilse@birkenhof.example' })
  readonly email!: string;

  @Flag(2, { example: true, description: 'Whether it is verified.' })
  readonly isEmailVerified!: boolean;
}

@Named('UserPhone')
export class UserPhone {
  @Text(1, { example: '+49301234567' })
  readonly phone!: string;

  @Flag(2, { description: 'Whether it is verified.' })
  readonly isPhoneVerified!: boolean;
}

@Named('Human')
export class Human {
  @Part(1, () => UserProfile)
  readonly profile!: UserProfile;

  @Part(2, () => UserEmail)
  readonly email!: UserEmail;

  @Part(3, () => UserPhone, { description: 'Absent if there is no phone number.' })
  readonly phone?: UserPhone | undefined;

  @Moment(4, {
    description: 'When the password was set; absent if there is none.',
    example: '2026-11-20T08:30:00.000Z',
  })
  readonly passwordChanged?: Date | undefined;
}

@Named('Machine')
export class Machine {
  @Text(1, { example: 'Nightly report', description: 'Display name of the service user.' })
  readonly name!: string;

  @Text(2, { example: 'Reads the numbers of the day', description: 'Description of its purpose.' })
  readonly description!: string;

  @Flag(3, { description: 'Whether the service user has a client secret.' })
  readonly hasSecret!: boolean;

  @Choice(4, ACCESS_TOKEN_TYPE, {
    example: 'ACCESS_TOKEN_TYPE_BEARER',
    description: 'The format of its access tokens: opaque or JWT.',
  })
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;

  @Choice(100, ACCESS_TOKEN_HEADER_TYPE, {
    example: 'ACCESS_TOKEN_HEADER_TYPE_AT_JWT',
    description: 'The `typ` in the header of JWT access tokens.',
  })
  readonly accessTokenHeaderType!: SentHeaderType;
}

@Named('User')
export class User {
  @Text(1, { example: EXAMPLE.person })
  readonly id!: string;

  @Part(2, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Choice(3, USER_STATE, {
    description: 'The state. USER_STATE_INITIAL: the account is not set up yet.',
    example: 'USER_STATE_ACTIVE',
  })
  readonly state!: ValueOf<typeof USER_STATE>;

  @Text(4, { example: 'ilse.brandt', description: 'The user name: the part of the login name before the domain.' })
  readonly userName!: string;

  @Texts(5, {
    description: 'The login names with which the user can sign in.',
    example: ['ilse.brandt@birkenhof.localhost', 'ilse.brandt'],
  })
  readonly loginNames!: readonly string[];

  @Text(6, {
    description: 'The preferred login name, shown to applications.',
    example: 'ilse.brandt@birkenhof.localhost',
  })
  readonly preferredLoginName!: string;

  @Part(7, () => Human, { oneof: 'type', description: 'Present for a human user.' })
  readonly human?: Human;

  @Part(8, () => Machine, { oneof: 'type', description: 'Present for a service user.' })
  readonly machine?: Machine;
}

@Named('UserResponse')
export class UserResponse {
  @Part(1, () => User)
  readonly user!: User;
}

@Named('UserByLoginName')
export class UserByLoginName {
  @Text(1, { min: 1, max: 450, description: 'The complete login name.', example: 'admin@acme.localhost' })
  readonly loginName!: string;
}

@Named('IsUserUniqueRequest')
export class IsUserUniqueRequest {
  @Text(1, { max: 200, description: 'The user name to check. If empty, it is not checked.', example: 'ilse.brandt' })
  readonly userName!: string;

  @Text(2, {
    max: 200,
    description: 'The e-mail address to check. If empty, it is not checked.',
    example: 'ilse@birkenhof.example',
  })
  readonly email!: string;
}

@Named('IsUserUniqueResponse')
export class IsUserUniqueResponse {
  @Flag(1, { example: true, description: 'True if no user has the user name or the e-mail address.' })
  readonly isUnique!: boolean;
}

@Named('UpdateUserNameRequest')
export class UpdateUserNameRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, {
    min: 1,
    max: 200,
    example: 'ilse.brandt',
    description: 'The user name: the part of the login name before the domain.',
  })
  readonly userName!: string;
}
