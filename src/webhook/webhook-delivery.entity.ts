import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { Delivery } from '../foundation/delivery/delivery.js';
import { Webhook } from './webhook.entity.js';

/** The duty to tell one webhook of one event. What it is told is read from the journal when it is delivered. */
@Entity('webhook_delivery')
@Index('webhook_delivery_webhook_id_position_key', ['webhookId', 'position'], { unique: true })
@Index('webhook_delivery_due_idx', ['webhookId', 'dueAt'], { where: "state = 'waiting'" })
@Index('webhook_delivery_done_idx', ['settledAt'], { where: "state IN ('delivered', 'withdrawn')" })
@Index('webhook_delivery_dead_idx', ['settledAt'], { where: "state = 'dead'" })
@Index(['state', 'webhookId', 'id'])
@Index(['webhookId', 'id'])
export class WebhookDelivery extends Delivery {
  @ForeignKey(() => Webhook, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  webhookId!: string;

  /** The position of the event in the journal, a decimal number. */
  @Column({ type: 'bigint' })
  position!: string;
}
