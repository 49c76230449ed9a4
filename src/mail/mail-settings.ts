import { Inject, Injectable } from '@nestjs/common';
import { MailConfig } from '../foundation/config/config.js';
import type { Filled } from '../foundation/extension/seam.js';
import type { MailServer } from './server/mail-server.entity.js';
import { mailHostOf } from './server/mail-server-rules.js';
import { CHOSEN_TRANSPORT, MAIL_TRANSPORT, type MailTransport } from './transport/mail-transport.js';
import { senderOf, senderOfServer } from './transport/sender.js';
import { TransportInUse } from './transport/transport-in-use.js';

/** How e-mails leave, without the password. */
export interface ShownMailSettings {
  readonly transport: 'smtp' | 'mailbox' | 'none' | 'extension';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly userName: string;
  readonly sender: string;
  /** The mail server that the administrative API has set up; empty for the environment's, and without one. */
  readonly smtpConfigId: string;
}

const SMTP_PORT = 25;
const SMTPS_PORT = 465;

/** The settings in use, as administrators see them. */
@Injectable()
export class MailSettings {
  constructor(
    @Inject(CHOSEN_TRANSPORT) private readonly chosen: MailTransport | null,
    @Inject(MAIL_TRANSPORT.token) private readonly extensions: ReadonlyArray<Filled<MailTransport>>,
    private readonly config: MailConfig,
    private readonly inUse: TransportInUse,
  ) {}

  async get(): Promise<ShownMailSettings> {
    const server = await this.inUse.findServer();
    return server ? ofServer(server) : this.ofEnvironment();
  }

  private ofEnvironment(): ShownMailSettings {
    const { smtpUrl } = this.config;
    const sender = senderOf(this.config);
    const elsewhere = { host: '', port: 0, tls: false, userName: '', smtpConfigId: '' };
    if (!this.chosen) return { ...elsewhere, transport: 'none', sender: '' };
    if (this.extensions.length > 0) return { ...elsewhere, transport: 'extension', sender };
    if (!smtpUrl) return { ...elsewhere, transport: 'mailbox', sender };
    const { protocol, hostname, port, username } = new URL(smtpUrl.reveal());
    const tls = protocol === 'smtps:';
    return {
      transport: 'smtp',
      host: hostname,
      port: port === '' ? (tls ? SMTPS_PORT : SMTP_PORT) : Number(port),
      tls,
      userName: decodeURIComponent(username),
      sender,
      smtpConfigId: '',
    };
  }
}

function ofServer(server: MailServer): ShownMailSettings {
  const { hostname, port, isImplicitTls } = mailHostOf(server.host);
  return {
    transport: 'smtp',
    host: hostname,
    port,
    tls: isImplicitTls,
    userName: server.userName,
    sender: senderOfServer(server),
    smtpConfigId: server.id,
  };
}
