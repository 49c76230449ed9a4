import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';

/** `inactive`: switched off, by a manager or because nothing could be delivered. */
export type WebhookState = 'active' | 'inactive';

/** Why a webhook is inactive. `gone`: it has responded with 410; `failing`: for days every delivery has failed. */
export type InactiveReason = '' | 'requested' | 'gone' | 'failing';

/** An address that is told of events: of the whole instance, or of one organization. */
@Entity('webhook')
@Index(['ownerId', 'id'])
@Index(['state'])
export class Webhook extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** An organization's id, or the instance's. */
  @Column({ type: 'text' })
  ownerId!: string;

  @Column({ type: 'text' })
  level!: 'instance' | 'org';

  @Column({ type: 'text' })
  url!: string;

  /** The types of events, of the catalogue. */
  @Column({ type: 'text', array: true })
  types!: string[];

  @Column({ type: 'text', default: 'active' })
  state!: WebhookState;

  @Column({ type: 'text', default: '' })
  reason!: InactiveReason;

  /** The secret, sealed like the former one. */
  @Column({ type: 'text' })
  secret!: string;

  @Column({ type: 'text', nullable: true })
  formerSecret!: string | null;

  /** The moment until which both secrets sign. */
  @Column({ type: 'timestamptz', nullable: true })
  formerUntil!: Date | null;

  /** The moment when it was added or switched on: what happened before is not delivered, unless it is replayed. */
  @Column({ type: 'timestamptz' })
  since!: Date;

  /** The first failure since the last success. */
  @Column({ type: 'timestamptz', nullable: true })
  failingSince!: Date | null;
}
