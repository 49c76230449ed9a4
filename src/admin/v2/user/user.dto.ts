import { type ValueOf, wireEnum } from '../../../foundation/http/wire-enum.js';
import { ACCESS_TOKEN_TYPE } from '../../../user/user.enums.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Flag, Moment, Named, Part, Text, Texts } from '../../kit/wire/fields.js';
import { DetailsV2 } from '../kit/object.dto.js';
import { GENDER_V2 } from './human.dto.js';

export const USER_STATE_V2 = wireEnum('UserStateV2', {
  USER_STATE_UNSPECIFIED: [0, 'unspecified'],
  USER_STATE_ACTIVE: [1, 'active'],
  USER_STATE_INACTIVE: [2, 'inactive'],
  USER_STATE_DELETED: [3, 'deleted'],
  USER_STATE_LOCKED: [4, 'locked'],
  USER_STATE_INITIAL: [5, 'initial'],
});

export const USER_ID = { min: 1, max: 200, description: 'ID of the user.', example: EXAMPLE.personV2 } as const;
const STATE = {
  description: 'The state. USER_STATE_INITIAL: the account is not set up yet.',
  example: 'USER_STATE_ACTIVE',
} as const;
const USERNAME = {
  example: 'hannah.vogt',
  description: 'The user name: the part of the login name before the domain.',
} as const;
const LOGIN_NAMES = {
  description: 'The login names with which the user can sign in.',
  example: ['hannah.vogt@birkenhof.localhost', 'hannah.vogt'],
};
const PREFERRED = {
  description: 'The preferred login name, shown to applications.',
  example: 'hannah.vogt@birkenhof.localhost',
} as const;

@Named('HumanProfileV2')
export class HumanProfileV2 {
  @Text(1, { example: 'Hannah' })
  readonly givenName!: string;

  @Text(2, { example: 'Vogt' })
  readonly familyName!: string;

  @Text(3, { optional: true })
  readonly nickName?: string;

  @Text(4, { optional: true, example: 'Hannah Vogt' })
  readonly displayName?: string;

  @Text(5, { optional: true, description: 'Language tag.', example: 'de' })
  readonly preferredLanguage?: string;

  @Choice(6, GENDER_V2, { optional: true, example: 'GENDER_FEMALE', description: 'The gender.' })
  readonly gender?: ValueOf<typeof GENDER_V2>;

  @Text(7, { description: "URL of the user's picture." })
  readonly avatarUrl!: string;
}

@Named('HumanEmailV2')
export class HumanEmailV2 {
  @Text(1, { example: 'hannah@birkenhof.example' })
  readonly email!: string;

  @Flag(2, { example: true, description: 'Whether it is verified.' })
  readonly isVerified!: boolean;
}

@Named('HumanPhoneV2')
export class HumanPhoneV2 {
  @Text(1, { example: '+49301234567' })
  readonly phone!: string;

  @Flag(2, { description: 'Whether it is verified.' })
  readonly isVerified!: boolean;
}

@Named('HumanUserV2')
export class HumanUserV2 {
  @Text(1, { example: EXAMPLE.personV2 })
  readonly userId!: string;

  @Choice(2, USER_STATE_V2, STATE)
  readonly state!: ValueOf<typeof USER_STATE_V2>;

  @Text(3, USERNAME)
  readonly username!: string;

  @Texts(4, LOGIN_NAMES)
  readonly loginNames!: readonly string[];

  @Text(5, PREFERRED)
  readonly preferredLoginName!: string;

  @Part(6, () => HumanProfileV2)
  readonly profile!: HumanProfileV2;

  @Part(7, () => HumanEmailV2)
  readonly email!: HumanEmailV2;

  @Part(8, () => HumanPhoneV2, { description: 'Absent if there is no phone number.' })
  readonly phone?: HumanPhoneV2 | undefined;

  @Flag(9, { description: 'Whether the user must change the password at the next sign-in.' })
  readonly passwordChangeRequired!: boolean;

  @Moment(10, {
    description: 'When the password was set; absent if there is none.',
    example: '2026-11-20T08:30:00.000Z',
  })
  readonly passwordChanged?: Date | undefined;

  @Moment(11, { description: 'When the user last declined to set up a second factor.' })
  readonly mfaInitSkipped?: Date | undefined;
}

@Named('MachineUserV2')
export class MachineUserV2 {
  @Text(1, { example: 'Weekly report', description: 'Display name of the service user.' })
  readonly name!: string;

  @Text(2, { description: 'Description of its purpose.' })
  readonly description!: string;

  @Flag(3, { description: 'Whether the service user has a client secret.' })
  readonly hasSecret!: boolean;

  @Choice(4, ACCESS_TOKEN_TYPE, {
    example: 'ACCESS_TOKEN_TYPE_BEARER',
    description: 'The format of its access tokens: opaque or JWT.',
  })
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;
}

@Named('UserV2')
export class UserV2 {
  @Text(1, { example: EXAMPLE.personV2 })
  readonly userId!: string;

  @Choice(2, USER_STATE_V2, STATE)
  readonly state!: ValueOf<typeof USER_STATE_V2>;

  @Text(3, USERNAME)
  readonly username!: string;

  @Texts(4, LOGIN_NAMES)
  readonly loginNames!: readonly string[];

  @Text(5, PREFERRED)
  readonly preferredLoginName!: string;

  @Part(6, () => HumanUserV2, { oneof: 'type', description: 'Present for a human user.' })
  readonly human?: HumanUserV2;

  @Part(7, () => MachineUserV2, { oneof: 'type', description: 'Present for a service user.' })
  readonly machine?: MachineUserV2;

  @Part(8, () => DetailsV2)
  readonly details!: DetailsV2;
}

/** A request that names a user and nothing else. */
@Named('UserIdRequestV2')
export class UserIdRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;
}

@Named('GetUserByIDResponseV2')
export class GetUserByIDResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;

  @Part(2, () => UserV2)
  readonly user!: UserV2;
}

/** The answer of an operation that returns nothing else. */
@Named('UserChangedV2')
export class UserChangedV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
