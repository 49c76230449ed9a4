import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../user/user.entity.js';

/** One person signed in in one browser. `id` is the `sid` of tokens. */
@Entity('session')
@Index('session_browser_user_key', ['browserId', 'userId'], { unique: true, where: 'ended_at IS NULL' })
@Index(['userId'])
@Index('session_password_checked_at_idx', ['passwordCheckedAt'], { where: 'ended_at IS NULL' })
@Index('session_ended_at_idx', ['endedAt'], { where: 'ended_at IS NOT NULL' })
export class Session {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  browserId!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'timestamptz' })
  createdAt!: Date;

  /** When the password was last checked in this session. */
  @Column({ type: 'timestamptz', nullable: true })
  passwordCheckedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
