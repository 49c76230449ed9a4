import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { SecondFactor } from '../../org/policy/login-policy.entity.js';
import { User } from '../user.entity.js';

/**
 * A user has any number of these, each with its row of `auth_key`. `passkey`: found without a login name, and proves
 * the user as well. `u2f`: a security key, which is asked for besides another proof.
 */
export type KeyKind = 'passkey' | Extract<SecondFactor, 'u2f'>;
/** A user has at most one of each of these. */
export type SoleFactorKind = Extract<SecondFactor, 'otp' | 'otp_email' | 'recovery_codes'>;
/** The kinds that users can set up here. */
export type FactorKind = SoleFactorKind | KeyKind;

/** `pending`: being set up in one session; it does not count until its owner has proved possession. */
export type FactorState = 'pending' | 'ready';

/** What a user proves besides a password. */
@Entity('auth_factor')
@Index('auth_factor_user_kind_key', ['userId', 'kind'], {
  unique: true,
  where: "kind IN ('otp', 'otp_email', 'recovery_codes')",
})
@Index(['userId'])
@Index('auth_factor_pending_idx', ['createdAt'], { where: "state = 'pending'" })
export class AuthFactor {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'text' })
  kind!: FactorKind;

  @Column({ type: 'text', default: 'pending' })
  state!: FactorState;

  /**
   * The session in which a pending one is set up, so that no user continues with a seed that another person has seen;
   * over the API, the sign-in of the token, which no page continues. And the session in which the latest code was
   * requested. Recovery codes have none: they are not stored before they are confirmed.
   */
  @Column({ type: 'text', nullable: true })
  sessionId!: string | null;

  /** Seed of time-based codes, sealed. */
  @Column({ type: 'text', nullable: true })
  secret!: string | null;

  /** The last time step whose code was accepted: each is valid once (RFC 6238 §5.2). A decimal number. */
  @Column({ type: 'bigint', nullable: true })
  lastStep!: string | null;

  /**
   * `v1.<key id>.<HMAC>` of the code that was mailed: eight digits could be found by brute force from a plain digest.
   */
  @Column({ type: 'text', nullable: true })
  codeHash!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  codeExpiresAt!: Date | null;

  /** The number of attempts at that code. */
  @Column({ type: 'integer', default: 0 })
  codeTries!: number;

  /** Unused recovery codes: PHC strings. */
  @Column({ type: 'text', array: true, default: () => "'{}'" })
  recoveryHashes!: string[];

  @Column({ type: 'timestamptz' })
  createdAt!: Date;
}
