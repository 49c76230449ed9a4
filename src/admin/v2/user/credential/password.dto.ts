import { type ValueOf, wireEnum } from '../../../../foundation/http/wire-enum.js';
import { Choice, Named, Part, Reserves, Text } from '../../../kit/wire/fields.js';
import { DetailsV2 } from '../../kit/object.dto.js';
import { PasswordV2 } from '../human.dto.js';
import { USER_ID } from '../user.dto.js';

const NOTIFICATION_TYPE_V2 = wireEnum('NotificationTypeV2', {
  NOTIFICATION_TYPE_Unspecified: [0, 'unspecified'],
  NOTIFICATION_TYPE_Email: [1, 'email'],
  NOTIFICATION_TYPE_SMS: [2, 'sms'],
});

@Named('SetPasswordRequestV2')
export class SetPasswordRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => PasswordV2, {
    required: true,
    example: { password: 'Kornblume-2026!', changeRequired: true },
    description: 'Must satisfy the password complexity policy.',
  })
  readonly newPassword!: PasswordV2;

  @Text(3, {
    max: 200,
    writeOnly: true,
    oneof: 'verification',
    description: "The present password, for the caller's own account.",
  })
  readonly currentPassword?: string;

  @Text(4, {
    max: 20,
    writeOnly: true,
    oneof: 'verification',
    description: 'The code of an e-mail: of a reset, or of an account that is to be set up.',
  })
  readonly verificationCode?: string;
}

@Named('SendPasswordResetLinkV2')
export class SendPasswordResetLinkV2 {
  @Choice(1, NOTIFICATION_TYPE_V2, { description: 'By e-mail, unless it is SMS, which is refused.' })
  readonly notificationType!: ValueOf<typeof NOTIFICATION_TYPE_V2>;

  @Text(2, {
    optional: true,
    max: 200,
    description: 'Refused if not empty: e-mails link to the pages of this service.',
  })
  readonly urlTemplate?: string;
}

@Named('ReturnPasswordResetCodeV2')
export class ReturnPasswordResetCodeV2 {}

@Named('PasswordResetRequestV2')
export class PasswordResetRequestV2 {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Part(2, () => SendPasswordResetLinkV2, {
    oneof: 'medium',
    description: 'A code is sent by e-mail, as it is if nothing is said.',
  })
  readonly sendLink?: SendPasswordResetLinkV2;

  @Part(3, () => ReturnPasswordResetCodeV2, {
    oneof: 'medium',
    description: 'Refused: a code reaches nobody but the owner of the address.',
  })
  readonly returnCode?: ReturnPasswordResetCodeV2;
}

@Named('PasswordResetResponseV2')
@Reserves({ 2: 'verification_code' })
export class PasswordResetResponseV2 {
  @Part(1, () => DetailsV2)
  readonly details!: DetailsV2;
}
