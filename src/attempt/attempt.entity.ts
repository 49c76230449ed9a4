import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often something was tried in vain lately, per account and per address. */
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
