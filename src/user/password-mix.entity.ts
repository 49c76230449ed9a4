import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/** How many users of an organization have a hash with a given setting. */
@Entity('password_mix')
export class PasswordMixRow {
  /** Empty for all organizations. */
  @PrimaryColumn({ type: 'text' })
  orgId!: string;

  /** As returned by `settingOf`. Empty for all users with a password, whatever the setting. */
  @PrimaryColumn({ type: 'text' })
  setting!: string;

  /** The highest count so far. */
  @Column({ type: 'integer' })
  brought!: number;

  /** The current number: hashes of users who have signed in are replaced by our own. */
  @Column({ type: 'integer' })
  remaining!: number;
}

/** A single row about the counting itself. */
@Entity('password_mix_count')
@Check('password_mix_count_is_only_check', 'is_only')
export class PasswordMixCount {
  @PrimaryColumn({ type: 'boolean', default: true })
  isOnly!: boolean;

  /**
   * The key that assigns a decoy to a name: stored, so that a name has the same decoy in each process and at any time.
   */
  @Column({ type: 'bytea' })
  decoyKey!: Buffer;

  @Column({ type: 'timestamptz' })
  countedAt!: Date;

  @Column({ type: 'double precision' })
  tookMs!: number;
}
