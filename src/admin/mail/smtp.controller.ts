import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { testNotSent } from '../../mail/mail.errors.js';
import { MailTests } from '../../mail/mail-tests.js';
import { ActiveMailServer } from '../../mail/server/active-mail-server.js';
import type { MailServer } from '../../mail/server/mail-server.entity.js';
import {
  mailServerActive,
  mailServerInactive,
  mailServerNotFound,
  mailServerUnchanged,
  noActiveMailServer,
  tooManyMailServers,
} from '../../mail/server/mail-server.errors.js';
import { MAX_MAIL_SERVERS, type MailServerSettings } from '../../mail/server/mail-server-rules.js';
import { MailServers } from '../../mail/server/mail-servers.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Asking } from '../kit/guard/asking.js';
import { Requires } from '../kit/guard/requires.js';
import { Operation } from '../kit/operation.js';
import { DetailsResponse, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { Tagged } from '../kit/wire/documentation.js';
import { toRange, toWholeListDetails } from '../kit/wire/list.dto.js';
import { Message } from '../kit/wire/message.js';
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
    private readonly servers: MailServers,
    private readonly activeServer: ActiveMailServer,
    private readonly tests: MailTests,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
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
    const server = await this.activeServer.findNow();
    if (!server) throw noActiveMailServer();
    return { smtpConfig: await this.toConfig(server) };
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
    const server = await this.servers.add(toSettings(request), request.password, userId);
    return { details: toDetails(server, await this.ownerId()), id: server.id };
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
    const { offset, limit, ascending } = toRange(query);
    const servers = await this.servers.list();
    if (!ascending) servers.reverse();
    const page = servers.slice(Number(offset), Number(offset) + limit);
    return {
      details: toWholeListDetails(servers.length, this.clock.now()),
      result: await Promise.all(page.map((server) => this.toConfig(server))),
    };
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
    return { smtpConfig: await this.toConfig(await this.servers.get(id)) };
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
    const { id, password } = request;
    return this.toChanged(await this.servers.change(id, toSettings(request), password, userId));
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
    return this.toChanged(await this.servers.changePassword(id, password, userId));
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
    return this.toChanged(await this.servers.activate(id, userId));
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
    return this.toChanged(await this.servers.deactivate(id, userId));
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
    return this.toChanged(await this.servers.remove(id, userId));
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

  private async toChanged(mark: EventMark): Promise<DetailsResponse> {
    return { details: toChangedDetails(mark, await this.ownerId()) };
  }

  private async toConfig({ userName, password: _sealed, ...server }: MailServer): Promise<SmtpConfig> {
    const { sequence, creationDate, changeDate, ...settings } = server;
    const details = toDetails({ sequence, creationDate, changeDate }, await this.ownerId());
    return { ...settings, user: userName, details };
  }

  private async ownerId(): Promise<string> {
    return (await this.instances.get()).id;
  }
}

function toSettings(request: AddSmtpConfigRequest | UpdateSmtpConfigRequest): MailServerSettings {
  const { senderAddress, senderName, tls, host, user, replyToAddress, description } = request;
  return { senderAddress, senderName, tls, host, userName: user, replyToAddress, description };
}
