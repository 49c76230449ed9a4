import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/** An address that is to take the place of a user's, once the code that was sent there is typed. The newest only. */
@Entity('pending_email')
@Index(['expiresAt'])
export class PendingEmail {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'text' })
  email!: string;

  /** `v1.<key id>.<HMAC>`: six characters could be found by brute force from a plain digest. */
  @Column({ type: 'text' })
  codeHash!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** The number of attempts. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;
}
