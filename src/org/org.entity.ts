import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';

export type OrgState = 'active' | 'inactive';

/** An organization: owns people, projects and policies. */
@Entity('org')
@Index(['name'])
@Index(['creationDate'])
export class Org extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'active' })
  state!: OrgState;
}
