import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How often something happened on a day. Numbers for people: no rule depends on them. */
@Entity('day_count')
@Index(['day'])
export class DayCount {
  /** What was counted: `sign_in`. */
  @PrimaryColumn({ type: 'text' })
  what!: string;

  /** The organization, or the client id. */
  @PrimaryColumn({ type: 'text' })
  ofId!: string;

  /** `password`; a redirect URI. */
  @PrimaryColumn({ type: 'text' })
  detail!: string;

  /** In UTC. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
