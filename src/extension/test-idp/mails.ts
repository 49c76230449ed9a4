import { setTimeout as sleep } from 'node:timers/promises';
import type { MailWorker } from '../../mail/mail-worker.js';
import type { DevelopmentMailbox } from '../../mail/mailbox/development-mailbox.js';
import type { MailboxMessage } from '../../mail/mailbox/mailbox-message.entity.js';

/** A mail that the service has sent. @public */
export interface IdpMail {
  readonly id: string;
  /** ISO 8601, by the clock of the service. */
  readonly sentAt: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The code to type, if it has one. */
  readonly code: string | undefined;
  /** The addresses in it. */
  readonly links: readonly string[];
}

const LOOK_MS = 20;

/** The mails of the service, which go to its mailbox. */
export class Mails {
  constructor(
    private readonly worker: MailWorker,
    private readonly mailbox: DevelopmentMailbox,
  ) {}

  /** Newest first, with those on their way. @param to an address; by default of everybody */
  async list(to?: string): Promise<readonly IdpMail[]> {
    await this.worker.run();
    const wanted = to?.toLowerCase();
    const all = (await this.mailbox.list()).map(toMail);
    return all.filter((mail) => wanted === undefined || mail.to.toLowerCase().includes(wanted));
  }

  /** Like `list`, once there is one, or the time is over. */
  async await(to: string | undefined, waitMs: number): Promise<readonly IdpMail[]> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const found = await this.list(to);
      if (found.length > 0 || waited >= waitMs) return found;
      await sleep(LOOK_MS);
    }
  }
}

function toMail({ id, sentAt, recipient, subject, textBody, htmlBody }: MailboxMessage): IdpMail {
  const links = textBody.match(/https?:\/\/\S+/g) ?? [];
  return {
    id,
    sentAt: sentAt.toISOString(),
    to: recipient,
    subject,
    text: textBody,
    html: htmlBody,
    code: codeIn(textBody),
    links,
  };
}

/** A code stands on a line of its own. */
function codeIn(text: string): string | undefined {
  return /^\s*([A-Z0-9]{6}|\d{6,8})\s*$/m.exec(text)?.[1];
}
