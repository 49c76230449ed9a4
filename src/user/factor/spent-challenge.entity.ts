import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge that was answered: it proves nothing again. Challenges that are not answered have no row. */
@Entity('spent_challenge')
@Index('spent_challenge_expires_at_idx', ['expiresAt'])
export class SpentChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn({ type: 'bytea' })
  hash!: Buffer;

  /** SHA-256 of the cookie value that the sign-in gave: the same form, sent twice, gets it again. */
  @Column({ type: 'bytea', nullable: true })
  keyHash!: Buffer | null;

  /** When the row may go: from then on the challenge is too old anyway. */
  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
