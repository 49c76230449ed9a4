import { Column, PrimaryGeneratedColumn } from 'typeorm';

/**
 * `waiting`: to be delivered, or tried again; `delivered`: accepted by the receiver; `dead`: given up, until a manager
 * requests another attempt; `withdrawn`: there is nothing to deliver any more.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'dead' | 'withdrawn';

/** A row that waits for its delivery, as every table of a `DeliveryQueue` has it. */
export abstract class Delivery {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text', default: 'waiting' })
  state!: DeliveryState;

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
