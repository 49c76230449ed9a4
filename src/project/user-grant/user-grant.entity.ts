import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import { User } from '../../user/user.entity.js';
import { Project } from '../project.entity.js';
import { ProjectGrant } from '../project-grant.entity.js';

/** Which roles of a project a user holds, and which organization granted them. */
@Entity('user_grant')
@Index('user_grant_user_project_org_key', ['userId', 'projectId', 'orgId'], { unique: true })
@Index(['projectId', 'id'])
@Index(['orgId', 'id'])
@Index(['projectGrantId', 'id'])
// GIN, which decorators cannot declare: see schema/tables.
@Index('user_grant_role_keys_idx', { synchronize: false })
export class UserGrant extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Project, { onDelete: 'CASCADE' })
  projectId!: string;

  /** The project grant to the organization that grants the roles; null if the project is its own. */
  @Column({ type: 'text', nullable: true })
  @ForeignKey(() => ProjectGrant, { onDelete: 'CASCADE' })
  projectGrantId!: string | null;

  /** The organization that granted. */
  @Column({ type: 'text' })
  orgId!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  roleKeys!: string[];

  @Column({ type: 'text', default: 'active' })
  state!: 'active' | 'inactive';
}
