import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The `jti` of an assertion that was used, for as long as the assertion could be used again. */
@Entity('spent_assertion')
@Index(['keepUntil'])
export class SpentAssertion {
  /** SHA-256 of issuer and `jti`, so that its size is not the caller's choice. */
  @PrimaryColumn({ type: 'bytea' })
  digest!: Buffer;

  @Column({ type: 'timestamptz' })
  keepUntil!: Date;
}
