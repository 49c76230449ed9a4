import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import { DeliveryLanes } from '../foundation/delivery/delivery-lanes.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Logger } from '../foundation/log/logger.js';
import { Clock } from '../foundation/time/clock.js';
import { TimeLimit } from '../foundation/time/time-limit.js';
import { errorType, runningSpan } from '../foundation/trace/span.js';
import { Tracer } from '../foundation/trace/tracer.js';
import { type ClaimedMail, LANES, OutboxQueue } from '../user/outbox/outbox-queue.js';
import { delayAfter, MAX_TRIES } from './back-off.js';
import { MailComposer } from './mail-composer.js';
import { MailFailed, MailRefused } from './transport/mail-transport.js';
import { SmtpFailed } from './transport/smtp.transport.js';
import { TransportInUse } from './transport/transport-in-use.js';

/** A server may be slow with each reply, but not with all of them. */
const SEND_LIMIT_MS = 90_000;
/** How long a stopping process waits for a mail to be sent. */
const STOP_MS = 3_000;

/** Sends the mails in the outbox. */
@Injectable()
export class MailWorker implements OnModuleDestroy {
  private readonly stop = new AbortController();
  private readonly lanes: DeliveryLanes<ClaimedMail>;

  constructor(
    private readonly inUse: TransportInUse,
    private readonly queue: OutboxQueue,
    private readonly composer: MailComposer,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
    private readonly log: Logger,
    tracer: Tracer,
  ) {
    const deliveries = {
      noun: 'mail' as const,
      lanes: LANES,
      claim: async (free: number) => ((await this.inUse.isThere()) ? this.queue.claim(free) : []),
      deliver: async (mail: ClaimedMail) => this.deliver(mail),
      describe: ({ id }: ClaimedMail) => ({ mailId: id }),
    };
    this.lanes = new DeliveryLanes(deliveries, log, tracer);
  }

  /** Starts sending in the background; resolves when it has looked for what is due. */
  async start(): Promise<void> {
    if (!(await this.inUse.isThere()))
      this.log.warn('no mail server is set: mails wait in the outbox until SMTP_URL or ActivateSMTPConfig names one');
    this.changes.on('outbox', () => void this.lanes.fill());
    this.changes.on('mail-server', () => void this.lanes.fill());
    await this.lanes.fill();
  }

  /** Sends what is due, and resolves when nothing is. */
  async run(): Promise<void> {
    await this.lanes.run();
  }

  /** Nest closes the database after this hook: the outcomes must still be stored. */
  async onModuleDestroy(): Promise<void> {
    await this.lanes.stop(STOP_MS, async () => {
      this.stop.abort();
      await this.inUse.close();
    });
  }

  private async deliver(mail: ClaimedMail): Promise<void> {
    if (mail.expiresAt !== null && mail.expiresAt <= this.clock.now()) {
      await this.giveUp(mail, `The code expired before the e-mail could be sent. ${mail.reason}`);
      return;
    }
    try {
      const composed = await this.composer.compose(mail);
      const way = await this.inUse.find();
      if (!way) throw new MailFailed('No mail server is set any more.');
      using limit = new TimeLimit(SEND_LIMIT_MS);
      const signal = AbortSignal.any([limit.signal, this.stop.signal]);
      await way.transport.send({ ...composed, from: way.sender }, signal);
    } catch (error) {
      await this.fail(mail, error);
      return;
    }
    await this.queue.markSent(mail);
    this.log.debug({ mailId: mail.id, kind: mail.kind, tries: mail.tries }, 'mail sent');
  }

  private async fail(mail: ClaimedMail, error: unknown): Promise<void> {
    runningSpan()?.fail(errorType(error));
    const { isForGood, reason } = toVerdict(error);
    if (isForGood || mail.tries >= MAX_TRIES) {
      await this.giveUp(mail, reason);
      return;
    }
    const retryInSeconds = delayAfter(mail.tries);
    await this.queue.postpone(mail, retryInSeconds, reason);
    // The server's reply may contain the recipient: it is for readers of the outbox, not for the log.
    const { id: mailId, kind, tries } = mail;
    this.log.warn({ mailId, kind, tries, retryInSeconds, ...factsOf(error) }, 'mail not sent');
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
    return { isForGood: true, reason: 'The code cannot be decrypted.' };
  }
  // The key may be known elsewhere: a new master key is brought to the processes one by one.
  if (error instanceof DomainError && error.reason === 'vault.key_unknown') {
    return { isForGood: false, reason: 'The code was encrypted with a master key that the process does not have.' };
  }
  return { isForGood: false, reason: 'The e-mail could not be created; see the log of the service.' };
}

function factsOf(error: unknown): object {
  if (error instanceof SmtpFailed) return error.facts;
  return error instanceof MailFailed ? {} : { err: error };
}
