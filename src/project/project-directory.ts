import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { columnsOf } from '../foundation/database/columns.js';
import {
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
import { Project } from './project.entity.js';
import { projectNotFound } from './project.errors.js';
import { ProjectRole } from './project-role.entity.js';

export type ProjectColumn = 'name';
export type RoleColumn = 'key';

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
  sort: { name: 'p.name' },
});

const ROLES = new Listing<ProjectRole, RoleColumn>({
  select: columnsOf(ProjectRole, 'r', ['projectId', 'key', 'displayName', 'roleGroup', ...HISTORY]),
  from: 'project_role r',
  key: 'r.key',
  sort: { key: 'r.key' },
});

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
} as const;

/** Filters for a list of roles. */
export const roleWhere = {
  key: (how: TextMatch, text: string): Condition => textMatches(searched('r.key'), how, text),
  displayName: (how: TextMatch, text: string): Condition => textMatches(searched('r.display_name'), how, text),
  isOneOf: (keys: readonly string[]): Condition => isOneOf('r.key', keys),
} as const;
