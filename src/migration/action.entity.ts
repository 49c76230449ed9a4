import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from '../org/org.entity.js';

/** A script that an organization brought from another system. It is stored and exported again, but never run. */
@Entity('action')
@Index(['orgId'])
export class Action extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  script!: string;

  @Column({ type: 'integer', default: 0 })
  timeoutSeconds!: number;

  @Column({ type: 'boolean', default: false })
  allowedToFail!: boolean;
}
