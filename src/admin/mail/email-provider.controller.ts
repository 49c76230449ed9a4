import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { testNotSent } from '../../mail/mail.errors.js';
import { MailTests } from '../../mail/mail-tests.js';
import {
  mailServerActive,
  mailServerInactive,
  mailServerNotFound,
  mailServerUnchanged,
  noActiveMailServer,
  tooManyMailServers,
} from '../../mail/server/mail-server.errors.js';
import { MAX_MAIL_SERVERS } from '../../mail/server/mail-server-rules.js';
import { MailServers } from '../../mail/server/mail-servers.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { EXAMPLE } from '../kit/wire/example-ids.js';
import { Message } from '../kit/wire/message.js';
import {
  AddEmailProviderSmtpRequest,
  AddEmailProviderSmtpResponse,
  type EmailProvider,
  EmailProviderById,
  EmailProviderTested,
  GetEmailProviderResponse,
  ListEmailProvidersRequest,
  ListEmailProvidersResponse,
  type SmtpNoAuth,
  type SmtpPlainAuth,
  TestEmailProviderSmtpByIdRequest,
  TestEmailProviderSmtpRequest,
  UpdateEmailProviderSmtpPasswordRequest,
  UpdateEmailProviderSmtpRequest,
} from './email-provider.dto.js';
import { MailServerOperations, type ShownMailServer } from './mail-server.operations.js';

const ID = { id: EXAMPLE.emailProvider };
/** An example can have one way to authenticate, and has the field `password`. */
const BY_PASSWORD = { none: undefined, plain: undefined };
const SAME = 'E-mail providers and SMTP configurations are the same mail servers.';

/** The mail servers of the instance under the newer name of the described API. */
@Tagged('E-mail providers')
@Controller('admin/v1/email')
export class EmailProviderController {
  constructor(
    private readonly operations: MailServerOperations,
    private readonly servers: MailServers,
    private readonly tests: MailTests,
  ) {}

  @Get()
  @Requires('iam.read')
  @Operation({
    id: 'GetEmailProvider',
    summary: 'Get the e-mail provider that is active',
    description: SAME,
    returns: GetEmailProviderResponse,
    refuses: [noActiveMailServer()],
  })
  async active(@Asking() _actor: Actor): Promise<GetEmailProviderResponse> {
    return { config: toProvider(await this.operations.active()) };
  }

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListEmailProviders',
    summary: 'List the e-mail providers',
    description: `Sorted by creation time. Passwords are not shown. ${SAME}`,
    request: ListEmailProvidersRequest,
    returns: ListEmailProvidersResponse,
  })
  async list(
    @Asking() _actor: Actor,
    @Message() { query }: ListEmailProvidersRequest,
  ): Promise<ListEmailProvidersResponse> {
    const { details, result } = await this.operations.list(query);
    return { details, result: result.map(toProvider) };
  }

  @Post('smtp')
  @Requires('iam.write')
  @Operation({
    id: 'AddEmailProviderSMTP',
    summary: 'Add a mail server (SMTP) as an e-mail provider',
    description: `It sends nothing until it is activated with \`ActivateEmailProvider\`. ${SAME}`,
    request: AddEmailProviderSmtpRequest,
    exampleWith: BY_PASSWORD,
    returns: AddEmailProviderSmtpResponse,
    refuses: [tooManyMailServers(MAX_MAIL_SERVERS)],
  })
  async add(
    @Asking() { userId }: Actor,
    @Message() request: AddEmailProviderSmtpRequest,
  ): Promise<AddEmailProviderSmtpResponse> {
    return this.operations.add(request, passwordIn(request), userId);
  }

  @Post('smtp/_test')
  @Requires('iam.write')
  @Operation({
    id: 'TestEmailProviderSMTP',
    summary: 'Send a test e-mail by a mail server (SMTP) that is not stored, as an e-mail provider',
    description:
      'Nothing is stored. The e-mail is sent at once, and what the mail server says against it is in the refusal. At most ten tests a minute.',
    request: TestEmailProviderSmtpRequest,
    exampleWith: BY_PASSWORD,
    returns: EmailProviderTested,
    refuses: [testNotSent('550 5.7.1 Relaying denied')],
  })
  async test(
    @Asking() { userId }: Actor,
    @Message() request: TestEmailProviderSmtpRequest,
  ): Promise<EmailProviderTested> {
    const { user, id, receiverAddress, none: _none, plain: _plain, ...tried } = request;
    const server = { ...tried, userName: user, storedId: id, password: passwordIn(request) };
    await this.tests.sendTried(server, { receiver: receiverAddress, userId });
    return {};
  }

  @Put('smtp/:id')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateEmailProviderSMTP',
    summary: 'Update a mail server (SMTP) that is an e-mail provider',
    description:
      'Everything is replaced but the password: an empty one keeps what is stored. Another host or user needs a password, since nobody may have a stored one sent elsewhere.',
    request: UpdateEmailProviderSmtpRequest,
    exampleWith: { ...ID, ...BY_PASSWORD, description: 'Mail server of Acme in Bern' },
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerUnchanged()],
  })
  async update(
    @Asking() { userId }: Actor,
    @Message() request: UpdateEmailProviderSmtpRequest,
  ): Promise<DetailsResponse> {
    return this.operations.update(request.id, request, passwordIn(request), userId);
  }

  @Put('smtp/:id/password')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateEmailProviderSMTPPassword',
    summary: 'Update the password at a mail server (SMTP) that is an e-mail provider',
    request: UpdateEmailProviderSmtpPasswordRequest,
    exampleWith: ID,
    returns: DetailsResponse,
    refuses: [mailServerNotFound()],
  })
  async updatePassword(
    @Asking() { userId }: Actor,
    @Message() { id, password }: UpdateEmailProviderSmtpPasswordRequest,
  ): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.changePassword(id, password, userId));
  }

  @Post('smtp/:id/_test')
  @Requires('iam.write')
  @Operation({
    id: 'TestEmailProviderSMTPById',
    summary: 'Send a test e-mail by an e-mail provider',
    description:
      'Whether or not it is active. The e-mail is sent at once, and what the mail server says against it is in the refusal. At most ten tests a minute.',
    request: TestEmailProviderSmtpByIdRequest,
    exampleWith: ID,
    returns: EmailProviderTested,
    refuses: [mailServerNotFound(), testNotSent('550 5.7.1 Relaying denied')],
  })
  async testById(
    @Asking() { userId }: Actor,
    @Message() { id, receiverAddress }: TestEmailProviderSmtpByIdRequest,
  ): Promise<EmailProviderTested> {
    await this.tests.sendStored(id, { receiver: receiverAddress, userId });
    return {};
  }

  @Get(':id')
  @Requires('iam.read')
  @Operation({
    id: 'GetEmailProviderById',
    summary: 'Get an e-mail provider',
    description: 'The password is never returned.',
    request: EmailProviderById,
    exampleWith: ID,
    returns: GetEmailProviderResponse,
    refuses: [mailServerNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() { id }: EmailProviderById): Promise<GetEmailProviderResponse> {
    return { config: toProvider(await this.operations.get(id)) };
  }

  @Post(':id/_activate')
  @Requires('iam.write')
  @Operation({
    id: 'ActivateEmailProvider',
    summary: 'Send all e-mails by an e-mail provider',
    description:
      'From now on, in every process; the one that was active is deactivated. It counts before `SMTP_URL` and `MAIL_FROM` of the environment.',
    request: EmailProviderById,
    exampleWith: ID,
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerActive()],
  })
  async activate(@Asking() { userId }: Actor, @Message() { id }: EmailProviderById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.activate(id, userId));
  }

  @Post(':id/_deactivate')
  @Requires('iam.write')
  @Operation({
    id: 'DeactivateEmailProvider',
    summary: 'Stop sending e-mails by an e-mail provider',
    description: 'E-mails are sent as the environment says again (`SMTP_URL`); if it names no mail server, they wait.',
    request: EmailProviderById,
    exampleWith: ID,
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerInactive()],
  })
  async deactivate(@Asking() { userId }: Actor, @Message() { id }: EmailProviderById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.deactivate(id, userId));
  }

  @Delete(':id')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveEmailProvider',
    summary: 'Remove an e-mail provider',
    description: 'If it is active, e-mails are sent as the environment says again, as after `DeactivateEmailProvider`.',
    request: EmailProviderById,
    exampleWith: ID,
    returns: DetailsResponse,
    refuses: [mailServerNotFound()],
  })
  async remove(@Asking() { userId }: Actor, @Message() { id }: EmailProviderById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.remove(id, userId));
  }
}

function toProvider(server: ShownMailServer): EmailProvider {
  const { details, id, state, description, userName: user, ...smtp } = server;
  return { details, id, state, description, smtp: { ...smtp, user, ...(user === '' ? { none: {} } : { plain: {} }) } };
}

/** @throws DomainError InvalidArgument for a user or password beside `none`, and for two passwords */
function passwordIn({
  user,
  password,
  none,
  plain,
}: {
  readonly user: string;
  readonly password: string;
  readonly none?: SmtpNoAuth;
  readonly plain?: SmtpPlainAuth;
}): string {
  if (none && (user !== '' || password !== ''))
    throw invalidFields([{ field: 'none', description: 'must not be sent with a user or a password' }]);
  if (plain && password !== '')
    throw invalidFields([{ field: 'plain', description: 'must not be sent with another password' }]);
  return plain?.password ?? password;
}
