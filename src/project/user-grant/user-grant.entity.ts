import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import { UserGroup } from '../../user/group/group.entity.js';
import { User } from '../../user/user.entity.js';
import { Project } from '../project.entity.js';
import { ProjectGrant } from '../project-grant.entity.js';

/** Which roles of a project a user or a group holds, and which organization granted them. */
@Entity('user_grant')
@Check('user_grant_holder_check', '(user_id IS NULL) <> (group_id IS NULL)')
@Index('user_grant_user_project_org_key', ['userId', 'projectId', 'orgId'], { unique: true })
@Index('user_grant_group_project_org_key', ['groupId', 'projectId', 'orgId'], {
  unique: true,
  where: 'group_id IS NOT NULL',
})
@Index(['projectId', 'id'])
@Index(['orgId', 'id'])
@Index(['projectGrantId', 'id'])
// GIN, which decorators cannot declare: see schema/tables.
@Index('user_grant_role_keys_idx', { synchronize: false })
export class UserGrant extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text', nullable: true })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string | null;

  /** A group of the organization that granted: each of its members holds the roles. */
  @Column({ type: 'text', nullable: true })
  @ForeignKey(() => UserGroup, { onDelete: 'CASCADE' })
  groupId!: string | null;

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
