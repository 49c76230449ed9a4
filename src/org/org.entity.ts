import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';

export type OrgState = 'active' | 'inactive';

/** An organization: owns people, projects and policies. */
@Entity('org')
@Index(['name'])
@Index(['creationDate'])
@Index('org_not_active_idx', ['state', 'id'], { where: `state <> 'active'` })
// Indexes of searched texts and of lists contain expressions, which decorators cannot declare: see schema/tables.
@Index('org_list_name_idx', { synchronize: false })
@Index('org_search_name_idx', { synchronize: false })
export class Org extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'active' })
  state!: OrgState;
}
