import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event that a listener could not handle, and has left out. */
@Entity('event_parked')
export class ParkedEvent {
  @PrimaryColumn({ type: 'text' })
  listener!: string;

  /** The position of the event, a decimal number. */
  @PrimaryColumn({ type: 'bigint' })
  position!: string;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ type: 'timestamptz' })
  parkedAt!: Date;
}
