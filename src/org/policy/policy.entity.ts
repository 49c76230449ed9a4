import { PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';

/** One row per owner: the instance's applies to every organization without one. */
export abstract class Policy extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;
}
