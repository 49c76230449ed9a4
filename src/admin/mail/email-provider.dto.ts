import { type ValueOf, wireEnum } from '../../foundation/http/wire-enum.js';
import { DetailsResponse, ObjectDetails } from '../kit/wire/details.dto.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Choice, Filter, Named, Part, Parts, Reserves, Text } from '../kit/wire/fields.js';
import { ListDetails, ListQuery } from '../kit/wire/list.dto.js';
import { Receiver } from './mail-settings.dto.js';
import {
  Description,
  Host,
  Id,
  Password,
  ReplyTo,
  SenderAddress,
  SenderName,
  SentSmtpServer,
  Tls,
  User,
} from './smtp.dto.js';

const EMAIL_PROVIDER_STATE = wireEnum('EmailProviderState', {
  EMAIL_PROVIDER_STATE_UNSPECIFIED: [0, 'unspecified'],
  EMAIL_PROVIDER_ACTIVE: [1, 'active'],
  EMAIL_PROVIDER_INACTIVE: [2, 'inactive'],
});

/** The mail server is used without a user and a password. */
@Named('SMTPNoAuth')
export class SmtpNoAuth {}

@Named('SMTPPlainAuth')
export class SmtpPlainAuth {
  @Password(1, 'The password at the mail server, in place of `password`.', 'Other-Horse-9')
  readonly password!: string;
}

/** With a password, without saying which. */
@Named('SMTPPlainAuthShown')
export class SmtpPlainAuthShown {}

const None = (number: number): PropertyDecorator =>
  Part(number, () => SmtpNoAuth, { oneof: 'Auth', description: 'The mail server asks for no user and no password.' });
const Plain = (number: number): PropertyDecorator =>
  Part(number, () => SmtpPlainAuth, { oneof: 'Auth', description: 'The mail server asks for a user and a password.' });

@Reserves({ 11: 'xoauth2' })
@Named('EmailProviderSMTP')
export class EmailProviderSmtp {
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

  @ReplyTo(6)
  readonly replyToAddress!: string;

  @Part(9, () => SmtpNoAuth, { oneof: 'Auth', description: 'The mail server asks for no user and no password.' })
  readonly none?: SmtpNoAuth;

  @Part(10, () => SmtpPlainAuthShown, {
    oneof: 'Auth',
    description: 'The mail server asks for a user and a password.',
  })
  readonly plain?: SmtpPlainAuthShown;
}

@Reserves({ 5: 'http' })
@Named('EmailProvider')
export class EmailProvider {
  @Part(1, () => ObjectDetails)
  readonly details!: ObjectDetails;

  @Id(2)
  readonly id!: string;

  @Choice(3, EMAIL_PROVIDER_STATE, {
    description: 'Active: it sends all e-mails. At most one is.',
    example: 'EMAIL_PROVIDER_ACTIVE',
  })
  readonly state!: ValueOf<typeof EMAIL_PROVIDER_STATE>;

  @Part(4, () => EmailProviderSmtp, { oneof: 'config', description: 'The mail server that it is.' })
  readonly smtp?: EmailProviderSmtp;

  @Description(6)
  readonly description!: string;
}

@Named('EmailProviderById')
export class EmailProviderById {
  @Id(1)
  readonly id!: string;
}

@Named('GetEmailProviderResponse')
export class GetEmailProviderResponse {
  @Part(1, () => EmailProvider)
  readonly config!: EmailProvider;
}

@Filter()
@Named('ListEmailProvidersRequest')
export class ListEmailProvidersRequest {
  @Part(1, () => ListQuery)
  readonly query?: ListQuery;
}

@Named('ListEmailProvidersResponse')
export class ListEmailProvidersResponse {
  @Part(1, () => ListDetails)
  readonly details!: ListDetails;

  @Parts(2, () => EmailProvider)
  readonly result!: readonly EmailProvider[];
}

@Reserves({ 11: 'xoauth2' })
@Named('AddEmailProviderSMTPRequest')
export class AddEmailProviderSmtpRequest extends SentSmtpServer {
  @Password(6, 'The password at the mail server. It is stored encrypted, and never returned.', '')
  readonly password!: string;

  @ReplyTo(7)
  readonly replyToAddress!: string;

  @Description(8)
  readonly description!: string;

  @None(9)
  readonly none?: SmtpNoAuth;

  @Plain(10)
  readonly plain?: SmtpPlainAuth;
}

@Named('AddEmailProviderSMTPResponse')
export class AddEmailProviderSmtpResponse extends DetailsResponse {
  @Text(2, { description: 'ID of the new e-mail provider.', example: EXAMPLE.emailProvider })
  readonly id!: string;
}

@Reserves({ 12: 'xoauth2' })
@Named('UpdateEmailProviderSMTPRequest')
export class UpdateEmailProviderSmtpRequest extends SentSmtpServer {
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

  @None(10)
  readonly none?: SmtpNoAuth;

  @Plain(11)
  readonly plain?: SmtpPlainAuth;
}

@Named('UpdateEmailProviderSMTPPasswordRequest')
export class UpdateEmailProviderSmtpPasswordRequest {
  @Password(1, 'The password at the mail server; empty for none.', 'Other-Horse-8')
  readonly password!: string;

  @Id(2)
  readonly id!: string;
}

@Named('TestEmailProviderSMTPByIdRequest')
export class TestEmailProviderSmtpByIdRequest {
  @Id(1)
  readonly id!: string;

  @Receiver(2)
  readonly receiverAddress!: string;
}

@Named('EmailProviderTested')
export class EmailProviderTested {}

@Reserves({ 11: 'xoauth2' })
@Named('TestEmailProviderSMTPRequest')
export class TestEmailProviderSmtpRequest extends SentSmtpServer {
  @Password(6, 'The password at the mail server, which is not stored.', '')
  readonly password!: string;

  @Receiver(7)
  readonly receiverAddress!: string;

  @Text(8, {
    max: 200,
    description:
      'ID of the e-mail provider whose stored password is used if none is given, which is possible only for its host and user.',
    example: '',
  })
  readonly id!: string;

  @None(9)
  readonly none?: SmtpNoAuth;

  @Plain(10)
  readonly plain?: SmtpPlainAuth;
}
