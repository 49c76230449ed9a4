import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from './user.entity.js';

/** `init`: to set an account up; `email`: to prove an address; `password_reset`: to choose a new password. */
export type CodeKind = 'init' | 'email' | 'password_reset';

/** A code that a person gets by mail and types once. A new one of the same kind replaces it. */
@Entity('user_code')
export class UserCode {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  kind!: CodeKind;

  /** `v1.<key id>.<HMAC>`: six characters are few enough to be tried out by whoever holds a plain digest. */
  @Column({ type: 'text' })
  codeHash!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** How often it was tried. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;
}
