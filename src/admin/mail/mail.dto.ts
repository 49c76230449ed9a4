import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { Choice, Count, Filter, Moment, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';

const MAIL_STATE = wireEnum('MailState', {
  MAIL_STATE_UNSPECIFIED: [0, 'unspecified'],
  MAIL_STATE_WAITING: [1, 'waiting'],
  MAIL_STATE_SENT: [2, 'sent'],
  MAIL_STATE_DEAD: [3, 'dead'],
  MAIL_STATE_WITHDRAWN: [4, 'withdrawn'],
});

const MAIL_KIND = wireEnum('MailKind', {
  MAIL_KIND_UNSPECIFIED: [0, 'unspecified'],
  MAIL_KIND_INIT: [1, 'init'],
  MAIL_KIND_VERIFY_EMAIL: [2, 'verifyEmail'],
  MAIL_KIND_PASSWORD_RESET: [3, 'passwordReset'],
  MAIL_KIND_PASSWORD_CHANGE: [4, 'passwordChange'],
  MAIL_KIND_DOMAIN_CLAIMED: [5, 'domainClaimed'],
  MAIL_KIND_INVITE_USER: [6, 'inviteUser'],
  MAIL_KIND_VERIFY_EMAIL_OTP: [7, 'verifyEmailOtp'],
  MAIL_KIND_REGISTRATION_NOTICE: [8, 'registrationNotice'],
  MAIL_KIND_SECURITY_NOTICE: [9, 'securityNotice'],
  MAIL_KIND_PASSWORDLESS_REGISTRATION: [10, 'passwordlessRegistration'],
  MAIL_KIND_WEBHOOK_NOTICE: [11, 'webhookNotice'],
});

const MAIL_ID = { min: 1, max: 200, description: 'ID of the e-mail.', example: '312909075212468230' };

@Named('MailEntry')
export class MailEntry {
  @Text(1, MAIL_ID)
  readonly id!: string;

  @Choice(2, MAIL_STATE, {
    description:
      'Waiting to be sent or retried, sent (accepted by the mail server), dead (given up), or withdrawn (replaced by a newer e-mail).',
    example: 'MAIL_STATE_DEAD',
  })
  readonly state!: ValueOf<typeof MAIL_STATE>;

  @Choice(3, MAIL_KIND, { description: 'The type of message.', example: 'MAIL_KIND_INIT' })
  readonly kind!: ValueOf<typeof MAIL_KIND>;

  @Text(4, { description: "The recipient's user ID.", example: '312909075212468226' })
  readonly userId!: string;

  @Text(5, { description: 'The organization of the user.', example: '312909075212468225' })
  readonly orgId!: string;

  @Text(6, {
    description: "The recipient's address when the e-mail was created.",
    example: 'ilse@birkenhof.example',
  })
  readonly recipient!: string;

  @Count(7, { description: 'Number of delivery attempts.', example: 1 })
  readonly tries!: number;

  @Text(8, {
    description: 'Why the e-mail was not sent: the last response of the mail server.',
    example: 'The mail server rejected it: 550 5.1.1 No such mailbox',
  })
  readonly reason!: string;

  @Moment(9, { description: 'When the e-mail was created.', example: '2026-11-20T08:30:00.000Z' })
  readonly creationDate!: Date;

  @Moment(10, { description: 'When the next attempt is due; only present while the e-mail waits.' })
  readonly nextTryDate?: Date | undefined;

  @Moment(11, { description: 'When the mail server accepted the e-mail.' })
  readonly sentDate?: Date | undefined;
}

@Filter()
@Named('ListMailsRequest')
export class ListMailsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;

  @Choice(2, MAIL_STATE, { description: 'Filter by state. If unspecified, all states.' })
  readonly state!: ValueOf<typeof MAIL_STATE>;

  @Text(3, { max: 200, description: 'Filter by recipient. If empty, all users.' })
  readonly userId!: string;
}

@Named('ListMailsResponse')
export class ListMailsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => MailEntry)
  readonly result!: readonly MailEntry[];
}

@Named('MailById')
export class MailById {
  @Text(1, MAIL_ID)
  readonly id!: string;
}
