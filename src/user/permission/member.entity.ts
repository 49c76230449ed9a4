import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import { User } from '../user.entity.js';

export type MemberLevel = 'instance' | 'org' | 'project' | 'project_grant';

/** A manager: the roles that a user holds over the instance, an organization, a project or a project grant. */
@Entity('member')
@Index(['level', 'objectId', 'userId'])
@Index(['level', 'objectId', 'creationDate', 'userId'])
@Index(['level', 'objectId', 'changeDate', 'userId'])
export class Member extends Recorded {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn({ type: 'text' })
  level!: MemberLevel;

  /** Id of the instance, organization, project or grant. */
  @PrimaryColumn({ type: 'text' })
  objectId!: string;

  @Column({ type: 'text', array: true, default: () => "'{}'" })
  roles!: string[];
}
