import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../foundation/database/recorded.js';
import { Org } from '../org/org.entity.js';

export type ProjectState = 'active' | 'inactive';
/** Whose label policy applies to the login pages of the project's clients. */
export type PrivateLabelingSetting =
  | 'unspecified'
  | 'enforce_project_resource_owner_policy'
  | 'allow_login_user_resource_owner_policy';

/** A project: what its clients have in common, above all its roles. */
@Entity('project')
@Index('project_org_name_key', ['orgId', 'name'], { unique: true })
// Indexes of searched texts and of lists contain expressions, which decorators cannot declare: see schema/tables.
@Index('project_list_name_idx', { synchronize: false })
@Index('project_search_name_idx', { synchronize: false })
export class Project extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'active' })
  state!: ProjectState;

  /** Roles are asserted even if the request has no role scope. */
  @Column({ type: 'boolean', default: false })
  projectRoleAssertion!: boolean;

  /** Only users with a role of the project may sign in to its clients. */
  @Column({ type: 'boolean', default: false })
  projectRoleCheck!: boolean;

  /**
   * Only users of the organization that owns the project, or of one that it is granted to, may sign in to its clients.
   */
  @Column({ type: 'boolean', default: false })
  hasProjectCheck!: boolean;

  @Column({ type: 'text', default: 'unspecified' })
  privateLabelingSetting!: PrivateLabelingSetting;
}
