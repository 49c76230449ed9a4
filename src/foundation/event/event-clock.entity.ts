import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Is added to the transaction ids of this server, because those of the server before it were larger. */
@Entity('event_clock')
export class EventClock {
  @PrimaryColumn({ type: 'boolean', default: true })
  isOnly!: boolean;

  /** A decimal number. */
  @Column({ type: 'bigint' })
  shift!: string;
}
