import { createTransport, type NodemailerError, type SMTPPoolSentMessageInfo, type Transporter } from 'nodemailer';
import type { Secret } from '../../crypto/secret.js';
import { AUTO_SUBMITTED, MailFailed, MailRefused, type MailTransport, type OutgoingMail } from './mail-transport.js';

const CONNECT_LIMIT_MS = 10_000;
const SILENCE_LIMIT_MS = 30_000;
/** A server that closes what is idle does so later. */
const IDLE_MS = 20_000;

/**
 * By SMTP, to the server that the operator has named. With credentials nothing is said in plain text unless the URL says so:
 * whoever stands between could else strip STARTTLS from what the server offers, and read the password (RFC 3207 §6).
 */
export class SmtpTransport implements MailTransport {
  private readonly transporter: Transporter<SMTPPoolSentMessageInfo>;

  constructor(
    url: Secret,
    private readonly from: string,
    connections: number,
  ) {
    this.transporter = createTransport({
      url: url.reveal(),
      pool: true,
      maxConnections: connections,
      idleTimeout: IDLE_MS,
      maxRequeues: 0, // the outbox tries again, and says so
      connectionTimeout: CONNECT_LIMIT_MS,
      greetingTimeout: CONNECT_LIMIT_MS,
      dnsTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(needsTls(new URL(url.reveal())) ? { requireTLS: true } : {}),
    });
  }

  async send(
    { messageId, date, to, subject, text, html, language, images }: OutgoingMail,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      await this.transporter.sendMail({
        from: this.from,
        to: { name: '', address: to }, // an object is one address; a text would be read as a list of them
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

  close(): void {
    this.transporter.close();
  }
}

function needsTls({ username, hostname, searchParams }: URL): boolean {
  const isDecided = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'].some((name) => searchParams.has(name));
  return username !== '' && !isDecided && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

/**
 * RFC 5321 §4.2.1: what begins with 5 is for good. Only where it is about this mail: a sender or a password that the server
 * does not like is for the operator to mend, and the mail waits for that.
 */
function toFailure({ message, response, responseCode = 0, command = '' }: NodemailerError): MailRefused | MailFailed {
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA';
  const words = response ?? message;
  return responseCode >= 500 && isAboutThisMail ? new MailRefused(words) : new MailFailed(words);
}
