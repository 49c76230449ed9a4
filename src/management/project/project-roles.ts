import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import { allowLongWork } from '../../foundation/database/long-work.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { ProjectDirectory, type RoleColumn, roleWhere } from '../../project/project-directory.js';
import { ProjectGrantService } from '../../project/project-grant.service.js';
import { ProjectGrantDirectory } from '../../project/project-grant-directory.js';
import type { ProjectRole } from '../../project/project-role.entity.js';
import { type ChangedRole, type NewRole, ProjectRoleService } from '../../project/project-role.service.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { OrgProjects } from './org-projects.js';

/** The roles of an organization's projects. */
@Injectable()
export class ProjectRoles {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly roles: ProjectRoleService,
    private readonly directory: ProjectDirectory,
    private readonly grantDirectory: ProjectGrantDirectory,
    private readonly grants: ProjectGrantService,
    private readonly userGrants: UserGrantService,
  ) {}

  /** @throws DomainError NotFound; PermissionDenied; AlreadyExists `project.role_taken` */
  async add(actor: Actor, projectId: string, role: NewRole): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      return this.roles.add(tx, projectId, role, actor.userId);
    });
  }

  /**
   * Adds all roles or none.
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; AlreadyExists `project.role_taken`
   */
  async addMany(actor: Actor, projectId: string, roles: readonly NewRole[]): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      return this.roles.addMany(tx, projectId, roles, actor.userId);
    });
  }

  /**
   * Changes what is given.
   * @throws DomainError NotFound `project.not_found`, `project.role_not_found`; PermissionDenied
   */
  async change(actor: Actor, projectId: string, role: ChangedRole): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, projectId);
      return this.roles.change(tx, projectId, role, actor.userId);
    });
  }

  /**
   * Removes the role from the project, its grants and all its holders, with an event for each.
   * @throws DomainError NotFound; PermissionDenied
   */
  async remove(actor: Actor, projectId: string, key: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      await this.own.hold(tx, actor, projectId);
      const mark = await this.roles.remove(tx, projectId, key, actor.userId);
      await this.grants.withdrawRole(tx, projectId, key, actor.userId);
      await this.userGrants.withdrawRole(tx, projectId, key, actor.userId);
      return mark;
    });
  }

  /** @throws DomainError NotFound `project.not_found` */
  async list(actor: Actor, projectId: string, request: ListRequest<RoleColumn>): Promise<Page<ProjectRole>> {
    await this.directory.get(actor.orgId, projectId);
    return this.directory.listRoles(projectId, request);
  }

  /**
   * The roles of a granted project.
   * @throws DomainError NotFound `project_grant.not_found`
   */
  async listGranted(
    actor: Actor,
    projectId: string,
    grantId: string,
    request: ListRequest<RoleColumn>,
  ): Promise<Page<ProjectRole>> {
    const { roleKeys } = await this.grantDirectory.getReceived(actor.orgId, projectId, grantId);
    return this.directory.listRoles(projectId, { ...request, where: [...request.where, roleWhere.isOneOf(roleKeys)] });
  }
}
