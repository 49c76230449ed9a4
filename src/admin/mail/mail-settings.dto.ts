import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { isEmail } from '../../org/email-address.js';
import { Choice, Count, Flag, Named, Text } from '../kit/wire/fields.js';

const MAIL_TRANSPORT_KIND = wireEnum('MailTransportKind', {
  MAIL_TRANSPORT_KIND_UNSPECIFIED: [0, 'unspecified'],
  MAIL_TRANSPORT_KIND_SMTP: [1, 'smtp'],
  MAIL_TRANSPORT_KIND_MAILBOX: [2, 'mailbox'],
  MAIL_TRANSPORT_KIND_NONE: [3, 'none'],
  MAIL_TRANSPORT_KIND_EXTENSION: [4, 'extension'],
});

@Named('GetMailSettingsResponse')
export class GetMailSettingsResponse {
  @Choice(1, MAIL_TRANSPORT_KIND, {
    description:
      'Through a mail server, by an extension, into the mailbox of development, or not at all: then e-mails wait until a mail server is configured.',
    example: 'MAIL_TRANSPORT_KIND_SMTP',
  })
  readonly transport!: ValueOf<typeof MAIL_TRANSPORT_KIND>;

  @Text(2, { description: 'The host of the mail server.', example: 'smtp.example.com' })
  readonly host!: string;

  @Count(3, { description: 'Its port.', example: 587 })
  readonly port!: number;

  @Flag(4, {
    description:
      'Whether the connection is encrypted from its beginning (`smtps:`, port 465); otherwise STARTTLS is used if offered, and where it is required.',
    example: false,
  })
  readonly tls!: boolean;

  @Text(5, { description: 'The user name at the mail server; empty if it needs none.', example: 'gatehouse' })
  readonly userName!: string;

  @Text(6, { description: 'The sender of all e-mails.', example: 'Acme <no-reply@example.com>' })
  readonly sender!: string;

  @Text(7, {
    description:
      'ID of the SMTP configuration in use (`GetSMTPConfigById`); empty if e-mails are sent as the environment of the process or an extension says.',
    example: '',
  })
  readonly smtpConfigId!: string;
}

export const EMAIL_FORM = { fits: (text: string): boolean => isEmail(text), says: 'must be an e-mail address' };

/** The receiver of a test. */
export const Receiver = (number: number): PropertyDecorator =>
  Text(number, {
    min: 3,
    max: 200,
    form: EMAIL_FORM,
    description: 'Where to send the e-mail.',
    example: 'admin@example.com',
  });

@Named('SendTestMailRequest')
export class SendTestMailRequest {
  @Receiver(1)
  readonly receiverAddress!: string;
}

@Named('SendTestMailResponse')
export class SendTestMailResponse {
  @Flag(1, { description: 'Whether the mail server has accepted the e-mail.', example: true })
  readonly ok!: boolean;

  @Text(2, { description: 'Why not, in the words of the mail server.' })
  readonly reason!: string;
}
