import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The number of recent failed attempts, per account and per address. */
@Entity('attempt')
@Index(['windowEndsAt'])
export class Attempt {
  /** `{what}:{digest of whom}`. */
  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'integer' })
  failures!: number;

  @Column({ type: 'timestamptz' })
  windowEndsAt!: Date;
}
