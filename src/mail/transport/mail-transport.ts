import { Seam } from '../../foundation/extension/seam.js';

/** A mail ready to be sent. @public */
export interface OutgoingMail {
  /** Id in the outbox: the same for each attempt. */
  readonly id: string;
  /** The `Message-ID` with angle brackets: receivers drop duplicates with the same id. */
  readonly messageId: string;
  readonly date: Date;
  /** The sender: `Acme <no-reply@example.com>`. */
  readonly from: string;
  /** A single bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** The images that the HTML shows as `cid:…`. */
  readonly images: ReadonlyArray<{ readonly cid: string; readonly contentType: string; readonly content: Buffer }>;
}

/**
 * How mails are sent: SMTP, the mailbox of development, or what an extension brings, which replaces both. The outbox,
 * its retries, texts, looks and expiry stay the product's.
 * @public
 */
export interface MailTransport {
  /**
   * Resolves once another server is responsible for the mail. It is given 90 s, after which the signal is aborted.
   * @throws MailRefused if retrying is pointless; after any other error it is tried again, with the same id
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  /** Closes the transport when the process ends. */
  close(): void | Promise<void>;
}

/** @public */
export const MAIL_TRANSPORT: Seam<MailTransport> = new Seam<MailTransport>('MAIL_TRANSPORT', 'one');

/** The mail server refuses this mail permanently. `message`: in its words. @public */
export class MailRefused extends Error {}

/** A temporary refusal, or the server cannot be reached. @public */
export class MailFailed extends Error {}

/** The transport of this process; null if nothing sends, so that mails wait. */
export const CHOSEN_TRANSPORT = Symbol('CHOSEN_TRANSPORT');

/** RFC 3834 §5: prevents out-of-office replies. */
export const AUTO_SUBMITTED = { name: 'Auto-Submitted', value: 'auto-generated' } as const;
