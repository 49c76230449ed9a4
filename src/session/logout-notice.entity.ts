import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * `waiting`: to be delivered, or tried again; `delivered`: accepted by the application; `dead`: given up, until a
 * manager requests another attempt; `withdrawn`: the application is gone, or wants no notices any more.
 */
export type LogoutNoticeState = 'waiting' | 'delivered' | 'dead' | 'withdrawn';

/**
 * That one application must be told of the end of one session. Written by the transaction that ends the session, and
 * without a foreign key to it or to its user, since it also tells of their removal. The logout token is made when the
 * notice is delivered.
 */
@Entity('logout_notice')
@Index('logout_notice_session_id_client_id_key', ['sessionId', 'clientId'], { unique: true })
@Index('logout_notice_due_idx', ['clientId', 'dueAt'], { where: "state = 'waiting'" })
@Index('logout_notice_settled_at_idx', ['settledAt'], { where: 'settled_at IS NOT NULL' })
@Index(['state', 'id'])
@Index(['clientId', 'id'])
export class LogoutNotice {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  sessionId!: string;

  @Column({ type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'bigint' })
  clientEpoch!: string;

  @Column({ type: 'text', default: 'waiting' })
  state!: LogoutNoticeState;

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
