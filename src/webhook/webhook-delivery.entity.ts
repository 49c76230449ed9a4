import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Webhook } from './webhook.entity.js';

/**
 * `waiting`: to be delivered, or tried again; `delivered`: accepted; `dead`: given up, until a manager requests another
 * attempt; `withdrawn`: there is nothing to deliver any more.
 */
export type WebhookDeliveryState = 'waiting' | 'delivered' | 'dead' | 'withdrawn';

/** That one webhook must be told of one event. What it is told is read from the journal when it is delivered. */
@Entity('webhook_delivery')
@Index('webhook_delivery_webhook_id_position_key', ['webhookId', 'position'], { unique: true })
@Index('webhook_delivery_due_idx', ['webhookId', 'dueAt'], { where: "state = 'waiting'" })
@Index('webhook_delivery_settled_at_idx', ['settledAt'], { where: 'settled_at IS NOT NULL' })
@Index(['state', 'webhookId', 'id'])
@Index(['webhookId', 'id'])
export class WebhookDelivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @ForeignKey(() => Webhook, { onDelete: 'CASCADE' })
  @Column({ type: 'text' })
  webhookId!: string;

  /** Of the event in the journal. A decimal number. */
  @Column({ type: 'bigint' })
  position!: string;

  @Column({ type: 'text', default: 'waiting' })
  state!: WebhookDeliveryState;

  /** The number of attempts. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  /** Why it was not delivered, for managers. */
  @Column({ type: 'text', default: '' })
  reason!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  /** The time of the next attempt; during an attempt, the time when its worker counts as lost. */
  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** When it stopped waiting. */
  @Column({ type: 'timestamptz', nullable: true })
  settledAt!: Date | null;
}
