/** A mail as it leaves. */
export interface OutgoingMail {
  /** Of the outbox: the same for each try. */
  readonly id: string;
  /** With its angle brackets: receivers drop what comes twice under the same one. */
  readonly messageId: string;
  readonly date: Date;
  /** One bare address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly language: string;
  /** What the HTML shows as `cid:…`. */
  readonly images: ReadonlyArray<{ readonly cid: string; readonly contentType: string; readonly content: Buffer }>;
}

/** How mails leave. Another way is another provider of `MAIL_TRANSPORT`; null: there is none, and mails wait. */
export const MAIL_TRANSPORT = Symbol('MAIL_TRANSPORT');

export interface MailTransport {
  /**
   * Resolves once somebody else is responsible for the mail.
   * @throws MailRefused when trying again is of no use; anything else may succeed later
   */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** The mail server does not take this mail, and will not. `message`: in its words. */
export class MailRefused extends Error {}

/** It does not take it now, or cannot be reached. */
export class MailFailed extends Error {}

/** RFC 3834 §5: no out-of-office note answers such a mail, and no such mail answers another. */
export const AUTO_SUBMITTED = { name: 'Auto-Submitted', value: 'auto-generated' } as const;
