import { Named, Part, Reserves, Text } from '../../../kit/wire/fields.js';
import { DetailsV2 } from '../../kit/object.dto.js';
import { USER_ID } from '../user.dto.js';

@Named('SendInviteCodeV2')
export class SendInviteCodeV2 {
  @Text(1, {
    optional: true,
    max: 200,
    description: 'Refused if not empty: e-mails link to the pages of this service.',
  })
  readonly urlTemplate?: string;

  @Text(2, {
    optional: true,
    max: 200,
    description: 'What the user is invited to. Defaults to the organization.',
    example: 'Birkenhof',
  })
  readonly applicationName?: string;
}

@Named('ReturnInviteCodeV2')
export class ReturnInviteCodeV2 {}

@Named('CreateInviteCodeRequestV2')
export class CreateInviteCodeRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => SendInviteCodeV2, {
    oneof: 'verification',
    description: 'The code is sent by e-mail, as it is if nothing is said.',
  })
  readonly sendCode?: SendInviteCodeV2;

  @Part(3, () => ReturnInviteCodeV2, {
    oneof: 'verification',
    description: 'Refused: a code reaches nobody but the owner of the address.',
  })
  readonly returnCode?: ReturnInviteCodeV2;
}

@Named('CreateInviteCodeResponseV2')
@Reserves({ 2: 'invite_code' })
export class CreateInviteCodeResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
