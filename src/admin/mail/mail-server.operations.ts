import { Injectable } from '@nestjs/common';
import type { EventMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { ActiveMailServer } from '../../mail/server/active-mail-server.js';
import type { MailServer } from '../../mail/server/mail-server.entity.js';
import { noActiveMailServer } from '../../mail/server/mail-server.errors.js';
import type { MailServerSettings } from '../../mail/server/mail-server-rules.js';
import { MailServers } from '../../mail/server/mail-servers.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import { type DetailsResponse, type ObjectDetails, toChangedDetails, toDetails } from '../kit/wire/details.dto.js';
import { type ListDetails, type ListQuery, toRange, toWholeListDetails } from '../kit/wire/list.dto.js';

/** A mail server with its history, without its password. */
export type ShownMailServer = Omit<MailServer, 'password' | 'sequence' | 'creationDate' | 'changeDate'> & {
  readonly details: ObjectDetails;
};

/** What the operations on SMTP configurations and on e-mail providers have in common. */
@Injectable()
export class MailServerOperations {
  constructor(
    private readonly servers: MailServers,
    private readonly activeServer: ActiveMailServer,
    private readonly instances: InstanceService,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError NotFound `mail_server.none_active` */
  async active(): Promise<ShownMailServer> {
    const server = await this.activeServer.findNow();
    if (!server) throw noActiveMailServer();
    return this.shown(server);
  }

  /** @throws DomainError NotFound `mail_server.not_found` */
  async get(id: string): Promise<ShownMailServer> {
    return this.shown(await this.servers.get(id));
  }

  async list(query: ListQuery | undefined): Promise<{ details: ListDetails; result: ShownMailServer[] }> {
    const { offset, limit, ascending } = toRange(query);
    const servers = await this.servers.list();
    if (!ascending) servers.reverse();
    const page = servers.slice(Number(offset), Number(offset) + limit);
    return {
      details: toWholeListDetails(servers.length, this.clock.now()),
      result: await Promise.all(page.map((server) => this.shown(server))),
    };
  }

  /** @throws DomainError as `MailServers.add` */
  async add(sent: SentServer, password: string, userId: string): Promise<{ details: ObjectDetails; id: string }> {
    const server = await this.servers.add(toSettings(sent), password, userId);
    return { details: toDetails(server, await this.ownerId()), id: server.id };
  }

  /** @throws DomainError as `MailServers.change` */
  async update(id: string, sent: SentServer, password: string, userId: string): Promise<DetailsResponse> {
    return this.toChanged(await this.servers.change(id, toSettings(sent), password, userId));
  }

  async toChanged(mark: EventMark): Promise<DetailsResponse> {
    return { details: toChangedDetails(mark, await this.ownerId()) };
  }

  private async shown({ password: _sealed, ...server }: MailServer): Promise<ShownMailServer> {
    const { sequence, creationDate, changeDate, ...settings } = server;
    const details = toDetails({ sequence, creationDate, changeDate }, await this.ownerId());
    return { ...settings, details };
  }

  private async ownerId(): Promise<string> {
    return (await this.instances.get()).id;
  }
}

type SentServer = Omit<MailServerSettings, 'userName'> & { readonly user: string };

function toSettings(sent: SentServer): MailServerSettings {
  const { senderAddress, senderName, tls, host, user, replyToAddress, description } = sent;
  return { senderAddress, senderName, tls, host, userName: user, replyToAddress, description };
}
