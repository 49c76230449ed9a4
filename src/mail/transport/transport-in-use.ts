import { Inject, Injectable } from '@nestjs/common';
import { MailConfig } from '../../foundation/config/config.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { LANES } from '../../user/outbox/outbox-queue.js';
import { ActiveMailServer } from '../server/active-mail-server.js';
import type { MailServer } from '../server/mail-server.entity.js';
import { passwordUnreadable } from '../server/mail-server.errors.js';
import { MailServerPasswords } from '../server/mail-server-passwords.js';
import {
  CHOSEN_TRANSPORT,
  MAIL_TRANSPORT,
  MailFailed,
  type MailTransport,
  type OutgoingMail,
} from './mail-transport.js';
import { senderOf, senderOfServer } from './sender.js';
import { SmtpTransport } from './smtp.transport.js';
import { serverOfOwner } from './smtp-server.js';

/** A mail that has everything but its sender, which is that of the transport. */
export type ComposedMail = Omit<OutgoingMail, 'from'>;

/** The transport that sends mails at the moment. */
export interface MailWay {
  readonly sender: string;
  readonly transport: MailTransport;
}

interface OfOwner extends MailWay {
  /** The version of the settings of which it was made. */
  readonly version: string;
}

/**
 * The one answer to the question what sends mails: the transport of an extension; otherwise the active SMTP
 * configuration of the administrative API; otherwise what the environment says (record 22).
 */
@Injectable()
export class TransportInUse {
  private ofOwner: OfOwner | undefined;

  constructor(
    @Inject(CHOSEN_TRANSPORT) private readonly chosen: MailTransport | null,
    @Inject(MAIL_TRANSPORT.token) private readonly extensions: ReadonlyArray<Filled<MailTransport>>,
    private readonly config: MailConfig,
    private readonly active: ActiveMailServer,
    private readonly passwords: MailServerPasswords,
    private readonly addresses: OutboundAddresses,
  ) {}

  /** The mail server of the administrative API, if it is the one that sends. */
  async findServer(): Promise<MailServer | undefined> {
    return this.extensions.length > 0 ? undefined : this.active.find();
  }

  /** Whether anything sends; if nothing does, mails wait. */
  async isThere(): Promise<boolean> {
    return this.chosen !== null || (await this.findServer()) !== undefined;
  }

  /** Undefined if nothing sends. @throws MailFailed if the password of the mail server cannot be read */
  async find(): Promise<MailWay | undefined> {
    const server = await this.findServer();
    if (server) return this.wayOf(server);
    await this.endFormer();
    return this.chosen ? { transport: this.chosen, sender: senderOf(this.config) } : undefined;
  }

  /** Closes the transport when the process ends. */
  async close(): Promise<void> {
    await this.endFormer();
    await this.chosen?.close();
  }

  private async wayOf(server: MailServer): Promise<MailWay> {
    const version = `${server.id} ${server.sequence}`;
    if (this.ofOwner?.version === version) return this.ofOwner;
    const password = this.passwords.find(server);
    if (!password) throw new MailFailed(passwordUnreadable().message);
    const { replyToAddress } = server;
    const transport = new SmtpTransport(serverOfOwner(server, password, replyToAddress, this.addresses), LANES);
    const former = this.ofOwner;
    const way = { version, transport, sender: senderOfServer(server) };
    this.ofOwner = way;
    await former?.transport.close();
    return way;
  }

  private async endFormer(): Promise<void> {
    const former = this.ofOwner;
    this.ofOwner = undefined;
    await former?.transport.close();
  }
}
