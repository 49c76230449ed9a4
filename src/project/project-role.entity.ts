import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Project } from './project.entity.js';

@Entity('project_role')
// Indexes of searched texts contain expressions, which decorators cannot declare: see schema/tables.
@Index('project_role_list_key_idx', { synchronize: false })
@Index('project_role_list_display_name_idx', { synchronize: false })
@Index('project_role_search_key_idx', { synchronize: false })
@Index('project_role_search_display_name_idx', { synchronize: false })
export class ProjectRole extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  @PrimaryColumn({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  displayName!: string;

  @Column({ type: 'text', default: '' })
  roleGroup!: string;
}
