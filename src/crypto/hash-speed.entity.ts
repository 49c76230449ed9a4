import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Primitive } from './hash-cost.js';

/** The fastest that a process of this instance has lately computed what password hashes are made of. */
@Entity('hash_speed')
export class HashSpeed {
  @PrimaryColumn({ type: 'text' })
  primitive!: Primitive;

  /** Of one unit: a pass over a KiB, a round, an iteration. */
  @Column({ type: 'double precision' })
  nanoseconds!: number;

  @Column({ type: 'timestamptz' })
  measuredAt!: Date;
}
