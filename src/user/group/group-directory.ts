import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  type Condition,
  equals,
  isAmong,
  isOneOf,
  type ListFilter,
  type MomentMatch,
  momentMatches,
  type SearchedText,
  type TextMatch,
  textMatches,
  withoutIndex,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import { User, type UserKind } from '../user.entity.js';
import { toNameKey } from '../user-name.js';
import { GroupMember, UserGroup } from './group.entity.js';
import { groupNotFound } from './group.errors.js';

export type GroupColumn = 'name' | 'id' | 'creationDate' | 'changeDate';
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
  sort: { name: NAME.folded, id: 'g.id', creationDate: 'g.creation_date', changeDate: 'g.change_date' },
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

/** A group of a user. */
export interface GroupOfUser {
  readonly userId: string;
  readonly id: string;
  readonly name: string;
}

const OF_USERS = statement(
  'group.of_users',
  `SELECT m.user_id AS "userId", g.id, g.name
   FROM user_group_member m
   CROSS JOIN LATERAL (
     SELECT found.id, found.name
     FROM user_group found
     WHERE found.id = m.group_id AND ${withoutIndex('found.org_id')} = :orgId
     OFFSET 0) g
   WHERE m.user_id = ANY(:userIds::text[])
   ORDER BY m.user_id, g.id`,
).rows<GroupOfUser>();

/** A member of one of several groups. */
export type FirstMember = Pick<GroupMemberEntry, 'groupId' | 'userId' | 'userKind' | 'displayName'>;

const FIRST_MEMBERS = statement<{ orgId: string; groupIds: readonly string[]; limit: number }>(
  'group.first_members',
  `SELECT first.*
   FROM user_group g
   CROSS JOIN LATERAL (
     SELECT m.group_id AS "groupId", m.user_id AS "userId", u.kind AS "userKind",
       CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END AS "displayName"
     FROM user_group_member m
     JOIN user_account u ON u.id = m.user_id
     WHERE m.group_id = g.id
     ORDER BY m.user_id
     LIMIT :limit) first
   WHERE g.id = ANY(:groupIds::text[]) AND ${withoutIndex('g.org_id')} = :orgId`,
).rows<FirstMember>();

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

  /** Of all organizations, unless a condition says which. */
  async listAll(request: ListRequest<GroupColumn>): Promise<Page<UserGroup>> {
    return GROUPS.page(this.database, request);
  }

  /** The id of its organization. */
  async findOrg(id: string): Promise<string | undefined> {
    return (await this.rows.findOneBy({ id }))?.orgId;
  }

  async listMembers(groupId: string, request: ListRequest<GroupMemberColumn>): Promise<Page<GroupMemberEntry>> {
    return MEMBERS.page(this.database, { ...request, where: [equals('m.group_id', groupId), ...request.where] });
  }

  /** The groups of several users. */
  async groupsOf(orgId: string, userIds: readonly string[]): Promise<GroupOfUser[]> {
    return this.database.query(OF_USERS, { orgId, userIds });
  }

  /** The first members of several groups in the order of their ids, so many of each. */
  async firstMembersOf(orgId: string, groupIds: readonly string[], limit: number): Promise<FirstMember[]> {
    return this.database.query(FIRST_MEMBERS, { orgId, groupIds, limit });
  }
}

/** Filters for a list of groups. */
export const groupFilter = {
  creationDate: (how: MomentMatch, at: Date): Condition => momentMatches('g.creation_date', how, at),
  changeDate: (how: MomentMatch, at: Date): Condition => momentMatches('g.change_date', how, at),
  /** By a SELECT of ids, over tables that the product does not know. */
  select:
    (ids: Condition): Condition =>
    (bind) =>
      `g.id IN (${ids(bind)})`,
  ids: (ids: readonly string[]): Condition => isOneOf('g.id', ids),
  ofOrgs: (ids: readonly string[]): Condition => isOneOf('g.org_id', ids),
  name: (how: TextMatch, text: string): Condition => textMatches(NAME, how, text),
  /** Groups of which the user is a member, also within other conditions. */
  memberOf:
    (userId: string): Condition =>
    (bind) =>
      `g.id IN (SELECT m.group_id FROM user_group_member m WHERE m.user_id = ${bind(userId)})`,
  /** Groups of which the user is a member: these are looked up before the list is read. */
  member: (userId: string): ListFilter =>
    isAmong('g.id', (bind) => `SELECT m.group_id AS value FROM user_group_member m WHERE m.user_id = ${bind(userId)}`),
} as const;

/** Filters for a list of members. */
export const groupMemberFilter = {
  users: (ids: readonly string[]): ListFilter => isOneOf('m.user_id', ids),
} as const;
