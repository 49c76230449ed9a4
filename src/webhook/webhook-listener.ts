import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import type { Transaction } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { PUBLIC_EVENTS } from '../foundation/event/catalogue.js';
import { EventDispatcher } from '../foundation/event/event-dispatcher.js';
import { EXT_TYPES, type FeedEvent } from '../foundation/event/event-feed.js';
import type { FeedListener } from '../foundation/event/feed-listener.js';
import { Clock } from '../foundation/time/clock.js';
import { InstanceService } from '../org/instance/instance.service.js';
import { ActiveWebhooks } from './active-webhooks.js';
import { WEBHOOK_CURSOR } from './webhooks.js';

/**
 * A webhook of the instance is told of every event of its types, one of an organization of those of the organization.
 */
const QUEUE = statement(
  'webhook_delivery.queue',
  `INSERT INTO webhook_delivery (webhook_id, position, created_at, due_at)
   SELECT
     w.id,
     e.position,
     :now::timestamptz,
     :now::timestamptz
   FROM event e
   JOIN webhook w ON w.owner_id = ANY (ARRAY[e.org_id, :instanceId::text])
   WHERE e.position = ANY (:positions::bigint[]) AND w.state = 'active' AND e.type = ANY (w.types)
     AND e.created_at >= w.since
   ORDER BY e.position
   ON CONFLICT (webhook_id, position) DO NOTHING
   RETURNING 1`,
);

/** Queues what webhooks must be told of, in the transaction that moves the cursor: each event once for each of them. */
@Injectable()
export class WebhookListener implements FeedListener, OnModuleInit {
  readonly name = WEBHOOK_CURSOR;
  /**
   * All types of extensions are included: a process without the extension must not skip events that webhooks receive.
   */
  readonly types = [...PUBLIC_EVENTS.map(({ type }) => type), EXT_TYPES];
  readonly parks = false;

  constructor(
    private readonly dispatcher: EventDispatcher,
    private readonly active: ActiveWebhooks,
    private readonly instances: InstanceService,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.dispatcher.add(this);
  }

  async isAwake(): Promise<boolean> {
    return this.active.any();
  }

  async hear(tx: Transaction, events: readonly FeedEvent[]): Promise<void> {
    const { id: instanceId } = await this.instances.get();
    const positions = events.map(({ position }) => position);
    const queued = await tx.query(QUEUE, { positions, instanceId, now: this.clock.now() });
    if (queued.length > 0) this.changes.announceHere(tx, 'webhook-delivery', EVERYTHING);
  }
}
