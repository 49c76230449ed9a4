import type { ValueOf } from '../../../foundation/http/wire-enum.js';
import { ACCESS_TOKEN_TYPE } from '../../../user/user.enums.js';
import { EXAMPLE } from '../../kit/wire/example-ids.js';
import { Choice, Moment, Named, Part, Parts, Reserves, Text } from '../../kit/wire/fields.js';
import { CREATED } from '../kit/dates.js';
import { DetailsV2 } from '../kit/object.dto.js';
import {
  HashedPasswordV2,
  IdpLinkV2,
  PasswordV2,
  SetHumanEmailV2,
  SetHumanPhoneV2,
  SetHumanProfileV2,
  SetMetadataEntryV2,
} from './human.dto.js';

@Named('CreateHumanV2')
export class CreateHumanV2 {
  @Part(1, () => SetHumanProfileV2, { required: true })
  readonly profile!: SetHumanProfileV2;

  @Part(2, () => SetHumanEmailV2, { required: true })
  readonly email!: SetHumanEmailV2;

  @Part(3, () => SetHumanPhoneV2)
  readonly phone?: SetHumanPhoneV2;

  @Part(4, () => PasswordV2, {
    oneof: 'password_type',
    description: 'Needs the permission user.credential.write. Without, the user sets one with the code of the e-mail.',
  })
  readonly password?: PasswordV2;

  @Part(5, () => HashedPasswordV2, {
    oneof: 'password_type',
    description:
      "The hash of the user's existing password, which remains valid. Needs the permission user.credential.write.",
  })
  readonly hashedPassword?: HashedPasswordV2;

  @Parts(7, () => IdpLinkV2, {
    maxItems: 20,
    description:
      'Accounts at identity providers that the user signs in with. They need the permission user.credential.write.',
  })
  readonly idpLinks!: IdpLinkV2[];

  @Text(8, {
    optional: true,
    max: 200,
    writeOnly: true,
    description:
      'Seed of one-time codes (TOTP) in base32; stored encrypted. Needs the permission user.credential.write.',
  })
  readonly totpSecret?: string;

  @Parts(9, () => SetMetadataEntryV2, { maxItems: 100, description: 'As the metadata beside it.' })
  readonly metadata!: SetMetadataEntryV2[];
}

@Named('CreateMachineV2')
export class CreateMachineV2 {
  @Text(1, { min: 1, max: 200, description: 'Display name of the service user.', example: 'Weekly report' })
  readonly name!: string;

  @Text(2, { optional: true, max: 500, description: 'Description of its purpose.' })
  readonly description?: string;

  @Choice(3, ACCESS_TOKEN_TYPE, { description: 'The format of its access tokens: opaque or JWT.' })
  readonly accessTokenType!: ValueOf<typeof ACCESS_TOKEN_TYPE>;
}

@Named('CreateUserRequestV2')
export class CreateUserRequestV2 {
  @Text(1, { min: 1, max: 200, description: 'ID of the organization that will own the user.', example: EXAMPLE.org })
  readonly organizationId!: string;

  @Text(2, { optional: true, min: 1, max: 200, description: 'An ID of your choice. By default, one is made.' })
  readonly userId?: string;

  @Text(3, {
    optional: true,
    min: 1,
    max: 200,
    description: 'Defaults to the e-mail address of a human user, and to the ID of a service user.',
  })
  readonly username?: string;

  @Part(4, () => CreateHumanV2, { oneof: 'user_type' })
  readonly human?: CreateHumanV2;

  @Part(5, () => CreateMachineV2, { oneof: 'user_type', description: 'A service user.' })
  readonly machine?: CreateMachineV2;

  @Parts(6, () => SetMetadataEntryV2, { maxItems: 100, description: 'What applications keep about the user.' })
  readonly metadata!: SetMetadataEntryV2[];
}

@Named('CreateUserResponseV2')
@Reserves({ 3: 'email_code', 4: 'phone_code' })
export class CreateUserResponseV2 {
  @Text(1, { example: EXAMPLE.personV2 })
  readonly id!: string;

  @Moment(2, CREATED)
  readonly creationDate?: Date;
}

@Named('AddHumanUserResponseV2')
@Reserves({ 3: 'email_code', 4: 'phone_code' })
export class AddHumanUserResponseV2 {
  @Text(1, { example: EXAMPLE.addedPersonV2 })
  readonly userId!: string;

  @Part(2, () => DetailsV2)
  readonly details!: DetailsV2;
}
