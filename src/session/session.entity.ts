import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../user/user.entity.js';

/** A user signed in in a browser. `id` is the `sid` of tokens. */
@Entity('session')
@Index('session_browser_user_key', ['browserId', 'userId'], { unique: true, where: 'ended_at IS NULL' })
@Index(['userId', 'createdAt', 'id'])
// An index with an expression, which decorators cannot declare: see schema/tables.
@Index('session_proved_at_idx', { synchronize: false })
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

  /** When an identity provider last signed the user in in this session. */
  @Column({ type: 'timestamptz', nullable: true })
  externalCheckedAt!: Date | null;

  /**
   * When the user last proved there who they are: a provider may also sign users in from a session of its own
   * (`momentOfProof`).
   */
  @Column({ type: 'timestamptz', nullable: true })
  externalProvedAt!: Date | null;

  /** The provider that last signed the user in. */
  @Column({ type: 'text', nullable: true })
  externalIdpId!: string | null;

  /** When the user last signed in with a passkey in this session. */
  @Column({ type: 'timestamptz', nullable: true })
  passkeyCheckedAt!: Date | null;

  /** When a second factor was last checked in this session. */
  @Column({ type: 'timestamptz', nullable: true })
  factorCheckedAt!: Date | null;

  /** The kind of the checked second factor; null for a code. */
  @Column({ type: 'text', nullable: true })
  factorKind!: 'u2f' | null;

  @Column({ type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}
