import { Inject, Injectable } from '@nestjs/common';
import { IssuerConfig, MailConfig } from '../foundation/config/config.js';
import { newId } from '../foundation/crypto/id.js';
import type { Filled } from '../foundation/extension/seam.js';
import { Clock } from '../foundation/time/clock.js';
import { TimeLimit } from '../foundation/time/time-limit.js';
import { mailsNotSent } from './mail.errors.js';
import { senderOf } from './sender.js';
import {
  CHOSEN_TRANSPORT,
  MAIL_TRANSPORT,
  MailFailed,
  MailRefused,
  type MailTransport,
  type OutgoingMail,
} from './transport/mail-transport.js';

/** How e-mails leave, without the password. */
export interface ShownMailSettings {
  readonly transport: 'smtp' | 'mailbox' | 'none' | 'extension';
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly userName: string;
  readonly sender: string;
}

export interface TestedMail {
  readonly ok: boolean;
  /** In the words of the mail server. */
  readonly reason: string;
}

/** An administrator waits for the response. */
const LIMIT_MS = 20_000;
const SMTP_PORT = 25;
const SMTPS_PORT = 465;

/** What administrators see of the operator's settings, and whether they work. */
@Injectable()
export class MailSettings {
  private readonly extension: Filled<MailTransport> | undefined;

  constructor(
    @Inject(CHOSEN_TRANSPORT) private readonly transport: MailTransport | null,
    private readonly config: MailConfig,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
    @Inject(MAIL_TRANSPORT.token) [extension]: ReadonlyArray<Filled<MailTransport>>,
  ) {
    this.extension = extension;
  }

  get(): ShownMailSettings {
    const { smtpUrl } = this.config;
    const sender = senderOf(this.config);
    const elsewhere = { host: '', port: 0, tls: false, userName: '' };
    if (!this.transport) return { ...elsewhere, transport: 'none', sender: '' };
    if (this.extension) return { ...elsewhere, transport: 'extension', sender };
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
    };
  }

  /** @throws DomainError FailedPrecondition `mail.not_sent` */
  async sendTest(to: string): Promise<TestedMail> {
    if (!this.transport) throw mailsNotSent();
    try {
      using limit = new TimeLimit(LIMIT_MS);
      await this.transport.send(this.compose(to), limit.signal);
      return { ok: true, reason: '' };
    } catch (error) {
      if (error instanceof MailRefused || error instanceof MailFailed) return { ok: false, reason: error.message };
      throw error;
    }
  }

  private compose(to: string): OutgoingMail {
    const { publicUrl } = this.issuer;
    const { hostname } = new URL(publicUrl);
    const id = newId();
    const text = `This is a test of ${publicUrl}. It can send e-mails.`;
    return {
      id,
      messageId: `<${id}@${hostname}>`,
      date: this.clock.now(),
      from: senderOf(this.config),
      to,
      subject: `Test e-mail of ${hostname}`,
      text: `${text}\n`,
      html: `<!doctype html>\n<html lang="en"><body><p>${text}</p></body></html>`,
      language: 'en',
      images: [],
    };
  }
}
