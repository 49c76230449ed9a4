import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/**
 * `init`: set an account up; `email`: verify an address; `password_reset`: choose a new password; `passkey`: add a
 * passkey.
 */
export type CodeKind = 'init' | 'email' | 'password_reset' | 'passkey';

/** A code that is mailed to a user and typed once. A new one of the same kind replaces it. */
@Entity('user_code')
export class UserCode {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: CodeKind;

  /** `v1.<key id>.<HMAC>`: six characters could be found by brute force from a plain digest. */
  @Column({ type: 'text' })
  codeHash!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** The number of attempts. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;
}
