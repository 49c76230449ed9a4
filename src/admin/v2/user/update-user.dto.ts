import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import { ACCESS_TOKEN_TYPE } from '../../../user/user.enums.js';
import { Choice, Moment, Named, Part, Parts, Reserves, Text } from '../../kit/wire/fields.js';
import { CHANGED } from '../kit/dates.js';
import { DetailsV2 } from '../kit/object.dto.js';
import {
  GENDER_V2,
  HashedPasswordV2,
  PasswordV2,
  SetHumanEmailV2,
  SetHumanPhoneV2,
  SetHumanProfileV2,
  SetMetadataEntryV2,
} from './human.dto.js';
import { USER_ID } from './user.dto.js';

const USERNAME = {
  optional: true,
  min: 1,
  max: 200,
  example: 'hannah.vogt',
  description: 'The user name: the part of the login name before the domain.',
} as const;
const PHONE = { description: 'An empty number removes the present one.' } as const;
const PASSWORD = {
  description: 'Needs the permission user.credential.write. Ends all sessions and tokens of the user.',
} as const;

@Named('SetPasswordV2')
export class SetPasswordV2 {
  @Part(1, () => PasswordV2, { oneof: 'password_type' })
  readonly password?: PasswordV2;

  @Part(2, () => HashedPasswordV2, { oneof: 'password_type', description: 'The hash of a password.' })
  readonly hashedPassword?: HashedPasswordV2;

  @Text(3, {
    max: 200,
    writeOnly: true,
    oneof: 'verification',
    description: 'Refused: users change their own password on the account page.',
  })
  readonly currentPassword?: string;

  @Text(4, {
    max: 200,
    writeOnly: true,
    oneof: 'verification',
    description: 'Refused: a code is entered on the page that its e-mail links to.',
  })
  readonly verificationCode?: string;
}

@Named('UpdateProfileV2')
export class UpdateProfileV2 {
  @Text(1, { optional: true, min: 1, max: 200 })
  readonly givenName?: string;

  @Text(2, { optional: true, min: 1, max: 200 })
  readonly familyName?: string;

  @Text(3, { optional: true, max: 200, example: 'Hanni' })
  readonly nickName?: string;

  @Text(4, { optional: true, max: 200, description: 'An empty one becomes given and family name.' })
  readonly displayName?: string;

  @Text(5, { optional: true, max: 10, description: 'Language tag.' })
  readonly preferredLanguage?: string;

  @Choice(6, GENDER_V2, { optional: true, description: 'The gender.' })
  readonly gender?: ValueOf<typeof GENDER_V2>;
}

@Named('UpdateHumanV2')
export class UpdateHumanV2 {
  @Part(1, () => UpdateProfileV2)
  readonly profile?: UpdateProfileV2;

  @Part(2, () => SetHumanEmailV2)
  readonly email?: SetHumanEmailV2;

  @Part(3, () => SetHumanPhoneV2, PHONE)
  readonly phone?: SetHumanPhoneV2;

  @Part(4, () => SetPasswordV2, PASSWORD)
  readonly password?: SetPasswordV2;
}

@Named('UpdateMachineV2')
export class UpdateMachineV2 {
  @Text(1, { optional: true, min: 1, max: 200, description: 'Display name of the service user.' })
  readonly name?: string;

  @Text(2, { optional: true, max: 500, description: 'Description of its purpose.' })
  readonly description?: string;

  @Choice(3, ACCESS_TOKEN_TYPE, { optional: true, description: 'The format of its access tokens: opaque or JWT.' })
  readonly accessTokenType?: ValueOf<typeof ACCESS_TOKEN_TYPE>;
}

@Named('UpdateUserRequestV2')
export class UpdateUserRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, USERNAME)
  readonly username?: string;

  @Part(3, () => UpdateHumanV2, { oneof: 'user_type' })
  readonly human?: UpdateHumanV2;

  @Part(4, () => UpdateMachineV2, { oneof: 'user_type', description: 'Of a service user.' })
  readonly machine?: UpdateMachineV2;

  @Parts(5, () => SetMetadataEntryV2, { maxItems: 100, description: 'Entries to set; others stay as they are.' })
  readonly metadata!: SetMetadataEntryV2[];
}

@Named('UpdateUserResponseV2')
@Reserves({ 2: 'email_code', 3: 'phone_code' })
export class UpdateUserResponseV2 {
  @Moment(1, CHANGED)
  readonly changeDate?: Date;
}

@Named('UpdateHumanUserRequestV2')
export class UpdateHumanUserRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, USERNAME)
  readonly username?: string;

  @Part(3, () => SetHumanProfileV2)
  readonly profile?: SetHumanProfileV2;

  @Part(4, () => SetHumanEmailV2)
  readonly email?: SetHumanEmailV2;

  @Part(5, () => SetHumanPhoneV2, PHONE)
  readonly phone?: SetHumanPhoneV2;

  @Part(6, () => SetPasswordV2, PASSWORD)
  readonly password?: SetPasswordV2;
}

@Named('UpdateHumanUserResponseV2')
@Reserves({ 2: 'email_code', 3: 'phone_code' })
export class UpdateHumanUserResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
