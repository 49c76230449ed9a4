import type { NodemailerError, SMTPPoolSentMessageInfo, Transporter } from 'nodemailer';
import { DomainError } from '../../foundation/error/domain-error.js';
import { asCall } from '../../foundation/trace/span.js';
import { AUTO_SUBMITTED, MailFailed, MailRefused, type MailTransport, type OutgoingMail } from './mail-transport.js';
import { CONNECT_LIMIT_MS, type SmtpServer } from './smtp-server.js';

const SILENCE_LIMIT_MS = 30_000;
/** How long a connection stays idle; servers close theirs later. */
const IDLE_MS = 20_000;

/**
 * A mail that waits; `facts` are for the log, and repeat nothing of the server's reply, which may name the recipient.
 */
export class SmtpFailed extends MailFailed {
  constructor(
    message: string,
    readonly facts: {
      readonly code: string | undefined;
      readonly status: number | undefined;
      readonly command: string | undefined;
      readonly cause: string | undefined;
    },
  ) {
    super(message);
  }
}

/** Sends through a mail server. */
export class SmtpTransport implements MailTransport {
  /** Made for the first mail: a process that sends none needs no client of SMTP. */
  private transporter: Promise<Transporter<SMTPPoolSentMessageInfo>> | undefined;

  constructor(
    private readonly server: SmtpServer,
    private readonly connections: number,
  ) {}

  async send(mail: OutgoingMail, signal: AbortSignal): Promise<void> {
    return asCall(
      'SMTP',
      () => ({ 'server.address': this.server.host }),
      () => this.hand(mail, signal),
    );
  }

  /**
   * Connects and signs in; sends nothing.
   * @throws MailFailed
   */
  async verify(): Promise<void> {
    this.transporter ??= this.connect();
    try {
      await (await this.transporter).verify();
    } catch (error) {
      throw this.toFailure(error as NodemailerError);
    }
  }

  /** Ends the connections once the mails under way are sent. */
  async close(): Promise<void> {
    (await this.transporter)?.close();
  }

  private async hand(
    { messageId, date, from, to, subject, text, html, language, images }: OutgoingMail,
    signal: AbortSignal,
  ): Promise<void> {
    this.transporter ??= this.connect();
    const { replyTo } = this.server;
    try {
      const transporter = await this.transporter;
      await transporter.sendMail({
        from,
        ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
        to: { name: '', address: to }, // An object is one address; a string would be parsed as a list.
        messageId,
        date,
        subject,
        text,
        html,
        xMailer: false,
        signal,
        headers: { [AUTO_SUBMITTED.name]: AUTO_SUBMITTED.value, 'Content-Language': language },
        attachments: images.map(({ cid, contentType, content }) => ({
          cid,
          contentType,
          content,
          filename: cid,
          contentDisposition: 'inline',
        })),
      });
    } catch (error) {
      throw this.toFailure(error as NodemailerError);
    }
  }

  private async connect(): Promise<Transporter<SMTPPoolSentMessageInfo>> {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      pool: true,
      maxConnections: this.connections,
      idleTimeout: IDLE_MS,
      maxRequeues: 0, // The outbox retries and logs that.
      connectionTimeout: CONNECT_LIMIT_MS,
      greetingTimeout: CONNECT_LIMIT_MS,
      dnsTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...this.server.options(),
    });
  }

  /**
   * RFC 5321 §4.2.1: codes that begin with 5 are permanent. Only if they are about this mail: a rejected sender or
   * password is for the operator to fix, and the mail waits.
   */
  private toFailure(error: NodemailerError): MailRefused | SmtpFailed {
    const { code, message, responseCode: status, command = '' } = error;
    if (error instanceof DomainError)
      return new SmtpFailed(message, { code: error.reason, status, command: undefined, cause: message });
    if (code === 'EABORT')
      return new SmtpFailed('The mail server did not accept it in time.', {
        code,
        status,
        command: undefined,
        cause: message,
      });
    // A server that greets otherwise is of another kind, and what it says is not for those who aim us at it.
    const isOther = code === 'EPROTOCOL' && command === 'CONN';
    const response = isOther ? undefined : error.response;
    const said = isOther
      ? 'What answers there does not greet as a mail server does.'
      : this.withoutSecrets(response ?? message);
    const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
    if ((status ?? 0) >= 500 && isAboutThisMail) return new MailRefused(said);
    // A reply of the server is not for the log. Without one the words are ours or Node's: a certificate that has
    // expired, is of an unknown authority or for another name, a protocol of TLS that the server does not speak, no
    // connection.
    const cause = response === undefined ? said : undefined;
    return new SmtpFailed(said, { code, status, command: command || undefined, cause });
  }

  /** Removes the secrets: a server may repeat what it was sent. */
  private withoutSecrets(text: string): string {
    return this.server.secrets.reduce((so, secret) => so.replaceAll(secret, '[secret]'), text);
  }
}
