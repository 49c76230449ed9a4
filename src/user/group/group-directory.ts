import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  equals,
  isAmong,
  isOneOf,
  type ListFilter,
  type SearchedText,
  type TextMatch,
  textMatches,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { User, type UserKind } from '../user.entity.js';
import { toNameKey } from '../user-name.js';
import { GroupMember, UserGroup } from './group.entity.js';
import { groupNotFound } from './group.errors.js';

export type GroupColumn = 'name';
export type GroupMemberColumn = 'userId';

/** A member of a group as it is shown. */
export interface GroupMemberEntry {
  readonly groupId: string;
  readonly userId: string;
  /** When the user became a member. */
  readonly creationDate: Date;
  readonly userKind: UserKind;
  readonly userName: string;
  readonly displayName: string;
  readonly email: string;
}

const NAME: SearchedText = { column: 'g.name', folded: '(g.name_key COLLATE "C")', fold: toNameKey };

const GROUPS = new Listing<UserGroup, GroupColumn>({
  select: columnsOf(UserGroup, 'g', ['id', 'orgId', 'name', 'nameKey', 'description', ...HISTORY]),
  from: 'user_group g',
  key: 'g.id',
  sort: { name: NAME.folded },
});

const MEMBERS = new Listing<GroupMemberEntry, GroupMemberColumn>({
  select: `${columnsOf(GroupMember, 'm', ['groupId', 'userId', 'creationDate'])},
    ${columnsOf(User, 'u', ['userName', 'email'])},
    u.kind AS "userKind",
    CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END AS "displayName"`,
  from: 'user_group_member m',
  joins: 'JOIN user_account u ON u.id = m.user_id',
  key: 'm.user_id',
  sort: { userId: 'm.user_id' },
});

/** Looks up groups of an organization, and their members. */
@Injectable()
export class GroupDirectory {
  constructor(
    @InjectRepository(UserGroup) private readonly rows: Repository<UserGroup>,
    private readonly database: Database,
  ) {}

  /** @throws DomainError NotFound `group.not_found`, also for a group of another organization */
  async get(orgId: string, id: string): Promise<UserGroup> {
    const group = await this.rows.findOneBy({ id, orgId });
    if (!group) throw groupNotFound();
    return group;
  }

  async list(orgId: string, request: ListRequest<GroupColumn>): Promise<Page<UserGroup>> {
    return GROUPS.page(this.database, { ...request, where: [equals('g.org_id', orgId), ...request.where] });
  }

  async listMembers(groupId: string, request: ListRequest<GroupMemberColumn>): Promise<Page<GroupMemberEntry>> {
    return MEMBERS.page(this.database, { ...request, where: [equals('m.group_id', groupId), ...request.where] });
  }
}

/** Filters for a list of groups. */
export const groupFilter = {
  ids: (ids: readonly string[]): ListFilter => isOneOf('g.id', ids),
  name: (how: TextMatch, text: string): ListFilter => textMatches(NAME, how, text),
  /** Groups of which the user is a member. */
  member: (userId: string): ListFilter =>
    isAmong('g.id', (bind) => `SELECT m.group_id AS value FROM user_group_member m WHERE m.user_id = ${bind(userId)}`),
} as const;

/** Filters for a list of members. */
export const groupMemberFilter = {
  users: (ids: readonly string[]): ListFilter => isOneOf('m.user_id', ids),
} as const;
