import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A used proof of a key, where all processes share them; unlogged, since it matters for two minutes at most. */
@Entity('spent_proof')
@Index(['keepUntil'])
export class SpentProof {
  /** SHA-256 of thumbprint and `jti`, so that the caller cannot choose its size. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  @Column({ type: 'timestamptz' })
  keepUntil!: Date;
}
