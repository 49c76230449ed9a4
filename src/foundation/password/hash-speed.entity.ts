import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Primitive } from './hash-units.js';

/** The fastest recent measurement of the primitives of password hashes in this instance. */
@Entity('hash_speed')
export class HashSpeed {
  @PrimaryColumn({ type: 'text' })
  primitive!: Primitive;

  /** Per unit: a pass over a KiB, a round, an iteration. */
  @Column({ type: 'double precision' })
  nanoseconds!: number;

  @Column({ type: 'timestamptz' })
  measuredAt!: Date;
}
