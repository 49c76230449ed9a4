import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Session } from './session.entity.js';

/**
 * An application that a user is signed in to through a session, and that wants to know when the session ends
 * (OpenID Connect Back-Channel Logout 1.0 §2.3). Others have no row.
 */
@Entity('session_client')
export class SessionClient {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Session, { onDelete: 'CASCADE' })
  sessionId!: string;

  /** The client id, under which the application is looked up when it is told. */
  @PrimaryColumn({ type: 'text' })
  clientId!: string;

  /** Distinguishes applications that have had this client id one after another. */
  @Column({ type: 'bigint' })
  clientEpoch!: string;
}
