import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One line of the journal. Written once, never changed. */
@Entity('event')
// Unique, over `aggregate_type || '/' || aggregate_id` and the sequence: see `lastSequenceSql`.
@Index('event_aggregate_type_aggregate_id_sequence_key', { synchronize: false })
@Index(['orgId', 'position'])
@Index(['editorId', 'position'])
@Index(['type', 'position'])
@Index(['aggregateType', 'position'])
@Index(['aggregateId', 'position'])
@Index(['createdAt'])
// Refused sign-ins of a user, by an expression: see schema/tables.
@Index('event_refused_sign_in_idx', { synchronize: false })
@Index(['orgId', 'type', 'position'])
@Index(['orgId', 'aggregateType', 'position'])
@Index('event_late_sequence_idx', ['sequence', 'position'], { where: 'sequence > 10' })
@Index(['tx', 'position'])
export class Event {
  /**
   * Order of insertion. Transactions do not commit in this order: alone it is no cursor for reactions; see `EventFeed`.
   */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  position!: string;

  @Column({ type: 'text' })
  aggregateType!: string;

  @Column({ type: 'text' })
  aggregateId!: string;

  @Column({ type: 'bigint' })
  sequence!: string;

  /** `{aggregate}.{what happened}`: `user.human.added`. */
  @Column({ type: 'text' })
  type!: string;

  /** What changed; never a secret. */
  @Column({ type: 'jsonb', default: () => "'{}'" })
  payload!: Record<string, unknown>;

  /** The user who did it; `system` for the service itself. */
  @Column({ type: 'text' })
  editorId!: string;

  /** The owning organization, or the instance id. */
  @Column({ type: 'text' })
  orgId!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  /**
   * The transaction that appended it, by PostgreSQL's number; 0 for events from before there was a feed. The default is
   * as TypeORM reads it from the schema: without casts.
   */
  @Column({ type: 'bigint', default: () => '((pg_current_xact_id()))' })
  tx!: string;
}
