import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many people of an organization have a hash of one setting. */
@Entity('password_mix')
export class PasswordMixRow {
  /** Empty: of all of them. */
  @PrimaryColumn({ type: 'text' })
  orgId!: string;

  /** As `settingOf` reads it. Empty: everybody with a password, of whatever setting. */
  @PrimaryColumn({ type: 'text' })
  setting!: string;

  /** How many there were at most. */
  @Column({ type: 'integer' })
  brought!: number;

  /** How many there are still: the hashes of those who have signed in are our own. */
  @Column({ type: 'integer' })
  remaining!: number;
}

/** The one row about the counting itself. */
@Entity('password_mix_count')
export class PasswordMixCount {
  @PrimaryColumn({ type: 'boolean', default: true })
  isOnly!: boolean;

  /** Under which names are made into decoys: kept, so that a name has the same one in each process, now and later. */
  @Column({ type: 'bytea' })
  decoyKey!: Buffer;

  @Column({ type: 'timestamptz' })
  countedAt!: Date;

  @Column({ type: 'double precision' })
  tookMs!: number;
}
