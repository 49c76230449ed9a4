import { Injectable } from '@nestjs/common';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { equals } from '../foundation/database/condition.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { Listing, type Page } from '../foundation/database/listing.js';
import { allowLongWork } from '../foundation/database/long-work.js';
import { statement } from '../foundation/database/statement.js';
import type { DeliveryState } from '../foundation/delivery/delivery.js';
import { type EventMark, Journal } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import type { Webhook } from './webhook.entity.js';
import { webhookDeliveryNotFound, webhookNotActive, webhookNotFound } from './webhook.errors.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';
import { webhookEvent } from './webhook-rules.js';

/** How many events one replay queues, besides those of the same moment as the last one; a larger one is continued. */
export const MOST_REPLAYED = 10_000;

const ENTRY_PROPERTIES = ['id', 'state', 'tries', 'reason', 'createdAt', 'dueAt', 'settledAt'] as const;

/** A delivery as managers see it. */
export type WebhookDeliveryEntry = Pick<WebhookDelivery, (typeof ENTRY_PROPERTIES)[number]> & {
  readonly eventId: string;
  readonly eventType: string;
};

/** Ids are numbered in the order of creation. Exported for the test of its plans. */
export const LISTING = new Listing<WebhookDeliveryEntry, 'createdAt'>({
  select: `${columnsOf(WebhookDelivery, 'd', ENTRY_PROPERTIES)}, 'evt_' || d.position AS "eventId", e.type AS "eventType"`,
  from: 'webhook_delivery d',
  joins: 'JOIN event e ON e.position = d.position',
  key: 'd.id',
  sort: { createdAt: 'd.id' },
});

/**
 * Keeps the webhook until the transaction ends: it can be neither switched off nor removed. Notes about its calls need
 * not wait.
 */
const KEEP = statement(
  'webhook.keep',
  `SELECT state
   FROM webhook
   WHERE id = :id
   FOR KEY SHARE`,
).rows<Pick<Webhook, 'state'>>();

const HOLD = statement(
  'webhook_delivery.hold',
  `SELECT state, reason, position
   FROM webhook_delivery
   WHERE id = :id AND webhook_id = :webhookId
   FOR UPDATE`,
).rows<Pick<WebhookDelivery, 'state' | 'reason' | 'position'>>();

const RETRY = statement(
  'webhook_delivery.retry',
  `UPDATE webhook_delivery SET state = 'waiting', tries = 0, reason = '', due_at = :now, settled_at = NULL
   WHERE id = :id`,
);

/** Deliveries that wait already are left as they are. */
const AGAIN = `ON CONFLICT (webhook_id, position) DO UPDATE SET
     state = 'waiting', tries = 0, reason = '', due_at = excluded.due_at, settled_at = NULL
     WHERE webhook_delivery.state <> 'waiting'`;

interface Replayed {
  readonly from: Date;
  readonly types: readonly string[];
  readonly webhookId: string;
  readonly now: Date;
}

/**
 * The oldest events first, and all of the last moment, so that a replay that was cut can be continued after it: one
 * statement that removes a large organization writes more than one replay takes, all of the same moment.
 */
function replaySql(condition: string): string {
  return `WITH wanted AS MATERIALIZED (
      SELECT e.position, e.created_at
      FROM event e
      WHERE e.created_at >= :from::timestamptz AND e.type = ANY (:types::text[])${condition}
      ORDER BY e.created_at
      FETCH FIRST ${MOST_REPLAYED} ROWS WITH TIES),
    queued AS (
      INSERT INTO webhook_delivery (webhook_id, position, created_at, due_at)
      SELECT
        :webhookId::text,
        w.position,
        :now::timestamptz,
        :now::timestamptz
      FROM wanted w
      ORDER BY w.position
      ${AGAIN})
    SELECT count(*)::int AS count, date_trunc('milliseconds', max(created_at)) + interval '1 millisecond' AS "after"
    FROM wanted`;
}

const REPLAY = statement<Replayed>('webhook_delivery.replay', replaySql('')).rows<Found>();
const REPLAY_OF_ORG = statement<Replayed & { orgId: string }>(
  'webhook_delivery.replay_of_org',
  replaySql(' AND e.org_id = :orgId::text'),
).rows<Found>();

interface Found {
  readonly count: number;
  /** The moment after that of the last one. */
  readonly after: Date | null;
}

/** Ids are numbers in the database, and nothing else can be one. */
const ID = /^\d{1,18}$/;

/** The result of a replay. */
export interface Replay {
  readonly count: number;
  /** The moment at which to continue, if there was more. */
  readonly next: Date | undefined;
  readonly mark: EventMark;
}

/** The deliveries of a webhook for its managers, who have found the webhook among those of its owner. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /** Lists deliveries in the order of their creation. */
  async list(
    { id }: Webhook,
    state: DeliveryState | undefined,
    range: { offset: bigint; limit: number; ascending: boolean },
  ): Promise<Page<WebhookDeliveryEntry>> {
    const where = [equals('d.webhook_id', id), ...(state === undefined ? [] : [equals('d.state', state)])];
    return LISTING.page(this.database, { ...range, sortBy: 'createdAt', where });
  }

  /**
   * Makes a delivery due now, with as many attempts as a new one; one that was accepted is delivered again.
   * @throws DomainError NotFound `webhook.not_found`, `webhook.delivery_not_found`; FailedPrecondition
   * `webhook.not_active`
   */
  async retry(webhook: Webhook, id: string, editorId: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.keepActive(tx, webhook);
      const [delivery] = ID.test(id) ? await tx.query(HOLD, { id, webhookId: webhook.id }) : [];
      if (!delivery) throw webhookDeliveryNotFound();
      // A waiting delivery without a failure is under way already, and would be made twice.
      if (delivery.state !== 'waiting' || delivery.reason !== '') {
        await tx.query(RETRY, { id, now: this.clock.now() });
        await this.changes.announce(tx, 'webhook-delivery', EVERYTHING);
      }
      const payload = { eventId: `evt_${delivery.position}` };
      return this.journal.append(tx, webhookEvent(webhook, 'delivery.retried', editorId, payload));
    });
  }

  /**
   * Queues every event of its types since a time once more, those that were accepted among them.
   * @throws DomainError NotFound `webhook.not_found`; FailedPrecondition `webhook.not_active`
   */
  async replay(webhook: Webhook, from: Date, editorId: string): Promise<Replay> {
    return this.database.transaction((tx) => this.replayWithin(tx, webhook, from, editorId));
  }

  /** Like `replay`, within the transaction of the caller. */
  async replayWithin(tx: Transaction, webhook: Webhook, from: Date, editorId: string): Promise<Replay> {
    await allowLongWork(tx);
    await this.keepActive(tx, webhook);
    const { id: webhookId, ownerId, level, types } = webhook;
    const wanted = { from, types, webhookId, now: this.clock.now() };
    const [found] =
      level === 'org' ? await tx.query(REPLAY_OF_ORG, { ...wanted, orgId: ownerId }) : await tx.query(REPLAY, wanted);
    const { count, after } = found!;
    await this.changes.announce(tx, 'webhook-delivery', EVERYTHING);
    const payload = { from: from.toISOString(), events: count };
    const mark = await this.journal.append(tx, webhookEvent(webhook, 'replayed', editorId, payload));
    return { count, next: count >= MOST_REPLAYED && after !== null ? after : undefined, mark };
  }

  /** Checks in this transaction: another one may have switched the webhook off, or removed it, since it was read. */
  private async keepActive(tx: Transaction, { id }: Webhook): Promise<void> {
    const [now] = await tx.query(KEEP, { id });
    if (!now) throw webhookNotFound();
    if (now.state !== 'active') throw webhookNotActive();
  }
}
