import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The `jti` of a used assertion, kept for as long as the assertion could be used again. */
@Entity('spent_assertion')
@Index(['keepUntil'])
export class SpentAssertion {
  /** SHA-256 of issuer and `jti`, so that the caller cannot choose its size. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  @Column({ type: 'timestamptz' })
  keepUntil!: Date;
}
