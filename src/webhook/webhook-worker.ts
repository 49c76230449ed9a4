import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { smallRandomBytes } from '../foundation/crypto/random.js';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import { withoutIndex } from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { DeliveryLanes } from '../foundation/delivery/delivery-lanes.js';
import { Logger } from '../foundation/log/logger.js';
import { Tallies } from '../foundation/metrics/tallies.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { runningSpan } from '../foundation/trace/span.js';
import { Tracer } from '../foundation/trace/tracer.js';
import { type Addressee, Outbox } from '../user/outbox/outbox.js';
import { ActiveWebhooks } from './active-webhooks.js';
import { delayAfter, SECRET_UNREADABLE, type WebhookOutcome } from './webhook-attempt.js';
import { messageOf, WebhookCalls } from './webhook-calls.js';
import { type ClaimedDelivery, type ToldEvent, WebhookQueue, type WebhookTarget } from './webhook-queue.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { Webhooks } from './webhooks.js';

/** Calls at once, of all webhooks. */
const LANES = 20;
/** How long a stopping process waits for the calls that are under way. */
const STOP_MS = 2_000;
/** How long a webhook may go without a success before it is switched off. */
const SWITCHED_OFF_AFTER_SECONDS = 5 * seconds.perDay;
/** Deliveries in flight at once. */
const MOST_OWNERS = 20;

const OWNERS = statement(
  'webhook.owners',
  `SELECT u.id, u.org_id AS "orgId", u.email
   FROM member m
   JOIN user_account u ON u.id = m.user_id
   WHERE m.level = :level AND m.object_id = :ownerId AND :role = ANY (m.roles)
     AND ${withoutIndex('u.kind')} = 'human' AND ${withoutIndex('u.state')} = 'active' AND u.email_verified
   ORDER BY u.id
   LIMIT ${MOST_OWNERS}`,
).rows<Addressee>();

/** Calls the receivers of webhooks. */
@Injectable()
export class WebhookWorker implements OnModuleDestroy {
  private readonly stop = new AbortController();
  private readonly lanes: DeliveryLanes<ClaimedDelivery>;

  constructor(
    private readonly queue: WebhookQueue,
    private readonly calls: WebhookCalls,
    private readonly webhooks: Webhooks,
    private readonly secrets: WebhookSecrets,
    private readonly active: ActiveWebhooks,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly changes: ChangeChannel,
    private readonly tallies: Tallies,
    private readonly clock: Clock,
    private readonly log: Logger,
    tracer: Tracer,
  ) {
    const deliveries = {
      noun: 'webhook delivery' as const,
      lanes: LANES,
      claim: async (free: number, underWay: ReadonlySet<ClaimedDelivery>) => this.claim(free, underWay),
      deliver: async (delivery: ClaimedDelivery) => this.deliver(delivery),
      describe: ({ id, webhookId }: ClaimedDelivery) => ({ deliveryId: id, webhookId }),
    };
    this.lanes = new DeliveryLanes(deliveries, log, tracer);
  }

  /** Starts calling in the background; resolves when it has looked for what is due. */
  async start(): Promise<void> {
    this.changes.on('webhook-delivery', () => void this.lanes.fill());
    await this.lanes.fill();
  }

  /** Delivers what is due, and resolves when nothing is. */
  async run(): Promise<void> {
    await this.lanes.run();
  }

  /** Nest closes the database after this hook: the outcomes must still be stored. */
  async onModuleDestroy(): Promise<void> {
    await this.lanes.stop(STOP_MS, () => this.stop.abort());
  }

  private async claim(free: number, underWay: ReadonlySet<ClaimedDelivery>): Promise<ClaimedDelivery[]> {
    if (!(await this.active.any())) return [];
    return this.queue.claim(
      free,
      [...underWay].map(({ webhookId }) => webhookId),
    );
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    const found = await this.queue.load(delivery);
    if (!found) return; // Its row went with the webhook.
    if (found.state !== 'active') {
      await this.queue.settle(delivery, 'dead', 'The webhook is switched off.');
      return;
    }
    const outcome = await this.call(delivery, found);
    // The call was broken off by the end of this process: another one repeats it when the claim expires.
    if (outcome.kind !== 'accepted' && this.stop.signal.aborted) return;
    await this.record(delivery, found, outcome);
  }

  private async call(delivery: ClaimedDelivery, found: WebhookTarget & ToldEvent): Promise<WebhookOutcome> {
    const { id: webhookId, url, ownerId } = found;
    const secrets = this.secrets.open(found, this.clock.now());
    if (!secrets) return SECRET_UNREADABLE;
    const receiver = { webhookId, url, ownerId, secrets };
    return this.calls.call(receiver, messageOf(delivery.position, found), this.stop.signal);
  }

  private async record(delivery: ClaimedDelivery, target: WebhookTarget, outcome: WebhookOutcome): Promise<void> {
    this.tallies.add('webhookCalls', outcome.kind);
    if (outcome.kind === 'accepted') {
      await this.queue.markDelivered(delivery);
      await this.queue.note(target.id, true);
      return;
    }
    runningSpan()?.fail(outcome.kind);
    await this.queue.note(target.id, false);
    await this.postponeOrGiveUp(delivery, outcome);
    if (outcome.kind === 'gone') await this.switchOff(target, 'gone');
    else if (this.hasFailedForLong(target)) await this.switchOff(target, 'failing');
  }

  private async postponeOrGiveUp(
    delivery: ClaimedDelivery,
    outcome: Exclude<WebhookOutcome, { kind: 'accepted' }>,
  ): Promise<void> {
    const { id: deliveryId, webhookId, tries } = delivery;
    const { reason } = outcome;
    const random = smallRandomBytes(1).readUInt8() / 255;
    const retryInSeconds = outcome.kind === 'failed' ? delayAfter(tries, random, outcome.pauseSeconds) : undefined;
    if (retryInSeconds === undefined) {
      await this.queue.settle(delivery, 'dead', reason);
      this.log.warn({ deliveryId, webhookId, tries }, 'webhook delivery given up; ListWebhookDeliveries says why');
    } else {
      await this.queue.postpone(delivery, retryInSeconds, reason);
      this.log.info({ deliveryId, webhookId, tries, retryInSeconds }, 'webhook delivery failed');
    }
  }

  private hasFailedForLong({ failingSince }: WebhookTarget): boolean {
    return failingSince !== null && secondsAfter(failingSince, SWITCHED_OFF_AFTER_SECONDS) <= this.clock.now();
  }

  /** Switches it off with an event and a mail to the owners, who would otherwise wait for calls that never come. */
  private async switchOff(target: WebhookTarget, reason: 'gone' | 'failing'): Promise<void> {
    const { id: webhookId, level, ownerId, url } = target;
    await this.database.transaction(async (tx) => {
      if (!(await this.webhooks.giveUp(tx, webhookId, reason))) return;
      const role = level === 'org' ? 'ORG_OWNER' : 'IAM_OWNER';
      const details = { about: new URL(url).host };
      for (const to of await tx.query(OWNERS, { level, ownerId, role }))
        await this.outbox.add(tx, { kind: 'webhookNotice', to, details });
    });
    this.log.warn({ webhookId, why: reason }, 'webhook switched off');
  }
}
