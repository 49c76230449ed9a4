import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Recorded } from '../../foundation/database/recorded.js';
import { Org } from '../../org/org.entity.js';
import { User } from '../user.entity.js';

/** Users of an organization under one name. A group contains no other groups. */
@Entity('user_group')
// An index with a collation, which decorators cannot declare: see schema/2-groups.
@Index('user_group_org_name_key', { synchronize: false })
@Index(['orgId', 'id'])
@Index('user_group_creation_date_idx', ['orgId', 'creationDate'])
@Index('user_group_change_date_idx', ['orgId', 'changeDate'])
export class UserGroup extends Recorded {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  @ForeignKey(() => Org, { onDelete: 'CASCADE' })
  orgId!: string;

  /** 1 to 200 characters; no other group of the organization has it, in whichever case. */
  @Column({ type: 'text' })
  name!: string;

  /** The name as it is compared. */
  @Column({ type: 'text' })
  nameKey!: string;

  /** At most 500 characters. */
  @Column({ type: 'text', default: '' })
  description!: string;
}

/** A member of a group: a human or service user of the same organization. */
@Entity('user_group_member')
@Index(['userId', 'groupId'])
export class GroupMember {
  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => UserGroup, { onDelete: 'CASCADE' })
  groupId!: string;

  @PrimaryColumn({ type: 'text' })
  @ForeignKey(() => User, { onDelete: 'CASCADE' })
  userId!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  creationDate!: Date;
}
