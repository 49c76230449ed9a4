import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { isMailHost } from '../../mail/server/mail-server-rules.js';
import { DetailsResponse, ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Flag, Named, Part, Parts, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { EMAIL_FORM, Receiver } from './mail-settings.dto.js';

const SMTP_CONFIG_STATE = wireEnum('SMTPConfigState', {
  SMTP_CONFIG_STATE_UNSPECIFIED: [0, 'unspecified'],
  SMTP_CONFIG_ACTIVE: [1, 'active'],
  SMTP_CONFIG_INACTIVE: [2, 'inactive'],
});

const HOST_FORM = {
  fits: isMailHost,
  says: 'must be a host name or an address, with or without a port, such as smtp.example.com:587',
};
/** RFC 5322 §2.2: a line break would begin another header. */
const NAME_FORM = {
  fits: (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
  says: 'must be one line',
};

export const Id = (number: number): PropertyDecorator =>
  Text(number, { min: 1, max: 200, description: 'ID of the SMTP configuration.', example: EXAMPLE.smtpConfig });

export const SenderAddress = (number: number): PropertyDecorator =>
  Text(number, {
    min: 3,
    max: 200,
    form: EMAIL_FORM,
    description:
      'The address that e-mails come from. If the domain policy of the instance says so, it must be of the host of the public URL.',
    example: 'no-reply@acme.example',
  });

export const SenderName = (number: number): PropertyDecorator =>
  Text(number, { max: 200, form: NAME_FORM, description: 'The name of the sender.', example: 'Acme' });

export const Tls = (number: number): PropertyDecorator =>
  Flag(number, {
    description:
      'Whether the connection must be encrypted: from its beginning on port 465, by STARTTLS on any other. Without it, connections within networks that the operator has allowed may be plain, and carry no password; those to the internet are encrypted in any case.',
    example: true,
  });

export const Host = (number: number): PropertyDecorator =>
  Text(number, {
    min: 1,
    max: 260,
    form: HOST_FORM,
    description:
      'The host name or address of the mail server; without a port, 587. It is on the public internet, or in a network that the operator has allowed (`OUTBOUND_ALLOW`).',
    example: 'smtp.acme.example:587',
  });

export const User = (number: number): PropertyDecorator =>
  Text(number, {
    max: 200,
    form: NAME_FORM,
    description: 'The user name at the mail server; empty if it needs none.',
    example: 'gatehouse',
  });

export const Password = (number: number, description: string, example: string): PropertyDecorator =>
  Text(number, { max: 500, form: NAME_FORM, writeOnly: true, description, example });

export const ReplyTo = (number: number): PropertyDecorator =>
  Text(number, {
    max: 200,
    form: EMAIL_FORM,
    description: 'Where responses go; empty: to the sender.',
    example: 'help@acme.example',
  });

export const Description = (number: number): PropertyDecorator =>
  Text(number, { max: 200, form: NAME_FORM, description: 'For administrators.', example: 'Mail server of Acme' });

@Named('SMTPConfig')
export class SmtpConfig {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @SenderAddress(2)
  readonly senderAddress!: string;

  @SenderName(3)
  readonly senderName!: string;

  @Tls(4)
  readonly tls!: boolean;

  @Host(5)
  readonly host!: string;

  @User(6)
  readonly user!: string;

  @ReplyTo(7)
  readonly replyToAddress!: string;

  @Choice(8, SMTP_CONFIG_STATE, {
    description: 'Active: it sends all e-mails. At most one is.',
    example: 'SMTP_CONFIG_ACTIVE',
  })
  readonly state!: ValueOf<typeof SMTP_CONFIG_STATE>;

  @Description(9)
  readonly description!: string;

  @Id(10)
  readonly id!: string;
}

@Named('SMTPConfigById')
export class SmtpConfigById {
  @Id(1)
  readonly id!: string;
}

@Named('GetSMTPConfigResponse')
export class GetSmtpConfigResponse {
  @Part(1, () => SmtpConfig)
  readonly smtpConfig!: SmtpConfig;
}

@Filter()
@Named('ListSMTPConfigsRequest')
export class ListSmtpConfigsRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListSMTPConfigsResponse')
export class ListSmtpConfigsResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => SmtpConfig)
  readonly result!: readonly SmtpConfig[];
}

/** The first fields of every request about a server that is not stored yet. */
export class SentSmtpServer {
  @SenderAddress(1)
  readonly senderAddress!: string;

  @SenderName(2)
  readonly senderName!: string;

  @Tls(3)
  readonly tls!: boolean;

  @Host(4)
  readonly host!: string;

  @User(5)
  readonly user!: string;
}

@Named('AddSMTPConfigRequest')
export class AddSmtpConfigRequest extends SentSmtpServer {
  @Password(6, 'The password at the mail server. It is stored encrypted, and never returned.', '')
  readonly password!: string;

  @ReplyTo(7)
  readonly replyToAddress!: string;

  @Description(8)
  readonly description!: string;
}

@Named('AddSMTPConfigResponse')
export class AddSmtpConfigResponse extends DetailsResponse {
  @Text(2, { description: 'ID of the new SMTP configuration.', example: EXAMPLE.smtpConfig })
  readonly id!: string;
}

@Named('UpdateSMTPConfigRequest')
export class UpdateSmtpConfigRequest extends SentSmtpServer {
  @ReplyTo(6)
  readonly replyToAddress!: string;

  @Password(
    7,
    'Another password. If it is empty the stored one remains, which is possible only for the same host and user.',
    '',
  )
  readonly password!: string;

  @Description(8)
  readonly description!: string;

  @Id(9)
  readonly id!: string;
}

@Named('UpdateSMTPConfigPasswordRequest')
export class UpdateSmtpConfigPasswordRequest {
  @Password(
    1,
    'The password at the mail server; empty for none. It is stored encrypted, and never returned.',
    'Other-Horse-8',
  )
  readonly password!: string;

  @Id(2)
  readonly id!: string;
}

@Named('TestSMTPConfigByIdRequest')
export class TestSmtpConfigByIdRequest {
  @Id(1)
  readonly id!: string;

  @Receiver(2)
  readonly receiverAddress!: string;
}

@Named('TestSMTPConfigByIdResponse')
export class TestSmtpConfigByIdResponse {}

@Named('TestSMTPConfigRequest')
export class TestSmtpConfigRequest extends SentSmtpServer {
  @Password(6, 'The password at the mail server, which is not stored.', '')
  readonly password!: string;

  @Receiver(7)
  readonly receiverAddress!: string;

  @Text(8, {
    max: 200,
    description:
      'ID of the SMTP configuration whose stored password is used if none is given, which is possible only for its host and user.',
    example: '',
  })
  readonly id!: string;
}

@Named('TestSMTPConfigResponse')
export class TestSmtpConfigResponse {}
