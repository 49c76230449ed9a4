import { Injectable } from '@nestjs/common';
import { RequestRate } from '../foundation/attempt/request-rate.js';
import { IssuerConfig } from '../foundation/config/config.js';
import { Secret } from '../foundation/config/secret.js';
import { newId } from '../foundation/crypto/id.js';
import { OutboundAddresses } from '../foundation/outbound/outbound-addresses.js';
import { Clock } from '../foundation/time/clock.js';
import { TimeLimit } from '../foundation/time/time-limit.js';
import { inShort } from '../user/outbox/outbox-queue.js';
import { mailsNotSent, testNotSent } from './mail.errors.js';
import type { MailServer } from './server/mail-server.entity.js';
import type { MailServerAccess } from './server/mail-server-rules.js';
import { MailServers } from './server/mail-servers.js';
import { MailFailed, MailRefused } from './transport/mail-transport.js';
import { senderOfServer } from './transport/sender.js';
import { SmtpTransport } from './transport/smtp.transport.js';
import { serverOfOwner } from './transport/smtp-server.js';
import { type ComposedMail, type MailWay, TransportInUse } from './transport/transport-in-use.js';

/** An administrator waits for the response. */
const LIMIT_MS = 20_000;
/** A test sends to any address, and connects to any public server: for each person, and each process. */
const TESTS_PER_MINUTE = 10;
const WINDOW_SECONDS = 60;

export interface TestedMail {
  readonly ok: boolean;
  /** The reason in the words of the mail server. */
  readonly reason: string;
}

/** The receiver of a test, and the person who asks for it. */
export interface MailTestFor {
  readonly receiver: string;
  readonly userId: string;
}

/** Settings that are tried before they are stored. */
export interface TriedMailServer extends MailServerAccess, Pick<MailServer, 'senderAddress' | 'senderName'> {
  readonly password: string;
  /** Whose password is used if none is given; empty for none. */
  readonly storedId: string;
}

/** Sends one e-mail at once, so that administrators see whether it works. */
@Injectable()
export class MailTests {
  private readonly rate = new RequestRate(TESTS_PER_MINUTE, WINDOW_SECONDS);

  constructor(
    private readonly inUse: TransportInUse,
    private readonly servers: MailServers,
    private readonly addresses: OutboundAddresses,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a test by whatever sends e-mails at the moment.
   * @throws DomainError FailedPrecondition `mail.not_sent`; ResourceExhausted `request.too_many`
   */
  async sendInUse(test: MailTestFor): Promise<TestedMail> {
    this.count(test);
    try {
      const way = await this.inUse.find();
      if (!way) throw mailsNotSent();
      await this.send(way, test.receiver);
      return { ok: true, reason: '' };
    } catch (error) {
      if (error instanceof MailRefused || error instanceof MailFailed)
        return { ok: false, reason: inShort(error.message) };
      throw error;
    }
  }

  /**
   * Sends a test by a mail server, active or not.
   * @throws DomainError NotFound `mail_server.not_found`; FailedPrecondition `mail.test_not_sent`,
   * `mail_server.password_unreadable`; ResourceExhausted `request.too_many`
   */
  async sendStored(id: string, test: MailTestFor): Promise<void> {
    const server = await this.servers.get(id);
    this.count(test);
    await this.sendBy(server, this.servers.passwordOf(server), server.replyToAddress, test);
  }

  /**
   * Sends a test by a mail server that is not stored.
   * @throws DomainError as `sendStored`, and InvalidArgument if the stored password was given for another server
   */
  async sendTried(tried: TriedMailServer, test: MailTestFor): Promise<void> {
    this.count(test);
    const { password, storedId } = tried;
    await this.servers.check(tried, password);
    const isStored = password === '' && storedId !== '' && tried.userName !== '';
    const used = isStored ? await this.servers.passwordFor(storedId, tried) : new Secret(password);
    await this.sendBy(tried, used, '', test);
  }

  private count({ userId }: MailTestFor): void {
    this.rate.count(userId, this.clock.now());
  }

  private async sendBy(
    server: MailServerAccess & Pick<MailServer, 'senderAddress' | 'senderName'>,
    password: Secret,
    replyTo: string,
    { receiver }: MailTestFor,
  ): Promise<void> {
    const transport = new SmtpTransport(serverOfOwner(server, password, replyTo, this.addresses), 1);
    try {
      await this.send({ transport, sender: senderOfServer(server) }, receiver);
    } catch (error) {
      if (error instanceof MailRefused || error instanceof MailFailed) throw testNotSent(inShort(error.message));
      throw error;
    } finally {
      await transport.close();
    }
  }

  private async send({ transport, sender }: MailWay, receiver: string): Promise<void> {
    using limit = new TimeLimit(LIMIT_MS);
    await transport.send({ ...this.compose(receiver), from: sender }, limit.signal);
  }

  private compose(to: string): ComposedMail {
    const { publicUrl } = this.issuer;
    const { hostname } = new URL(publicUrl);
    const id = newId();
    const text = `This is a test of ${publicUrl}. It can send e-mails.`;
    return {
      id,
      messageId: `<${id}@${hostname}>`,
      date: this.clock.now(),
      to,
      subject: `Test e-mail of ${hostname}`,
      text: `${text}\n`,
      html: `<!doctype html>\n<html lang="en"><body><p>${text}</p></body></html>`,
      language: 'en',
      images: [],
    };
  }
}
