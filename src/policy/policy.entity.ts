import { PrimaryColumn } from 'typeorm';
import { Recorded } from '../database/recorded.js';

/** One row for each owner: the instance's holds for every organization that has none of its own. */
export abstract class Policy extends Recorded {
  /** An organization's id, or the instance's. */
  @PrimaryColumn({ type: 'text' })
  ownerId!: string;
}
