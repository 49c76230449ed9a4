import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { confine } from '../foundation/error/work.js';
import { Logger } from '../foundation/log/logger.js';
import { type ClaimedMail, LANES, OutboxQueue } from '../foundation/outbox/outbox-queue.js';
import { Clock } from '../foundation/time/clock.js';
import { delayAfter, MAX_TRIES } from './back-off.js';
import { MailComposer } from './mail-composer.js';
import { CHOSEN_TRANSPORT, MailFailed, MailRefused, type MailTransport } from './transport/mail-transport.js';

/** How often it polls for mails that were not announced: retries, and those that another process has not sent. */
const POLL_MS = 5_000;
/** A server may be slow with each reply, but not with all of them. */
const SEND_LIMIT_MS = 90_000;
/** How long a stopping process waits for a mail to be sent. */
const STOP_MS = 3_000;

/**
 * Sends the mails in the outbox. Any number of processes can do so in parallel; each mail is claimed by one of them,
 * and no transaction is open meanwhile. A slow mail occupies one of a few lanes, and delays no other.
 */
@Injectable()
export class MailWorker implements OnModuleDestroy {
  private readonly underWay = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private filling: Promise<void> | undefined;
  private wanted = false;
  private isStopping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @Inject(CHOSEN_TRANSPORT) private readonly transport: MailTransport | null,
    private readonly queue: OutboxQueue,
    private readonly composer: MailComposer,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
    private readonly log: Logger,
  ) {}

  /** Starts sending in the background. */
  start(): void {
    if (!this.transport) {
      this.log.warn('no mail server is set: mails wait in the outbox until SMTP_URL names one');
      return;
    }
    this.changes.on('outbox', () => void this.fill());
    void this.fill();
  }

  /** Sends what is due, and resolves when nothing is. */
  async run(): Promise<void> {
    await this.fill();
    while (this.underWay.size > 0) {
      await Promise.all(this.underWay);
      await this.fill();
    }
  }

  /** Before the database closes: the outcomes must still be stored. */
  async onModuleDestroy(): Promise<void> {
    const finished = this.finish();
    await Promise.race([finished, sleep(STOP_MS, undefined, { ref: false })]);
    this.stop.abort();
    await this.transport?.close();
    await finished;
  }

  private async finish(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.filling;
    await Promise.all(this.underWay);
  }

  /** Claims as many mails as there are free lanes. A request in the meantime makes it look once more. */
  private async fill(): Promise<void> {
    if (this.isStopping || !this.transport) return;
    this.wanted = true;
    this.filling ??= Promise.resolve().then(() => this.takeDue(this.transport!));
    await this.filling;
  }

  private async takeDue(transport: MailTransport): Promise<void> {
    clearTimeout(this.timer);
    try {
      while (this.wanted && !this.isStopping) {
        this.wanted = false;
        const free = LANES - this.underWay.size;
        if (free > 0) for (const mail of await this.queue.claim(free)) this.begin(transport, mail);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'cannot look for mails that are due');
    } finally {
      this.filling = undefined;
    }
    if (!this.isStopping) this.timer = setTimeout(() => void this.fill(), POLL_MS).unref();
  }

  private begin(transport: MailTransport, mail: ClaimedMail): void {
    // Detached from whatever announced the mail.
    confine(
      { giveUp: (error) => this.log.error({ err: error, mailId: mail.id }, 'defect: an error escaped from a mail') },
      () => {
        this.beginDelivery(transport, mail);
      },
    );
  }

  private beginDelivery(transport: MailTransport, mail: ClaimedMail): void {
    const delivery = this.deliver(transport, mail)
      // The outcome is unknown: it is sent again when the claim expires.
      .catch((error: unknown) =>
        this.log.error({ err: error, mailId: mail.id }, 'cannot write down what became of a mail'),
      )
      .finally(() => {
        this.underWay.delete(delivery);
        void this.fill();
      });
    this.underWay.add(delivery);
  }

  private async deliver(transport: MailTransport, mail: ClaimedMail): Promise<void> {
    if (mail.expiresAt !== null && mail.expiresAt <= this.clock.now()) {
      await this.giveUp(mail, `The code expired before the e-mail could be sent. ${mail.reason}`);
      return;
    }
    try {
      const outgoing = await this.composer.compose(mail);
      await transport.send(outgoing, AbortSignal.any([AbortSignal.timeout(SEND_LIMIT_MS), this.stop.signal]));
    } catch (error) {
      await this.fail(mail, error);
      return;
    }
    await this.queue.markSent(mail);
    this.log.debug({ mailId: mail.id, kind: mail.kind, tries: mail.tries }, 'mail sent');
  }

  private async fail(mail: ClaimedMail, error: unknown): Promise<void> {
    const { isForGood, reason } = toVerdict(error);
    if (isForGood || mail.tries >= MAX_TRIES) {
      await this.giveUp(mail, reason);
      return;
    }
    const retryInSeconds = delayAfter(mail.tries);
    await this.queue.postpone(mail, retryInSeconds, reason);
    // The server's reply may contain the recipient: it is for readers of the outbox, not for the log.
    const { id: mailId, kind, tries } = mail;
    this.log.warn(
      { mailId, kind, tries, retryInSeconds, ...(isExpected(error) ? {} : { err: error }) },
      'mail not sent',
    );
  }

  private async giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    await this.queue.giveUp(mail, reason);
    const { id: mailId, kind, tries } = mail;
    this.log.error({ mailId, kind, tries }, 'mail given up; ListMails says why');
  }
}

function toVerdict(error: unknown): { readonly isForGood: boolean; readonly reason: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof MailRefused) return { isForGood: true, reason: `The mail server rejected it: ${message}` };
  if (error instanceof MailFailed) return { isForGood: false, reason: message };
  if (error instanceof DomainError && error.reason === 'vault.unreadable') {
    return { isForGood: true, reason: 'The code was encrypted with a master key that is no longer known.' };
  }
  return { isForGood: false, reason: 'The e-mail could not be created; see the log of the service.' };
}

function isExpected(error: unknown): boolean {
  return error instanceof MailFailed;
}
