import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from '../org/org.entity.js';

/** When the actions of an organization would run, and in which order. Stored unchanged. */
@Entity('trigger_action')
export class TriggerAction extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  /** A number in digits, as in the document. */
  @PrimaryColumn({ type: 'text' })
  flowType!: string;

  @PrimaryColumn({ type: 'text' })
  triggerType!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  actionIds!: string[];
}
