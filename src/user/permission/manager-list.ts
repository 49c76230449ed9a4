import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../foundation/database/columns.js';
import {
  allOf,
  anyOf,
  type Condition,
  equals,
  isAmong,
  isOneOf,
  type ListFilter,
  type MomentMatch,
  momentMatches,
  type TextMatch,
} from '../../foundation/database/condition.js';
import { Database } from '../../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../../foundation/database/listing.js';
import { NAMES_SHOWN } from '../user-columns.js';
import { displayNameMatches, hasLoginName } from '../user-search.js';
import { Member, type MemberLevel } from './member.entity.js';
import { MEMBER_PROPERTIES } from './membership-directory.js';
import type { Places, Rights } from './rights.js';
import type { Permission } from './role.js';

/** A manager of anything, and what they manage. */
export type ManagerEntry = Member & {
  readonly preferredLoginName: string;
  readonly displayName: string;
  readonly userOrgId: string;
  /** Null for the instance. */
  readonly object: ManagedObject | null;
};

interface ManagedObject {
  /** Of an organization or project; of a project grant, that of the project. */
  readonly name: string;
  /** The organization that owns the project. */
  readonly orgId?: string;
  readonly projectId?: string;
  readonly grantedOrgId?: string;
}

export type ManagerColumn = 'userId' | 'creationDate' | 'changeDate';

const LISTING = new Listing<ManagerEntry, ManagerColumn>({
  select: `${columnsOf(Member, 'm', MEMBER_PROPERTIES)},
    u.org_id AS "userOrgId",
    ${NAMES_SHOWN},
    CASE m.level
      WHEN 'org' THEN (SELECT json_build_object('name', o.name) FROM org o WHERE o.id = m.object_id)
      WHEN 'project' THEN (
        SELECT json_build_object('name', p.name, 'orgId', p.org_id) FROM project p WHERE p.id = m.object_id)
      WHEN 'project_grant' THEN (
        SELECT json_build_object(
          'name', p.name, 'orgId', p.org_id, 'projectId', p.id, 'grantedOrgId', g.granted_org_id)
        FROM project_grant g
        JOIN project p ON p.id = g.project_id
        WHERE g.id = m.object_id)
      END AS object`,
  from: 'member m JOIN user_account u ON u.id = m.user_id',
  // A user may manage several objects.
  key: "(m.user_id || ' ' || m.level || ' ' || m.object_id)",
  sort: { userId: 'm.user_id', creationDate: 'm.creation_date', changeDate: 'm.change_date' },
});

/** What reading the managers of each kind of objects needs. */
export const READS_MANAGERS = {
  instance: 'iam.member.read',
  org: 'org.member.read',
  project: 'project.member.read',
  project_grant: 'project.grant.member.read',
} as const satisfies Record<MemberLevel, Permission>;

/** Looks up the managers of objects of all kinds. */
@Injectable()
export class ManagerList {
  constructor(private readonly database: Database) {}

  /** The managers of what these rights allow to read, of all organizations. */
  async list(rights: Rights, request: ListRequest<ManagerColumn>): Promise<Page<ManagerEntry>> {
    return LISTING.page(this.database, { ...request, where: [readableBy(rights), ...request.where] });
  }
}

/**
 * Managers of the objects that these rights reach. Projects and grants of organizations are looked up; their ids are
 * chosen by callers, so each is marked with its kind.
 */
export function readableBy(rights: Rights): ListFilter {
  const [orgs, projects, grants] = [
    rights.placesOf(READS_MANAGERS.org),
    rights.placesOf(READS_MANAGERS.project),
    rights.placesOf(READS_MANAGERS.project_grant),
  ];
  const idsOfOrgs = (places: Places): readonly string[] => (places === 'everywhere' ? [] : places.orgIds);
  const select: Condition = (bind) => `SELECT 'project ' || p.id AS value
     FROM project p
     WHERE p.org_id = ANY (${bind(idsOfOrgs(projects))})
     UNION ALL
     SELECT 'project_grant ' || g.id
     FROM project_grant g
     JOIN project p ON p.id = g.project_id
     WHERE p.org_id = ANY (${bind(idsOfOrgs(grants))})
     UNION ALL
     SELECT 'project_grant ' || g.id
     FROM project_grant g
     WHERE g.granted_org_id = ANY (${bind(idsOfOrgs(grants))})
       OR g.project_id = ANY (${bind(grants === 'everywhere' ? [] : grants.projectIds)})`;
  const direct = [
    ...(rights.mayEverywhere(READS_MANAGERS.instance) ? [isAt('instance')] : []),
    isAt('org', orgs === 'everywhere' ? undefined : orgs.orgIds),
    isAt('project', projects === 'everywhere' ? undefined : projects.projectIds),
    isAt('project_grant', grants === 'everywhere' ? undefined : grants.projectGrantIds),
  ];
  return {
    select: (bind) => `SELECT found.value FROM (${select(bind)}) AS found`,
    among: (values) => {
      const idsOf = (kind: string): string[] =>
        values.flatMap((value) => (value.startsWith(`${kind} `) ? [value.slice(kind.length + 1)] : []));
      return anyOf([...direct, isAt('project', idsOf('project')), isAt('project_grant', idsOf('project_grant'))]);
    },
    otherwise: anyOf([...direct, (bind): string => `(m.level || ' ' || m.object_id) IN (${select(bind)})`]),
  };
}

function isAt(level: MemberLevel, ids?: readonly string[]): Condition {
  const isOfLevel = equals('m.level', level);
  return ids === undefined ? isOfLevel : allOf([isOfLevel, isOneOf('m.object_id', ids)]);
}

function ofUsers(matches: Condition): ListFilter {
  return isAmong('m.user_id', (bind) => `SELECT u.id AS value FROM user_account u WHERE ${matches(bind)}`);
}

/** Filters for a list of managers of all kinds. */
export const managerWhere = {
  instance: isAt('instance'),
  of: (level: MemberLevel, id: string): Condition => isAt(level, [id]),
  ofProjectGrant: (projectId: string, grantedOrgId: string): Condition =>
    allOf([
      isAt('project_grant'),
      (bind) =>
        `m.object_id IN (
           SELECT g.id FROM project_grant g
           WHERE g.project_id = ${bind(projectId)} AND g.granted_org_id = ${bind(grantedOrgId)})`,
    ]),
  users: (ids: readonly string[]): Condition => isOneOf('m.user_id', ids),
  usersOf: (orgId: string): ListFilter => ofUsers(equals('u.org_id', orgId)),
  /** Whole login names only, since it may be of any organization. */
  loginName: (how: TextMatch, text: string): ListFilter => ofUsers(hasLoginName(how, text)),
  displayName: (how: TextMatch, text: string): ListFilter => ofUsers(displayNameMatches(how, text)),
  role:
    (role: string): Condition =>
    (bind) =>
      `${bind(role)} = ANY (m.roles)`,
  created: (how: MomentMatch, at: Date): Condition => momentMatches('m.creation_date', how, at),
  changed: (how: MomentMatch, at: Date): Condition => momentMatches('m.change_date', how, at),
} as const;
