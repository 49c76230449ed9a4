import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How far one listener has heard the journal. */
@Entity('event_cursor')
export class EventCursor {
  /** `{extension}/{name}` */
  @PrimaryColumn({ type: 'text' })
  listener!: string;

  /**
   * The last event that was handled, or before which there is nothing to handle. A decimal number, as the following
   * one.
   */
  @Column({ type: 'bigint' })
  tx!: string;

  @Column({ type: 'bigint' })
  position!: string;

  /** Failures in a row. */
  @Column({ type: 'integer', default: 0 })
  tries!: number;

  @Column({ type: 'timestamptz' })
  dueAt!: Date;

  /** The reason of the last failure; empty if there was none. */
  @Column({ type: 'text', default: '' })
  reason!: string;
}
