import { Column, Entity, Index } from 'typeorm';
import { Delivery } from '../foundation/delivery/delivery.js';

/**
 * That one application must be told of the end of one session. Written by the transaction that ends the session, and
 * without a foreign key to it or to its user, since it also tells of their removal. The logout token is made when the
 * notice is delivered. It is withdrawn if the application is gone, or no longer wants notices.
 */
@Entity('logout_notice')
@Index('logout_notice_session_id_client_id_key', ['sessionId', 'clientId'], { unique: true })
@Index('logout_notice_due_idx', ['clientId', 'dueAt'], { where: "state = 'waiting'" })
@Index('logout_notice_done_idx', ['settledAt'], { where: "state IN ('delivered', 'withdrawn')" })
@Index('logout_notice_dead_idx', ['settledAt'], { where: "state = 'dead'" })
@Index('logout_notice_dead_of_client_idx', ['clientId', 'id'], { where: "state = 'dead'" })
@Index(['state', 'id'])
@Index(['clientId', 'id'])
export class LogoutNotice extends Delivery {
  @Column({ type: 'text' })
  sessionId!: string;

  @Column({ type: 'text' })
  userId!: string;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'bigint' })
  clientEpoch!: string;
}
