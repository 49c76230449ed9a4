import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
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
import { Message } from '../kit/wire/message.js';
import { MailServerOperations, type ShownMailServer } from './mail-server.operations.js';
import {
  AddSmtpConfigRequest,
  AddSmtpConfigResponse,
  GetSmtpConfigResponse,
  ListSmtpConfigsRequest,
  ListSmtpConfigsResponse,
  type SmtpConfig,
  SmtpConfigById,
  TestSmtpConfigByIdRequest,
  TestSmtpConfigByIdResponse,
  TestSmtpConfigRequest,
  TestSmtpConfigResponse,
  UpdateSmtpConfigPasswordRequest,
  UpdateSmtpConfigRequest,
} from './smtp.dto.js';

/** The mail servers of the instance (record 22). Their names on the wire are those of SMTP configurations. */
@Tagged('E-mails')
@Controller('admin/v1/smtp')
export class SmtpController {
  constructor(
    private readonly operations: MailServerOperations,
    private readonly servers: MailServers,
    private readonly tests: MailTests,
  ) {}

  @Get()
  @Requires('iam.read')
  @Operation({
    id: 'GetSMTPConfig',
    summary: 'Get the mail server (SMTP) that is active',
    returns: GetSmtpConfigResponse,
    refuses: [noActiveMailServer()],
  })
  async active(@Asking() _actor: Actor): Promise<GetSmtpConfigResponse> {
    return { smtpConfig: toConfig(await this.operations.active()) };
  }

  @Post()
  @Requires('iam.write')
  @Operation({
    id: 'AddSMTPConfig',
    summary: 'Add a mail server (SMTP)',
    description: 'It sends nothing until it is activated with `ActivateSMTPConfig`.',
    request: AddSmtpConfigRequest,
    returns: AddSmtpConfigResponse,
    refuses: [tooManyMailServers(MAX_MAIL_SERVERS)],
  })
  async add(@Asking() { userId }: Actor, @Message() request: AddSmtpConfigRequest): Promise<AddSmtpConfigResponse> {
    return this.operations.add(request, request.password, userId);
  }

  @Post('_search')
  @Requires('iam.read')
  @Operation({
    id: 'ListSMTPConfigs',
    summary: 'List the mail servers (SMTP)',
    description: 'Sorted by creation time. Passwords are not shown.',
    request: ListSmtpConfigsRequest,
    returns: ListSmtpConfigsResponse,
  })
  async list(@Asking() _actor: Actor, @Message() { query }: ListSmtpConfigsRequest): Promise<ListSmtpConfigsResponse> {
    const { details, result } = await this.operations.list(query);
    return { details, result: result.map(toConfig) };
  }

  @Post('_test')
  @Requires('iam.write')
  @Operation({
    id: 'TestSMTPConfig',
    summary: 'Send a test e-mail by a mail server (SMTP) that is not stored',
    description:
      'Nothing is stored. The e-mail is sent at once, and what the mail server says against it is in the refusal. At most ten tests a minute.',
    request: TestSmtpConfigRequest,
    returns: TestSmtpConfigResponse,
    refuses: [testNotSent('550 5.7.1 Relaying denied')],
  })
  async test(
    @Asking() { userId }: Actor,
    @Message() { user, id, receiverAddress, ...tried }: TestSmtpConfigRequest,
  ): Promise<TestSmtpConfigResponse> {
    await this.tests.sendTried({ ...tried, userName: user, storedId: id }, { receiver: receiverAddress, userId });
    return {};
  }

  @Get(':id')
  @Requires('iam.read')
  @Operation({
    id: 'GetSMTPConfigById',
    summary: 'Get a mail server (SMTP)',
    description: 'The password is never returned.',
    request: SmtpConfigById,
    returns: GetSmtpConfigResponse,
    refuses: [mailServerNotFound()],
  })
  async get(@Asking() _actor: Actor, @Message() { id }: SmtpConfigById): Promise<GetSmtpConfigResponse> {
    return { smtpConfig: toConfig(await this.operations.get(id)) };
  }

  @Put(':id')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateSMTPConfig',
    summary: 'Update a mail server (SMTP)',
    description:
      'Everything is replaced but the password: an empty one keeps what is stored. Another host or user needs a password, since nobody may have a stored one sent elsewhere.',
    request: UpdateSmtpConfigRequest,
    exampleWith: { description: 'Mail server of Acme in Zurich' },
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerUnchanged()],
  })
  async update(@Asking() { userId }: Actor, @Message() request: UpdateSmtpConfigRequest): Promise<DetailsResponse> {
    return this.operations.update(request.id, request, request.password, userId);
  }

  @Put(':id/password')
  @Requires('iam.write')
  @Operation({
    id: 'UpdateSMTPConfigPassword',
    summary: 'Update the password at a mail server (SMTP)',
    request: UpdateSmtpConfigPasswordRequest,
    returns: DetailsResponse,
    refuses: [mailServerNotFound()],
  })
  async updatePassword(
    @Asking() { userId }: Actor,
    @Message() { id, password }: UpdateSmtpConfigPasswordRequest,
  ): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.changePassword(id, password, userId));
  }

  @Post(':id/_activate')
  @Requires('iam.write')
  @Operation({
    id: 'ActivateSMTPConfig',
    summary: 'Send all e-mails by a mail server (SMTP)',
    description:
      'From now on, in every process; the one that was active is deactivated. It counts before `SMTP_URL` and `MAIL_FROM` of the environment. Where an extension sends e-mails, that goes on; `GetMailSettings` says what is in use.',
    request: SmtpConfigById,
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerActive()],
  })
  async activate(@Asking() { userId }: Actor, @Message() { id }: SmtpConfigById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.activate(id, userId));
  }

  @Post(':id/_deactivate')
  @Requires('iam.write')
  @Operation({
    id: 'DeactivateSMTPConfig',
    summary: 'Stop sending e-mails by a mail server (SMTP)',
    description: 'E-mails are sent as the environment says again (`SMTP_URL`); if it names no mail server, they wait.',
    request: SmtpConfigById,
    returns: DetailsResponse,
    refuses: [mailServerNotFound(), mailServerInactive()],
  })
  async deactivate(@Asking() { userId }: Actor, @Message() { id }: SmtpConfigById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.deactivate(id, userId));
  }

  @Delete(':id')
  @Requires('iam.write')
  @Operation({
    id: 'RemoveSMTPConfig',
    summary: 'Remove a mail server (SMTP)',
    description: 'If it is active, e-mails are sent as the environment says again, as after `DeactivateSMTPConfig`.',
    request: SmtpConfigById,
    returns: DetailsResponse,
    refuses: [mailServerNotFound()],
  })
  async remove(@Asking() { userId }: Actor, @Message() { id }: SmtpConfigById): Promise<DetailsResponse> {
    return this.operations.toChanged(await this.servers.remove(id, userId));
  }

  @Post(':id/_test')
  @Requires('iam.write')
  @Operation({
    id: 'TestSMTPConfigById',
    summary: 'Send a test e-mail by a mail server (SMTP)',
    description:
      'Whether or not it is active. The e-mail is sent at once, and what the mail server says against it is in the refusal. At most ten tests a minute.',
    request: TestSmtpConfigByIdRequest,
    returns: TestSmtpConfigByIdResponse,
    refuses: [mailServerNotFound(), testNotSent('550 5.7.1 Relaying denied')],
  })
  async testById(
    @Asking() { userId }: Actor,
    @Message() { id, receiverAddress }: TestSmtpConfigByIdRequest,
  ): Promise<TestSmtpConfigByIdResponse> {
    await this.tests.sendStored(id, { receiver: receiverAddress, userId });
    return {};
  }
}

function toConfig({ userName, ...server }: ShownMailServer): SmtpConfig {
  return { ...server, user: userName };
}
