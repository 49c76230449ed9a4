import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ListFilter } from '../../foundation/database/condition.js';
import { Database, type Transaction, type Transactional } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { Project } from '../../project/project.entity.js';
import { projectGrantNotFound, projectNotFound } from '../../project/project.errors.js';
import { ProjectGrant } from '../../project/project-grant.entity.js';
import type { UserGrant } from '../../project/user-grant/user-grant.entity.js';
import { projectGrantInactive, userGrantNotFound } from '../../project/user-grant/user-grant.errors.js';
import { type GrantHolder, UserGrantService } from '../../project/user-grant/user-grant.service.js';
import {
  type AnyUserGrantColumn,
  type GroupGrantEntry,
  type UserGrantColumn,
  UserGrantDirectory,
  type UserGrantEntry,
  type UserGrantWithRoles,
  userGrantFilter,
} from '../../project/user-grant/user-grant-directory.js';
import { GroupService } from '../../user/group/group.service.js';
import { GroupDirectory } from '../../user/group/group-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import type { Rights } from '../../user/permission/rights.js';
import type { Permission } from '../../user/permission/role.js';
import { OrgProjects } from './org-projects.js';

const ONE = { offset: 0n, limit: 1, ascending: true, sortBy: 'id' } as const;

/** The roles to grant, and who is to hold them. */
export interface NewRoles {
  readonly holder: GrantHolder;
  readonly projectId: string;
  /** Empty: the project is the organization's own, or was granted to it once. */
  readonly projectGrantId: string;
  readonly roleKeys: readonly string[];
}

/** The location of a grant. */
export type UserGrantPlace = GrantHolder & { readonly grantId: string };

/**
 * The roles that an organization grants to users and to its groups: of its own projects, and of those granted to it.
 * `on`: the transaction to take part in, in place of one of its own.
 */
@Injectable()
export class UserGrants {
  constructor(
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(ProjectGrant) private readonly projectGrants: Repository<ProjectGrant>,
    private readonly database: Database,
    private readonly own: OrgProjects,
    private readonly grants: UserGrantService,
    private readonly directory: UserGrantDirectory,
    private readonly groups: GroupService,
    private readonly groupDirectory: GroupDirectory,
  ) {}

  /**
   * @throws DomainError InvalidArgument; NotFound; PermissionDenied; FailedPrecondition; AlreadyExists
   * `user_grant.exists`, `group_grant.exists`
   */
  async add(
    actor: Actor,
    input: NewRoles,
    on: Transactional = this.database,
  ): Promise<{ id: string; mark: EventMark }> {
    return on.transaction(async (tx) => {
      const projectGrantId = await this.findProjectGrant(tx, actor, input);
      checkReach(actor, 'user.grant.write', { projectId: input.projectId, projectGrantId: projectGrantId ?? null });
      // A group is held, so that nobody removes it meanwhile; only its own organization grants it anything.
      if ('groupId' in input.holder) await this.groups.getLocked(tx, actor.orgId, input.holder.groupId);
      else await this.own.checkSeesUser(tx, actor, input.holder.userId);
      return this.grants.add(tx, { ...input, projectGrantId, orgId: actor.orgId }, actor.userId);
    });
  }

  /** @throws DomainError InvalidArgument; NotFound; PermissionDenied */
  async change(
    actor: Actor,
    place: UserGrantPlace,
    roleKeys: readonly string[],
    on?: Transactional,
  ): Promise<EventMark> {
    const change = (tx: Transaction, id: string): Promise<EventMark> =>
      this.grants.changeRoles(tx, id, roleKeys, actor.userId);
    return this.changing(actor, 'user.grant.write', place, change, on);
  }

  /** @throws DomainError NotFound; PermissionDenied; FailedPrecondition `user_grant.state_unchanged` */
  async changeState(actor: Actor, place: UserGrantPlace, state: UserGrant['state']): Promise<EventMark> {
    return this.changing(actor, 'user.grant.write', place, (tx, id) =>
      this.grants.changeState(tx, id, state, actor.userId),
    );
  }

  /** @throws DomainError NotFound; PermissionDenied */
  async remove(actor: Actor, place: UserGrantPlace, on?: Transactional): Promise<EventMark> {
    const remove = (tx: Transaction, id: string): Promise<EventMark> => this.grants.remove(tx, id, actor.userId);
    return this.changing(actor, 'user.grant.delete', place, remove, on);
  }

  /** Removes all of them or none. @throws DomainError NotFound; PermissionDenied */
  async removeMany(actor: Actor, ids: readonly string[]): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const id of [...new Set(ids)].sort()) {
        await this.get(tx, actor, 'user.grant.delete', { id });
        await this.grants.remove(tx, id, actor.userId);
      }
    });
  }

  /** @throws DomainError NotFound `user_grant.not_found` */
  async find(actor: Actor, { userId, grantId }: { userId: string; grantId: string }): Promise<UserGrantEntry> {
    const filters = [userGrantFilter.id(grantId), userGrantFilter.user(userId)];
    const { rows } = await this.list(actor, filters, false, { ...ONE, where: [] });
    const [entry] = rows;
    if (!entry) throw userGrantNotFound();
    return entry;
  }

  /** `withGranted`: also those granted by organizations to which projects of this one are granted. */
  async list(
    actor: Actor,
    filters: readonly ListFilter[],
    withGranted: boolean,
    request: ListRequest<UserGrantColumn>,
  ): Promise<Page<UserGrantEntry>> {
    const { orgId } = actor;
    const owner = withGranted ? userGrantFilter.concerning(orgId) : userGrantFilter.givenBy(orgId);
    return this.directory.list({ ...request, where: [owner, ...shown(actor), ...filters] });
  }

  /** Those of users of all organizations, where these rights allow to read them. */
  async listAll(rights: Rights, request: ListRequest<AnyUserGrantColumn>): Promise<Page<UserGrantWithRoles>> {
    const places = rights.placesOf('user.grant.read');
    const visible = places === 'everywhere' ? [] : [userGrantFilter.at(places)];
    return this.directory.listAll({ ...request, where: [...visible, ...request.where] });
  }

  /** @throws DomainError NotFound `group.not_found`, `user_grant.not_found` */
  async findOfGroup(
    actor: Actor,
    { groupId, grantId }: { groupId: string; grantId: string },
  ): Promise<GroupGrantEntry> {
    const { rows } = await this.listOfGroup(actor, groupId, { ...ONE, where: [userGrantFilter.id(grantId)] });
    const [entry] = rows;
    if (!entry) throw userGrantNotFound();
    return entry;
  }

  /** @throws DomainError NotFound `group.not_found` */
  async listOfGroup(
    actor: Actor,
    groupId: string,
    request: ListRequest<UserGrantColumn>,
  ): Promise<Page<GroupGrantEntry>> {
    await this.groupDirectory.get(actor.orgId, groupId);
    return this.directory.listOfGroup(groupId, { ...request, where: [...shown(actor), ...request.where] });
  }

  /**
   * The grant of the project to the organization; undefined if the project is its own.
   * @throws DomainError NotFound; FailedPrecondition
   */
  private async findProjectGrant(
    tx: Transaction,
    actor: Actor,
    { projectId, projectGrantId }: NewRoles,
  ): Promise<string | undefined> {
    const isOwn = await tx.of(this.projects).existsBy({ id: projectId, orgId: actor.orgId });
    if (isOwn && projectGrantId === '') return undefined;
    const where = { projectId, grantedOrgId: actor.orgId, ...(projectGrantId === '' ? {} : { id: projectGrantId }) };
    const grant = await tx.of(this.projectGrants).findOneBy(where);
    if (!grant) throw isOwn ? projectGrantNotFound() : projectNotFound();
    if (grant.state !== 'active') throw projectGrantInactive();
    return grant.id;
  }

  private async changing(
    actor: Actor,
    permission: Permission,
    { grantId, ...holder }: UserGrantPlace,
    work: (tx: Transaction, id: string) => Promise<EventMark>,
    on: Transactional = this.database,
  ): Promise<EventMark> {
    return on.transaction(async (tx) => {
      await this.get(tx, actor, permission, { id: grantId, ...holder });
      return work(tx, grantId);
    });
  }

  private async get(
    tx: Transaction,
    actor: Actor,
    permission: Permission,
    where: { id: string; userId?: string; groupId?: string },
  ): Promise<void> {
    const grant = await this.grants.get(tx, { ...where, orgId: actor.orgId });
    checkReach(actor, permission, grant);
  }
}

/** What managers of individual projects and project grants see: the grants of those. */
function shown({ rights, orgId }: Actor): ListFilter[] {
  if (rights.may('user.grant.read', { orgId })) return [];
  const [projects, projectGrants] = (['project', 'project_grant'] as const).map((level) =>
    rights.objectsWith('user.grant.read', level, orgId),
  );
  return [userGrantFilter.within(projects!, projectGrants!)];
}

/**
 * Requires a role for the organization, for the project, or for the grant of it.
 * @throws DomainError PermissionDenied
 */
function checkReach(
  actor: Actor,
  permission: Permission,
  { projectId, projectGrantId }: Pick<UserGrant, 'projectId' | 'projectGrantId'>,
): void {
  const reach = { orgId: actor.orgId, projectId, grantId: projectGrantId ?? undefined };
  if (!actor.rights.may(permission, reach)) throw permissionMissing(permission);
}
