import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  anyOf,
  type Condition,
  equals,
  isAmong,
  isOneOf,
  type ListFilter,
  type LookedUp,
  searched,
  type TextMatch,
  textMatches,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { HISTORY } from '../../foundation/database/recorded.js';
import { statement } from '../../foundation/database/statement.js';
import type { Places } from '../../user/permission/rights.js';
import type { UserKind } from '../../user/user.entity.js';
import { User } from '../../user/user.entity.js';
import { displayNameMatches, hasLoginName, SEARCHED_OF_USER } from '../../user/user-search.js';
import { anyRole } from '../project-grant-directory.js';
import { UserGrant } from './user-grant.entity.js';

/** A user grant as it is shown: who holds which roles of what, and who granted them. */
export type UserGrantEntry = Omit<UserGrant, 'userId' | 'groupId'> & {
  readonly userId: string;
  readonly userKind: UserKind;
  readonly userName: string;
  readonly preferredLoginName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly displayName: string;
  readonly userOrgId: string;
  readonly userOrgName: string;
  readonly userOrgDomain: string;
  readonly orgName: string;
  readonly orgDomain: string;
  readonly projectName: string;
  readonly projectOrgId: string;
};

export type UserGrantColumn = 'id';

/** A role that is held, with its name for people. */
export interface HeldRole {
  readonly key: string;
  readonly displayName: string;
  readonly roleGroup: string;
}

/** An entry of a list of several organizations, whose readers need not know the roles of each project. */
export type UserGrantWithRoles = UserGrantEntry & { readonly roles: readonly HeldRole[] };

export type AnyUserGrantColumn =
  | UserGrantColumn
  | 'creationDate'
  | 'changeDate'
  | 'userId'
  | 'projectId'
  | 'orgId'
  | 'userOrgId';

const GRANT_COLUMNS = columnsOf(UserGrant, 'g', [
  'id',
  'userId',
  'projectId',
  'projectGrantId',
  'orgId',
  'roleKeys',
  'state',
  ...HISTORY,
]);
const OF_USERS = 'g.user_id IS NOT NULL';
const SELECT = `${GRANT_COLUMNS},
  ${columnsOf(User, 'u', ['userName', 'firstName', 'lastName', 'email'])},
  u.kind AS "userKind",
  CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END AS "displayName",
  u.org_id AS "userOrgId",
  uo.name AS "userOrgName",
  coalesce(ud.domain, '') AS "userOrgDomain",
  CASE WHEN u.user_name LIKE '%@%' OR u.kind = 'service' THEN u.user_name
    ELSE u.user_name || coalesce('@' || ud.domain, '')
    END AS "preferredLoginName",
  o.name AS "orgName",
  coalesce(d.domain, '') AS "orgDomain",
  p.name AS "projectName",
  p.org_id AS "projectOrgId"`;

const JOINS = `JOIN user_account u ON u.id = g.user_id
    JOIN project p ON p.id = g.project_id
    JOIN org o ON o.id = g.org_id
    LEFT JOIN org_domain d ON d.org_id = g.org_id AND d.is_primary
    JOIN org uo ON uo.id = u.org_id
    LEFT JOIN org_domain ud ON ud.org_id = u.org_id AND ud.is_primary`;

const LISTING = new Listing<UserGrantEntry, UserGrantColumn>({
  select: SELECT,
  from: 'user_grant g',
  joins: JOINS,
  key: 'g.id',
  sort: { id: 'g.id' },
});

const OF_ALL = new Listing<UserGrantWithRoles, AnyUserGrantColumn>({
  select: `${SELECT},
  (SELECT coalesce(
     json_agg(
       json_build_object('key', r.key, 'displayName', r.display_name, 'roleGroup', r.role_group) ORDER BY r.key),
     '[]')
   FROM project_role r
   WHERE r.project_id = g.project_id AND r.key = ANY (g.role_keys)) AS roles`,
  from: 'user_grant g',
  joins: JOINS,
  key: 'g.id',
  sort: {
    id: 'g.id',
    creationDate: 'g.creation_date',
    changeDate: 'g.change_date',
    userId: 'g.user_id',
    projectId: 'g.project_id',
    orgId: 'g.org_id',
    userOrgId: '(SELECT su.org_id FROM user_account su WHERE su.id = g.user_id)',
  },
});

const PLACE = statement(
  'user_grant.place',
  `SELECT ${columnsOf(UserGrant, 'g', ['orgId', 'userId', 'projectId', 'projectGrantId'])}
   FROM user_grant g
   WHERE g.id = :id AND ${OF_USERS}`,
).rows<UserGrantPlacement>();

/** Where a user grant is: which roles over it reach it, and who holds it. */
export type UserGrantPlacement = Pick<UserGrant, 'orgId' | 'projectId' | 'projectGrantId'> & {
  readonly userId: string;
};

/** A grant to a group as it is shown. */
export type GroupGrantEntry = Omit<UserGrant, 'userId' | 'groupId'> & {
  readonly groupId: string;
  readonly groupName: string;
  readonly projectName: string;
};

const OF_GROUPS = new Listing<GroupGrantEntry, UserGrantColumn>({
  select: `${GRANT_COLUMNS},
    ${columnsOf(UserGrant, 'g', ['groupId'])},
    ug.name AS "groupName",
    p.name AS "projectName"`,
  from: 'user_grant g',
  joins: `JOIN user_group ug ON ug.id = g.group_id
    JOIN project p ON p.id = g.project_id`,
  key: 'g.id',
  sort: { id: 'g.id' },
});

/** Looks up who holds which roles. */
@Injectable()
export class UserGrantDirectory {
  constructor(private readonly database: Database) {}

  async list(request: ListRequest<UserGrantColumn>): Promise<Page<UserGrantEntry>> {
    return LISTING.page(this.database, { ...request, where: [() => OF_USERS, ...request.where] });
  }

  /** Grants of any organization, for those who may read them there (`userGrantFilter.at`). */
  async listAll(request: ListRequest<AnyUserGrantColumn>): Promise<Page<UserGrantWithRoles>> {
    return OF_ALL.page(this.database, { ...request, where: [() => OF_USERS, ...request.where] });
  }

  /** Undefined if there is none, or if it is that of a group. */
  async findPlace(id: string): Promise<UserGrantPlacement | undefined> {
    return (await this.database.query(PLACE, { id }))[0];
  }

  /** The grants of a group. */
  async listOfGroup(groupId: string, request: ListRequest<UserGrantColumn>): Promise<Page<GroupGrantEntry>> {
    return OF_GROUPS.page(this.database, { ...request, where: [equals('g.group_id', groupId), ...request.where] });
  }
}

function ofUsers(matches: Condition): ListFilter {
  return isAmong('g.user_id', (bind) => `SELECT u.id AS value FROM user_account u WHERE ${matches(bind)}`);
}

function ofProjects(matches: Condition): LookedUp {
  return isAmong('g.project_id', (bind) => `SELECT p.id AS value FROM project p WHERE ${matches(bind)}`);
}

function isWithin(projectIds: readonly string[], projectGrantIds: readonly string[]): Condition {
  return anyOf([isOneOf('g.project_id', projectIds), isOneOf('g.project_grant_id', projectGrantIds)]);
}

/** Filters for a list of user grants. */
export const userGrantFilter = {
  givenBy: (orgId: string): ListFilter => equals('g.org_id', orgId),
  /** Granted by the organization, or by others for its projects. */
  concerning: (orgId: string): ListFilter => {
    const { select, among, otherwise } = ofProjects(equals('p.org_id', orgId));
    const given = equals('g.org_id', orgId);
    return { select, among: (ids) => anyOf([given, among(ids)]), otherwise: anyOf([given, otherwise]) };
  },
  /** What these organizations granted, what others granted for their projects, and the grants within the others. */
  at: ({ orgIds, projectIds, projectGrantIds }: Exclude<Places, 'everywhere'>): ListFilter => {
    const { select, among, otherwise } = ofProjects(isOneOf('p.org_id', orgIds));
    const others = [isOneOf('g.org_id', orgIds), isWithin(projectIds, projectGrantIds)];
    return { select, among: (ids) => anyOf([...others, among(ids)]), otherwise: anyOf([...others, otherwise]) };
  },
  /** Selects the grants for these projects, or through these project grants. */
  within: (projectIds: readonly string[], projectGrantIds: readonly string[]): ListFilter =>
    isWithin(projectIds, projectGrantIds),
  id: (id: string): ListFilter => equals('g.id', id),
  isOneOf: (ids: readonly string[]): ListFilter => isOneOf('g.id', ids),
  state: (state: string): ListFilter => equals('g.state', state),
  project: (id: string): ListFilter => equals('g.project_id', id),
  projectGrant: (id: string): ListFilter => equals('g.project_grant_id', id),
  user: (id: string): ListFilter => equals('g.user_id', id),
  users: (ids: readonly string[]): ListFilter => isOneOf('g.user_id', ids),
  usersOf: (orgId: string): ListFilter => ofUsers(equals('u.org_id', orgId)),
  /** Whole login names only, since it may be of any organization. */
  loginName: (how: TextMatch, text: string): ListFilter => ofUsers(hasLoginName(how, text)),
  roleKey: (how: TextMatch, text: string): ListFilter => anyRole('g.role_keys', how, text),
  userName: (how: TextMatch, text: string): ListFilter => ofUsers(textMatches(SEARCHED_OF_USER.userName, how, text)),
  firstName: (how: TextMatch, text: string): ListFilter => ofUsers(textMatches(SEARCHED_OF_USER.firstName, how, text)),
  lastName: (how: TextMatch, text: string): ListFilter => ofUsers(textMatches(SEARCHED_OF_USER.lastName, how, text)),
  email: (how: TextMatch, text: string): ListFilter => ofUsers(textMatches(SEARCHED_OF_USER.email, how, text)),
  displayName: (how: TextMatch, text: string): ListFilter => ofUsers(displayNameMatches(how, text)),
  /** Uses no index: most users are of one kind, and those of the other are looked up one by one. */
  userKind:
    (kind: UserKind): ListFilter =>
    (bind) =>
      `(SELECT k.kind FROM user_account k WHERE k.id = g.user_id) = ${bind(kind)}`,
  orgName: (how: TextMatch, text: string): ListFilter => {
    const matches = textMatches(searched('o.name'), how, text);
    return isAmong('g.org_id', (bind) => `SELECT o.id AS value FROM org o WHERE ${matches(bind)}`);
  },
  orgDomain: (how: TextMatch, text: string): ListFilter => {
    const matches = textMatches(searched('d.domain'), how, text);
    return isAmong(
      'g.org_id',
      (bind) => `SELECT d.org_id AS value FROM org_domain d WHERE d.is_primary AND ${matches(bind)}`,
    );
  },
  projectName: (how: TextMatch, text: string): ListFilter => ofProjects(textMatches(searched('p.name'), how, text)),
} as const;
