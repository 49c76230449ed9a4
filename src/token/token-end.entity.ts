import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The id of an access token or of a whole family that ended before its expiry, or an application whose access its user
 * has removed (`accessOf`).
 */
@Entity('token_end')
@Index(['keepUntil'])
export class TokenEnd {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** Ends only what was issued until then, in Unix seconds; null: everything. */
  @Column({ type: 'bigint', nullable: true })
  issuedUntil!: string | null;

  /** When everything that this row ends would have expired anyway. */
  @Column({ type: 'timestamptz' })
  keepUntil!: Date;
}
