import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import {
  anyOf,
  type Condition,
  equals,
  isOneOf,
  searched,
  type TextMatch,
  textMatches,
} from '../foundation/database/condition.js';
import { Database } from '../foundation/database/database.js';
import { Listing, type ListRequest, type Page } from '../foundation/database/listing.js';
import { HISTORY } from '../foundation/database/recorded.js';
import { statement } from '../foundation/database/statement.js';
import { Project } from './project.entity.js';
import { projectNotFound } from './project.errors.js';
import { ProjectRole } from './project-role.entity.js';

export type ProjectColumn = 'id' | 'name' | 'creationDate' | 'changeDate';
export type RoleColumn = 'key' | 'creationDate' | 'changeDate';

const PROJECTS = new Listing<Project, ProjectColumn>({
  select: columnsOf(Project, 'p', [
    'id',
    'orgId',
    'name',
    'state',
    'projectRoleAssertion',
    'projectRoleCheck',
    'hasProjectCheck',
    'privateLabelingSetting',
    ...HISTORY,
  ]),
  from: 'project p',
  key: 'p.id',
  sort: { id: 'p.id', name: 'p.name', creationDate: 'p.creation_date', changeDate: 'p.change_date' },
});

const ROLES = new Listing<ProjectRole, RoleColumn>({
  select: columnsOf(ProjectRole, 'r', ['projectId', 'key', 'displayName', 'roleGroup', ...HISTORY]),
  from: 'project_role r',
  key: 'r.key',
  sort: { key: 'r.key', creationDate: 'r.creation_date', changeDate: 'r.change_date' },
});

const OWNER = statement('project.owner', 'SELECT org_id AS "orgId" FROM project WHERE id = :id').rows<{
  orgId: string;
}>();

/** Looks up projects of an organization, and their roles. */
@Injectable()
export class ProjectDirectory {
  constructor(
    @InjectRepository(Project) private readonly rows: Repository<Project>,
    private readonly database: Database,
  ) {}

  /** @throws DomainError NotFound `project.not_found`, also for a project of another organization */
  async get(orgId: string, id: string): Promise<Project> {
    const project = await this.rows.findOneBy({ id, orgId });
    if (!project) throw projectNotFound();
    return project;
  }

  /** The organization that owns it. */
  async findOwner(id: string): Promise<string | undefined> {
    const [row] = await this.database.query(OWNER, { id });
    return row?.orgId;
  }

  /** Projects of any organization, for those who may read them there (`projectWhere.at`). */
  async listAll(request: ListRequest<ProjectColumn>): Promise<Page<Project>> {
    return PROJECTS.page(this.database, request);
  }

  async list(orgId: string, request: ListRequest<ProjectColumn>): Promise<Page<Project>> {
    return PROJECTS.page(this.database, { ...request, where: [equals('p.org_id', orgId), ...request.where] });
  }

  async listRoles(projectId: string, request: ListRequest<RoleColumn>): Promise<Page<ProjectRole>> {
    return ROLES.page(this.database, { ...request, where: [equals('r.project_id', projectId), ...request.where] });
  }
}

/** Filters for a list of projects. */
export const projectWhere = {
  name: (how: TextMatch, text: string): Condition => textMatches(searched('p.name'), how, text),
  ofOrg: (orgId: string): Condition => equals('p.org_id', orgId),
  isOneOf: (ids: readonly string[]): Condition => isOneOf('p.id', ids),
  /** Those of these organizations, and these. */
  at: (orgIds: readonly string[], ids: readonly string[]): Condition =>
    anyOf([isOneOf('p.org_id', orgIds), isOneOf('p.id', ids)]),
  grantedTo:
    (orgId: string): Condition =>
    (bind) =>
      `EXISTS (SELECT 1 FROM project_grant g WHERE g.project_id = p.id AND g.granted_org_id = ${bind(orgId)})`,
  ownedOrGrantedTo: (orgId: string): Condition => anyOf([projectWhere.ofOrg(orgId), projectWhere.grantedTo(orgId)]),
} as const;

/** Filters for a list of roles. */
export const roleWhere = {
  key: (how: TextMatch, text: string): Condition => textMatches(searched('r.key'), how, text),
  displayName: (how: TextMatch, text: string): Condition => textMatches(searched('r.display_name'), how, text),
  isOneOf: (keys: readonly string[]): Condition => isOneOf('r.key', keys),
} as const;
