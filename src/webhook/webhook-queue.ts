import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { DeliveryQueue, deliveryStatements } from '../foundation/delivery/delivery-queue.js';
import { Clock } from '../foundation/time/clock.js';
import { Webhook } from './webhook.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** How many calls one webhook gets at once from one process. */
export const CALLS_PER_WEBHOOK = 4;

const CLAIMED_PROPERTIES = ['id', 'webhookId', 'position', 'tries'] as const;

/** A delivery claimed by a worker. */
export type ClaimedDelivery = Pick<WebhookDelivery, (typeof CLAIMED_PROPERTIES)[number]>;

const DELIVERIES = {
  table: 'webhook_delivery',
  entity: WebhookDelivery,
  receiver: 'webhook_id',
  ownerOf: (webhookId: string) => `(SELECT o.owner_id FROM webhook o WHERE o.id = ${webhookId})`,
  claimed: CLAIMED_PROPERTIES,
  perReceiver: CALLS_PER_WEBHOOK,
  claimSeconds: 60,
  deliveredDays: 1,
  failedDays: 30,
} as const;

const STATEMENTS = deliveryStatements(DELIVERIES);

/** Gives up the waiting deliveries of a webhook that is switched off. */
export const GIVE_UP_WAITING = statement(
  'webhook_delivery.give_up_waiting',
  `UPDATE webhook_delivery SET state = 'dead', reason = :reason, settled_at = :now
   WHERE webhook_id = :webhookId AND state = 'waiting'`,
);

const TARGET_PROPERTIES = [
  'id',
  'ownerId',
  'level',
  'url',
  'state',
  'secret',
  'formerSecret',
  'formerUntil',
  'failingSince',
] as const;

/** The target of a delivery, as it is at this moment. */
export type WebhookTarget = Pick<Webhook, (typeof TARGET_PROPERTIES)[number]>;

/** The event that a delivery tells. */
export interface ToldEvent {
  readonly eventType: string;
  readonly at: Date;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly sequence: string;
  readonly orgId: string;
  readonly editorId: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const LOAD = statement(
  'webhook_delivery.load',
  `SELECT ${columnsOf(Webhook, 'w', TARGET_PROPERTIES)},
     e.type AS "eventType", e.created_at AS at, e.aggregate_type AS "aggregateType", e.aggregate_id AS "aggregateId",
     e.sequence, e.org_id AS "orgId", e.editor_id AS "editorId", e.payload
   FROM webhook w
   JOIN event e ON e.position = :position::bigint
   WHERE w.id = :webhookId`,
).rows<WebhookTarget & ToldEvent>();

const SUCCEEDED = statement(
  'webhook.succeeded',
  'UPDATE webhook SET failing_since = NULL WHERE id = :id AND failing_since IS NOT NULL',
);

const FAILED = statement(
  'webhook.failed',
  'UPDATE webhook SET failing_since = :now WHERE id = :id AND failing_since IS NULL',
);

/** The deliveries as workers see them. */
@Injectable()
export class WebhookQueue extends DeliveryQueue<ClaimedDelivery> {
  constructor(database: Database, clock: Clock) {
    super(database, clock, STATEMENTS, DELIVERIES);
  }

  /** The event and its receiver; undefined if the webhook was removed meanwhile. */
  async load({ webhookId, position }: ClaimedDelivery): Promise<(WebhookTarget & ToldEvent) | undefined> {
    const [row] = await this.database.query(LOAD, { webhookId, position });
    return row;
  }

  /** Remembers since when a webhook has failed, or that it no longer does. */
  async note(id: string, hasSucceeded: boolean): Promise<void> {
    if (hasSucceeded) await this.database.query(SUCCEEDED, { id });
    else await this.database.query(FAILED, { id, now: this.clock.now() });
  }
}
