import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from '../org/org.entity.js';
import { Project } from './project.entity.js';

export type ProjectGrantState = 'active' | 'inactive';

/** A project granted to another organization, with those of its roles that it may grant to its own users. */
@Entity('project_grant')
@Index('project_grant_project_org_key', ['projectId', 'grantedOrgId'], { unique: true })
@Index(['grantedOrgId'])
// GIN, which decorators cannot declare: see schema/tables.
@Index('project_grant_role_keys_idx', { synchronize: false })
export class ProjectGrant extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  grantedOrgId!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  roleKeys!: string[];

  @Column({ type: 'text', default: 'active' })
  state!: ProjectGrantState;
}
