import type { NodemailerError, SMTPPoolSentMessageInfo, Transporter } from 'nodemailer';
import type { Secret } from '../../foundation/crypto/secret.js';
import { AUTO_SUBMITTED, MailFailed, MailRefused, type MailTransport, type OutgoingMail } from './mail-transport.js';

const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 30_000;
/** Servers close idle connections later. */
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

/**
 * Sends through the SMTP server that the operator has configured. Credentials are never sent in plain text unless the
 * URL says so: a man in the middle could otherwise strip STARTTLS from the server's capabilities and read the password
 * (RFC 3207 §6).
 */
export class SmtpTransport implements MailTransport {
  /** Made for the first mail: a process that sends none needs no client of SMTP. */
  private transporter: Promise<Transporter<SMTPPoolSentMessageInfo>> | undefined;

  constructor(
    private readonly url: Secret,
    private readonly connections: number,
  ) {}

  async send(
    { messageId, date, from, to, subject, text, html, language, images }: OutgoingMail,
    signal: AbortSignal,
  ): Promise<void> {
    this.transporter ??= this.connect();
    try {
      const transporter = await this.transporter;
      await transporter.sendMail({
        from,
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
      throw toFailure(error as NodemailerError);
    }
  }

  async close(): Promise<void> {
    (await this.transporter)?.close();
  }

  private async connect(): Promise<Transporter<SMTPPoolSentMessageInfo>> {
    const { createTransport } = await import('nodemailer');
    const url = this.url.reveal();
    return createTransport({
      url,
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
      ...(needsTls(new URL(url)) ? { requireTLS: true } : {}),
    });
  }
}

function needsTls({ username, hostname, searchParams }: URL): boolean {
  const isDecided = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.has(name));
  return username !== '' && !isDecided && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * RFC 5321 §4.2.1: codes that begin with 5 are permanent. Only if they are about this mail: a rejected sender or
 * password is for the operator to fix, and the mail waits.
 */
function toFailure({ code, message, response, responseCode, command = '' }: NodemailerError): MailRefused | SmtpFailed {
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
  const isPermanent = (responseCode ?? 0) >= 500 && isAboutThisMail;
  // A reply of the server is not for the log. Without one the words are ours or Node's: a certificate that has expired,
  // is of an unknown authority or for another name, a protocol of TLS that the server does not speak, no connection.
  const cause = response === undefined ? message : undefined;
  return isPermanent
    ? new MailRefused(response ?? message)
    : new SmtpFailed(response ?? message, { code, status: responseCode, command: command || undefined, cause });
}
