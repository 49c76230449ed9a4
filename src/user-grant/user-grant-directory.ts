import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import {
  anyOf,
  type Condition,
  equals,
  isOneOf,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { toStoredEmail } from '../org/email-address.js';
import { anyRole } from '../project/project-grant-directory.js';
import type { UserKind } from '../user/user.entity.js';
import { User } from '../user/user.entity.js';
import { UserGrant } from './user-grant.entity.js';

/** A user grant as it is shown: who holds which roles of what, and who granted them. */
export type UserGrantEntry = UserGrant & {
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

/** Tables that a filter needs beside the grant itself. */
type Table = 'user' | 'project' | 'org' | 'domain';

/** A filter and the tables that it needs: a list that needs none is paged on the grants alone. */
export interface UserGrantFilter {
  readonly where: Condition;
  readonly needs: readonly Table[];
}

const JOINS: Readonly<Record<Table, string>> = {
  user: 'JOIN user_account u ON u.id = g.user_id',
  project: 'JOIN project p ON p.id = g.project_id',
  org: 'JOIN org o ON o.id = g.org_id',
  domain: 'LEFT JOIN org_domain d ON d.org_id = g.org_id AND d.is_primary',
};
const TABLES = Object.keys(JOINS) as Table[];

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
const OWNER_OF_USER =
  'JOIN org uo ON uo.id = u.org_id LEFT JOIN org_domain ud ON ud.org_id = u.org_id AND ud.is_primary';

/** Looks up who holds which roles. */
@Injectable()
export class UserGrantDirectory {
  constructor(private readonly database: Database) {}

  async list(
    filters: readonly UserGrantFilter[],
    request: ListRequest<UserGrantColumn>,
  ): Promise<Page<UserGrantEntry>> {
    const needed = new Set(filters.flatMap(({ needs }) => needs));
    const listing = new Listing<UserGrantEntry, UserGrantColumn>({
      select: SELECT,
      from: ['user_grant g', ...TABLES.filter((table) => needed.has(table)).map((table) => JOINS[table])].join(' '),
      joins: [...TABLES.filter((table) => !needed.has(table)).map((table) => JOINS[table]), OWNER_OF_USER].join(' '),
      key: 'g.id',
      sort: { id: 'g.id' },
    });
    return listing.page(this.database, { ...request, where: [...filters.map(({ where }) => where), ...request.where] });
  }
}

const on = (where: Condition, ...needs: Table[]): UserGrantFilter => ({ where, needs });

/** Filters for a list of user grants. */
export const userGrantFilter = {
  givenBy: (orgId: string): UserGrantFilter => on(equals('g.org_id', orgId)),
  /** Granted by the organization, or by others for its projects: as a list of ids, for which there is an index. */
  concerning: (orgId: string): UserGrantFilter =>
    on(
      (bind) =>
        `g.org_id = ${bind(orgId)}
         OR g.project_id = ANY (ARRAY(
           SELECT p.id
           FROM project p
           WHERE p.org_id = ${bind(orgId)}
         ))`,
    ),
  /** For these projects, or through these project grants. */
  within: (projectIds: readonly string[], projectGrantIds: readonly string[]): UserGrantFilter =>
    on(anyOf([isOneOf('g.project_id', projectIds), isOneOf('g.project_grant_id', projectGrantIds)])),
  id: (id: string): UserGrantFilter => on(equals('g.id', id)),
  project: (id: string): UserGrantFilter => on(equals('g.project_id', id)),
  projectGrant: (id: string): UserGrantFilter => on(equals('g.project_grant_id', id)),
  user: (id: string): UserGrantFilter => on(equals('g.user_id', id)),
  users: (ids: readonly string[]): UserGrantFilter => on(isOneOf('g.user_id', ids)),
  roleKey: (how: TextMatch, text: string): UserGrantFilter => on(anyRole('g.role_keys', how, text)),
  userName: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('u.user_name', how, text), 'user'),
  firstName: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('u.first_name', how, text), 'user'),
  lastName: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('u.last_name', how, text), 'user'),
  email: (how: TextMatch, text: string): UserGrantFilter =>
    on(textMatches('u.email', how, toStoredEmail(text)), 'user'),
  displayName: (how: TextMatch, text: string): UserGrantFilter =>
    on(textMatches("CASE u.kind WHEN 'human' THEN u.display_name ELSE u.service_name END", how, text), 'user'),
  userKind: (kind: UserKind): UserGrantFilter => on(equals('u.kind', kind), 'user'),
  orgName: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('o.name', how, text), 'org'),
  orgDomain: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('d.domain', how, text), 'domain'),
  projectName: (how: TextMatch, text: string): UserGrantFilter => on(textMatches('p.name', how, text), 'project'),
} as const;
