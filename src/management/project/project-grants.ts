import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import { allowLongWork } from '../../foundation/database/long-work.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { projectGrantNotFound } from '../../project/project.errors.js';
import { ProjectDirectory } from '../../project/project-directory.js';
import type { ProjectGrantState } from '../../project/project-grant.entity.js';
import { type NewProjectGrant, ProjectGrantService } from '../../project/project-grant.service.js';
import {
  type ProjectGrantColumn,
  ProjectGrantDirectory,
  type ProjectGrantEntry,
  projectGrantWhere,
} from '../../project/project-grant-directory.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import type { Rights } from '../../user/permission/rights.js';
import { OrgProjects, shownOnly } from './org-projects.js';

type GrantList = ListRequest<ProjectGrantColumn>;

/** Projects that an organization grants to others, and those granted to it. */
@Injectable()
export class ProjectGrants {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly projects: ProjectDirectory,
    private readonly directory: ProjectGrantDirectory,
    private readonly grants: ProjectGrantService,
    private readonly userGrants: UserGrantService,
    private readonly memberships: Memberships,
  ) {}

  /**
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; FailedPrecondition; AlreadyExists
   * `project_grant.exists`
   */
  async add(actor: Actor, input: Omit<NewProjectGrant, 'id'>): Promise<{ id: string; mark: EventMark }> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, input.projectId);
      return this.grants.add(tx, input, actor.userId);
    });
  }

  /**
   * Users who got roles through the grant lose those that it no longer contains.
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied
   */
  async change(actor: Actor, projectId: string, id: string, roleKeys: readonly string[]): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      await this.own.hold(tx, actor, projectId);
      const mark = await this.grants.changeRoles(tx, projectId, id, roleKeys, actor.userId);
      await this.userGrants.keepRoles(tx, id, roleKeys, actor.userId);
      return mark;
    });
  }

  /** @throws DomainError NotFound; PermissionDenied; FailedPrecondition `project_grant.state_unchanged` */
  async changeState(actor: Actor, projectId: string, id: string, state: ProjectGrantState): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      return this.grants.changeState(tx, projectId, id, state, actor.userId);
    });
  }

  /**
   * Removes the grant and everything that was granted through it, with an event for each.
   * @throws DomainError NotFound; PermissionDenied
   */
  async remove(actor: Actor, projectId: string, id: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      await this.own.hold(tx, actor, projectId);
      const grant = await this.grants.getLocked(tx, projectId, id);
      await this.userGrants.removeAllOfProjectGrant(tx, id, actor.userId);
      await this.memberships.removeAllOf(
        tx,
        { level: 'project_grant', objectId: id, orgId: grant.grantedOrgId },
        actor.userId,
      );
      return this.grants.remove(tx, projectId, id, actor.userId);
    });
  }

  /** @throws DomainError NotFound `project_grant.not_found` */
  async get(actor: Actor, projectId: string, id: string): Promise<ProjectGrantEntry> {
    return this.directory.getGiven(actor.orgId, projectId, id);
  }

  /**
   * The grant of a project to an organization.
   * @throws DomainError NotFound `project_grant.not_found`
   */
  async getTo(actor: Actor, projectId: string, grantedOrgId: string): Promise<ProjectGrantEntry> {
    const grant = await this.directory.getTo(grantedOrgId, projectId);
    if (grant.orgId !== actor.orgId) throw projectGrantNotFound();
    return grant;
  }

  /** Lists the grants, given and received, of all organizations and projects where these rights allow to read them. */
  async listAll(rights: Rights, request: GrantList): Promise<Page<ProjectGrantEntry>> {
    const places = rights.placesOf('project.grant.read');
    const visible = places === 'everywhere' ? [] : [projectGrantWhere.at(places.orgIds, places.projectIds)];
    return this.directory.listAll({ ...request, where: [...visible, ...request.where] });
  }

  /** @throws DomainError NotFound `project.not_found` */
  async listOfProject(actor: Actor, projectId: string, request: GrantList): Promise<Page<ProjectGrantEntry>> {
    await this.projects.get(actor.orgId, projectId);
    return this.directory.listGiven(actor.orgId, {
      ...request,
      where: [...request.where, projectGrantWhere.ofProject(projectId)],
    });
  }

  /** Lists the grants of all projects of the organization. */
  async list(actor: Actor, request: GrantList): Promise<Page<ProjectGrantEntry>> {
    const shown = shownOnly(actor, 'project.grant.read', 'project');
    const where = shown === undefined ? request.where : [...request.where, projectGrantWhere.ofProjects(shown)];
    return this.directory.listGiven(actor.orgId, { ...request, where });
  }

  /**
   * A project that was granted to the organization.
   * @throws DomainError NotFound `project_grant.not_found`
   */
  async getReceived(actor: Actor, projectId: string, id: string): Promise<ProjectGrantEntry> {
    return this.directory.getReceived(actor.orgId, projectId, id);
  }

  async listReceived(actor: Actor, request: GrantList): Promise<Page<ProjectGrantEntry>> {
    const shown = shownOnly(actor, 'project.read', 'project_grant');
    const where = shown === undefined ? request.where : [...request.where, projectGrantWhere.isOneOf(shown)];
    return this.directory.listReceived(actor.orgId, { ...request, where });
  }
}
