import { Injectable } from '@nestjs/common';
import { anyOf } from '../../foundation/database/condition.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import { allowLongWork } from '../../foundation/database/long-work.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import { type EventMark, lastMark } from '../../foundation/event/journal.js';
import { ClientService } from '../../project/client/client.service.js';
import { PROJECT_IN_PATH } from '../../project/in-path.js';
import type { Project, ProjectState } from '../../project/project.entity.js';
import { systemProjectKept } from '../../project/project.errors.js';
import { type NewProjectSettings, ProjectService, type ProjectSettings } from '../../project/project.service.js';
import { type ProjectColumn, ProjectDirectory, projectWhere } from '../../project/project-directory.js';
import type { ProjectGrantState } from '../../project/project-grant.entity.js';
import { ProjectGrantService } from '../../project/project-grant.service.js';
import { ProjectGrantDirectory } from '../../project/project-grant-directory.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { Actor } from '../../user/permission/actor.js';
import { Memberships } from '../../user/permission/memberships.js';
import { Rights } from '../../user/permission/rights.js';
import { RoleBook } from '../../user/permission/role-book.js';
import { OrgProjects, shownOnly } from './org-projects.js';

/** A manager of a new project. */
export interface FirstManager {
  readonly userId: string;
  /** The manager's roles; empty for PROJECT_OWNER. */
  readonly roles: readonly string[];
}

/** A search of projects. */
export interface ProjectList extends ListRequest<ProjectColumn> {
  /** The organization whose grants are told beside the projects. */
  readonly grantedTo: string | undefined;
}

export type ListedProject = Project & {
  readonly grant?: { readonly orgId: string; readonly orgName: string; readonly state: ProjectGrantState };
};

/** The projects of an organization. */
@Injectable()
export class Projects {
  constructor(
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly projects: ProjectService,
    private readonly directory: ProjectDirectory,
    private readonly grantDirectory: ProjectGrantDirectory,
    private readonly grants: ProjectGrantService,
    private readonly clients: ClientService,
    private readonly userGrants: UserGrantService,
    private readonly memberships: Memberships,
    private readonly book: RoleBook,
  ) {}

  /**
   * Creates a project with its first managers. A creator without a role for the organization's projects becomes its
   * owner.
   * @throws DomainError InvalidArgument; NotFound `user.not_found`; AlreadyExists `project.name_taken`
   */
  async add(actor: Actor, settings: NewProjectSettings, managers: readonly FirstManager[]): Promise<Project> {
    const description = settings.id === undefined ? undefined : PROJECT_IN_PATH.problem(settings.id);
    if (description !== undefined) throw invalidFields([{ field: 'projectId', description }]);
    return this.database.transaction(async (tx) => {
      const project = await this.projects.add(tx, { ...settings, orgId: actor.orgId }, actor.userId);
      const needsOwner = managers.length === 0 && !actor.rights.may('project.write', { orgId: actor.orgId });
      await this.appoint(tx, actor, project, needsOwner ? [{ userId: actor.userId, roles: [] }] : managers);
      return project;
    });
  }

  /** @throws DomainError NotFound `project.not_found` */
  async get(actor: Actor, id: string): Promise<Project> {
    return this.directory.get(actor.orgId, id);
  }

  async list(actor: Actor, request: ListRequest<ProjectColumn>): Promise<Page<Project>> {
    const shown = shownOnly(actor, 'project.read', 'project');
    const where = shown === undefined ? request.where : [...request.where, projectWhere.isOneOf(shown)];
    return this.directory.list(actor.orgId, { ...request, where });
  }

  /**
   * The projects of all organizations that these rights allow to be read. What is granted to an organization may be
   * read by those who may read its projects.
   */
  async listAll(rights: Rights, { grantedTo, where, ...request }: ProjectList): Promise<Page<ListedProject>> {
    const places = rights.placesOf('project.read');
    const isOfReader = grantedTo !== undefined && rights.may('project.read', { orgId: grantedTo });
    const visible =
      places === 'everywhere'
        ? []
        : [
            anyOf([
              projectWhere.at(places.orgIds, places.projectIds),
              ...(isOfReader ? [projectWhere.grantedTo(grantedTo)] : []),
            ]),
          ];
    const page = await this.directory.listAll({ ...request, where: [...visible, ...where] });
    if (grantedTo === undefined) return page;
    const ids = page.rows.map(({ id }) => id);
    const grants = new Map((await this.grantDirectory.listTo(grantedTo, ids)).map((one) => [one.projectId, one]));
    const rows = page.rows.map((project) => {
      const grant = grants.get(project.id);
      return grant
        ? { ...project, grant: { orgId: grantedTo, orgName: grant.grantedOrgName, state: grant.state } }
        : project;
    });
    return { ...page, rows };
  }

  /**
   * Changes what is given.
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; AlreadyExists `project.name_taken`
   */
  async change(actor: Actor, id: string, changes: Partial<ProjectSettings>): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const { name, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting } =
        await this.own.hold(tx, actor, id);
      const settings = { name, projectRoleAssertion, projectRoleCheck, hasProjectCheck, privateLabelingSetting };
      return this.projects.change(tx, id, { ...settings, ...changes }, actor.userId);
    });
  }

  /**
   * @throws DomainError NotFound; PermissionDenied; FailedPrecondition `project.state_unchanged`, `project.is_system`
   */
  async changeState(actor: Actor, id: string, state: ProjectState): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await this.own.hold(tx, actor, id);
      return this.changeStateWithin(tx, actor, id, state);
    });
  }

  /**
   * Like `changeState`, but does nothing to a project that has the state already.
   * @throws DomainError NotFound; PermissionDenied; FailedPrecondition `project.is_system`
   */
  async ensureState(actor: Actor, id: string, state: ProjectState): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      const project = await this.own.hold(tx, actor, id);
      return project.state === state ? lastMark(project) : this.changeStateWithin(tx, actor, id, state);
    });
  }

  /**
   * Removes a project with its applications, grants, user grants and managers, with an event for each.
   * @throws DomainError NotFound; PermissionDenied; FailedPrecondition `project.is_system`
   */
  async remove(actor: Actor, id: string): Promise<EventMark> {
    return this.database.transaction(async (tx) => {
      await allowLongWork(tx);
      await this.own.hold(tx, actor, id);
      await this.checkMayEnd(id);
      await this.userGrants.removeAllOfProject(tx, id, actor.userId);
      for (const grant of await this.grants.allOf(tx, id)) {
        await this.memberships.removeAllOf(
          tx,
          { level: 'project_grant', objectId: grant.id, orgId: grant.grantedOrgId },
          actor.userId,
        );
        await this.grants.remove(tx, id, grant.id, actor.userId, 'project.grant.cascade.removed');
      }
      await this.clients.removeAllOf(tx, id, actor.userId);
      await this.memberships.removeAllOf(tx, { level: 'project', objectId: id, orgId: actor.orgId }, actor.userId);
      return this.projects.remove(tx, id, actor.userId);
    });
  }

  private async changeStateWithin(tx: Transaction, actor: Actor, id: string, state: ProjectState): Promise<EventMark> {
    if (state === 'inactive') await this.checkMayEnd(id);
    return this.projects.changeState(tx, id, state, actor.userId);
  }

  private async checkMayEnd(id: string): Promise<void> {
    if (await this.own.isSystem(id)) throw systemProjectKept();
  }

  /** The creator of a project may grant everything that its owner may. */
  private async appoint(
    tx: Transaction,
    actor: Actor,
    project: Project,
    managers: readonly FirstManager[],
  ): Promise<void> {
    const object = { level: 'project', objectId: project.id, orgId: project.orgId } as const;
    this.checkRoles(managers);
    const owner: Actor = { ...actor, rights: new Rights([{ ...object, roles: ['PROJECT_OWNER'] }], this.book) };
    for (const { userId, roles } of managers) {
      const given = roles.length === 0 ? ['PROJECT_OWNER'] : roles;
      if (userId !== actor.userId) await this.own.checkSeesUser(tx, actor, userId);
      this.memberships.checkMayGive(owner, object, given);
      await this.memberships.add(tx, { ...object, userId, roles: given }, actor.userId);
    }
  }

  private checkRoles(managers: readonly FirstManager[]): void {
    const violations = managers.flatMap(({ roles }, index) =>
      roles
        .filter((role) => !this.book.isOf('project', role))
        .map((role) => ({
          field: `admins[${index}].roles`,
          description: `the role ${role} does not exist at this level`,
        })),
    );
    if (violations.length > 0) throw invalidFields(violations);
  }
}
