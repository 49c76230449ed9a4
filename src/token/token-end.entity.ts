import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The id of an access token or of a whole family that ended before its expiry. */
@Entity('token_end')
@Index(['keepUntil'])
export class TokenEnd {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  /** When everything that this row ends would have expired anyway. */
  @Column({ type: 'timestamptz' })
  keepUntil!: Date;
}
