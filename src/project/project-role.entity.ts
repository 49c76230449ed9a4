import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Project } from './project.entity.js';

@Entity('project_role')
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
