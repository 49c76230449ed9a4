import { Injectable } from '@nestjs/common';
import { columnsOf } from '../foundation/database/columns.js';
import {
  anyOf,
  type Condition,
  equals,
  isOneOf,
  type ListFilter,
  searched,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { projectGrantNotFound } from './project.errors.js';
import { ProjectGrant } from './project-grant.entity.js';

/** A project grant as both sides see it. */
export type ProjectGrantEntry = ProjectGrant & {
  readonly grantedOrgName: string;
  readonly projectName: string;
  /** The organization that owns the project. */
  readonly orgId: string;
  readonly orgName: string;
};

export type ProjectGrantColumn = 'id' | 'projectId' | 'projectName' | 'creationDate' | 'changeDate';

const PROPERTIES = ['id', 'projectId', 'grantedOrgId', 'roleKeys', 'state', ...HISTORY] as const;
const COLUMNS = `${columnsOf(ProjectGrant, 'g', PROPERTIES)},
  p.name AS "projectName",
  p.org_id AS "orgId",
  (SELECT o.name FROM org o WHERE o.id = p.org_id) AS "orgName",
  (SELECT o.name FROM org o WHERE o.id = g.granted_org_id) AS "grantedOrgName"`;
const FROM = 'project_grant g JOIN project p ON p.id = g.project_id';

const GRANTS = new Listing<ProjectGrantEntry, ProjectGrantColumn>({
  select: COLUMNS,
  from: FROM,
  key: 'g.id',
  sort: {
    id: 'g.id',
    projectId: 'g.project_id',
    projectName: 'p.name',
    creationDate: 'g.creation_date',
    changeDate: 'g.change_date',
  },
});

const GIVEN = statement(
  'project_grant.given',
  `SELECT ${COLUMNS}
   FROM ${FROM}
   WHERE g.id = :id AND g.project_id = :projectId AND p.org_id = :orgId`,
).rows<ProjectGrantEntry>();
const RECEIVED = statement(
  'project_grant.received',
  `SELECT ${COLUMNS}
   FROM ${FROM}
   WHERE g.id = :id AND g.project_id = :projectId AND g.granted_org_id = :orgId`,
).rows<ProjectGrantEntry>();

const TO_ORG = statement(
  'project_grant.to_org',
  `SELECT ${COLUMNS}
   FROM ${FROM}
   WHERE g.project_id = ANY(:projectIds::text[]) AND g.granted_org_id = :orgId`,
).rows<ProjectGrantEntry>();

/** Looks up project grants: those that an organization has granted, and those that it has received. */
@Injectable()
export class ProjectGrantDirectory {
  constructor(private readonly database: Database) {}

  /** @throws DomainError NotFound `project_grant.not_found` */
  async getGiven(orgId: string, projectId: string, id: string): Promise<ProjectGrantEntry> {
    return toEntry(await this.database.query(GIVEN, { id, projectId, orgId }));
  }

  /** @throws DomainError NotFound `project_grant.not_found` */
  async getReceived(orgId: string, projectId: string, id: string): Promise<ProjectGrantEntry> {
    return toEntry(await this.database.query(RECEIVED, { id, projectId, orgId }));
  }

  /** The grants of these projects to an organization, one of each at most. */
  async listTo(orgId: string, projectIds: readonly string[]): Promise<ProjectGrantEntry[]> {
    return this.database.query(TO_ORG, { orgId, projectIds });
  }

  /** @throws DomainError NotFound `project_grant.not_found` */
  async getTo(orgId: string, projectId: string): Promise<ProjectGrantEntry> {
    return toEntry(await this.listTo(orgId, [projectId]));
  }

  /** Grants of any organization, for those who may read them there. */
  async listAll(request: ListRequest<ProjectGrantColumn>): Promise<Page<ProjectGrantEntry>> {
    return GRANTS.page(this.database, request);
  }

  async listGiven(orgId: string, request: ListRequest<ProjectGrantColumn>): Promise<Page<ProjectGrantEntry>> {
    return GRANTS.page(this.database, { ...request, where: [equals('p.org_id', orgId), ...request.where] });
  }

  async listReceived(orgId: string, request: ListRequest<ProjectGrantColumn>): Promise<Page<ProjectGrantEntry>> {
    return GRANTS.page(this.database, { ...request, where: [equals('g.granted_org_id', orgId), ...request.where] });
  }
}

function toEntry([row]: ProjectGrantEntry[]): ProjectGrantEntry {
  if (!row) throw projectGrantNotFound();
  return { ...row, sequence: BigInt(row.sequence) };
}

/** Filters for a list of project grants. */
export const projectGrantWhere = {
  isOneOf: (ids: readonly string[]): Condition => isOneOf('g.id', ids),
  ofProject: (id: string): Condition => equals('g.project_id', id),
  ofProjects: (ids: readonly string[]): Condition => isOneOf('g.project_id', ids),
  ofOrg: (orgId: string): Condition => equals('p.org_id', orgId),
  /** Those that these organizations gave, of these projects, and those that they have received. */
  at: (orgIds: readonly string[], projectIds: readonly string[]): Condition =>
    anyOf([isOneOf('p.org_id', orgIds), isOneOf('g.granted_org_id', orgIds), isOneOf('g.project_id', projectIds)]),
  toOrg: (id: string): Condition => equals('g.granted_org_id', id),
  projectName: (how: TextMatch, text: string): Condition => textMatches(searched('p.name'), how, text),
  roleKey: (how: TextMatch, text: string): ListFilter => anyRole('g.role_keys', how, text),
} as const;

/** Whether one of a list of role keys compares like that; each is the key of a role of a project. */
export function anyRole(column: string, how: TextMatch, text: string): ListFilter {
  const matches = textMatches(searched('role_key'), how, text);
  return {
    select: (bind) =>
      `SELECT role_key AS value FROM (SELECT r.key AS role_key FROM project_role r) AS known WHERE ${matches(bind)}`,
    among: (keys) => (bind) => `${column} && ${bind(keys)}::text[]`,
    otherwise: (bind) => `EXISTS (SELECT 1 FROM unnest(${column}) AS role_key WHERE ${matches(bind)})`,
  };
}
