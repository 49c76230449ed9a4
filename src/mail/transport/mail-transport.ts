/** A mail ready to be sent. */
export interface OutgoingMail {
  /** Id in the outbox: the same for each attempt. */
  readonly id: string;
  /** With angle brackets: receivers drop duplicates with the same id. */
  readonly messageId: string;
  readonly date: Date;
  /** A single bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** What the HTML shows as `cid:…`. */
  readonly images: ReadonlyArray<{ readonly cid: string; readonly contentType: string; readonly content: Buffer }>;
}

/** How mails are sent. Another way is another provider of `MAIL_TRANSPORT`; null if there is none, so mails wait. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export interface MailTransport {
  /**
   * Resolves once another server is responsible for the mail.
   * @throws MailRefused if retrying is pointless; any other error may be temporary
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The mail server refuses this mail permanently. `message`: in its words. */
export class MailRefused extends Error {}

/** A temporary refusal, or the server cannot be reached. */
export class MailFailed extends Error {}

/** RFC 3834 §5: prevents out-of-office replies. */
export const AUTO_SUBMITTED = { name: 'Auto-Submitted', value: 'auto-generated' } as const;
