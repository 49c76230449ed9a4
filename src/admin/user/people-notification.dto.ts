import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { Choice, Named, Text } from '../kit/wire/fields.js';
import { USER_ID } from './user-id.js';

const NOTIFICATION_TYPE = wireEnum('PasswordResetNotificationType', {
  TYPE_EMAIL: [0, 'email'],
  TYPE_SMS: [1, 'sms'],
});

@Named('SendHumanResetPasswordNotificationRequest')
export class SendHumanResetPasswordNotificationRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Choice(2, NOTIFICATION_TYPE, {
    description: 'How the code is sent; only e-mail is supported.',
    example: 'TYPE_EMAIL',
  })
  readonly type!: ValueOf<typeof NOTIFICATION_TYPE>;
}

@Named('ResendHumanInitializationRequest')
export class ResendHumanInitializationRequest {
  @Text(1, USER_ID)
  readonly userId!: string;

  @Text(2, { max: 200, description: "An e-mail address to send to. Defaults to the user's address." })
  readonly email!: string;
}
