import { Injectable } from '@nestjs/common';
import { Database, type Transaction, type Transactional } from '../../foundation/database/database.js';
import type { ListRequest, Page } from '../../foundation/database/listing.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import type { UserGroup } from '../../user/group/group.entity.js';
import { GroupService, type GroupSettings } from '../../user/group/group.service.js';
import { type GroupColumn, GroupDirectory, groupFilter } from '../../user/group/group-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { permissionMissing } from '../../user/permission/permission.errors.js';
import type { Rights } from '../../user/permission/rights.js';
import type { Permission } from '../../user/permission/role.js';

/**
 * The groups of the organization that a call is about. Members of a group hold the roles that are granted to it, so who
 * changes them needs the permission to grant and remove roles as well, as soon as there are any (ADM-062). `on`: the
 * transaction to take part in, in place of one of its own.
 */
@Injectable()
export class Groups {
  constructor(
    private readonly database: Database,
    private readonly groups: GroupService,
    private readonly grants: UserGrantService,
    private readonly directory: GroupDirectory,
  ) {}

  /** The groups of all organizations that these rights allow to be read. */
  async listAll(rights: Rights, request: ListRequest<GroupColumn>): Promise<Page<UserGroup>> {
    const places = rights.placesOf('group.read');
    const visible = places === 'everywhere' ? [] : [groupFilter.ofOrgs(places.orgIds)];
    return this.directory.listAll({ ...request, where: [...visible, ...request.where] });
  }

  /** @throws DomainError InvalidArgument; AlreadyExists `group.name_taken`, `group.id_taken` */
  async create(
    actor: Actor,
    { id, ...settings }: GroupSettings & { readonly id: string },
    on: Transactional = this.database,
  ): Promise<UserGroup> {
    const group = { ...settings, orgId: actor.orgId, ...(id === '' ? {} : { id }) };
    return on.transaction((tx) => this.groups.add(tx, group, actor.userId));
  }

  /** @throws DomainError NotFound `group.not_found`; InvalidArgument; AlreadyExists `group.name_taken` */
  async change(
    actor: Actor,
    id: string,
    settings: Partial<GroupSettings> | ((group: UserGroup) => Promise<Partial<GroupSettings>>),
    on?: Transactional,
  ): Promise<EventMark> {
    const change = async (tx: Transaction, group: UserGroup): Promise<EventMark> => {
      const wanted = typeof settings === 'function' ? await settings(group) : settings;
      return this.groups.change(tx, group, wanted, actor.userId);
    };
    return this.holding(actor, id, change, on);
  }

  /** With its grants. @throws DomainError NotFound `group.not_found`; PermissionDenied */
  async remove(actor: Actor, id: string, on?: Transactional): Promise<EventMark> {
    const remove = async (tx: Transaction, group: UserGroup): Promise<EventMark> => {
      await this.checkMayGrant(tx, actor, id, 'user.grant.delete');
      await this.grants.removeAllOfGroup(tx, id, actor.userId);
      return this.groups.remove(tx, group, actor.userId);
    };
    return this.holding(actor, id, remove, on);
  }

  /** @throws DomainError NotFound `group.not_found`; InvalidArgument for unknown users; PermissionDenied */
  async addMembers(actor: Actor, id: string, userIds: readonly string[], on?: Transactional): Promise<EventMark> {
    const add = async (tx: Transaction, group: UserGroup): Promise<EventMark> => {
      await this.checkMayGrant(tx, actor, id, 'user.grant.write');
      return this.groups.addMembers(tx, group, userIds, actor.userId);
    };
    return this.holding(actor, id, add, on);
  }

  /** @throws DomainError NotFound `group.not_found`; PermissionDenied */
  async removeMembers(actor: Actor, id: string, userIds: readonly string[], on?: Transactional): Promise<EventMark> {
    const remove = async (tx: Transaction, group: UserGroup): Promise<EventMark> => {
      await this.checkMayGrant(tx, actor, id, 'user.grant.delete');
      return this.groups.removeMembers(tx, group, userIds, actor.userId);
    };
    return this.holding(actor, id, remove, on);
  }

  /**
   * From now on exactly these users are members.
   * @throws DomainError NotFound `group.not_found`; InvalidArgument for unknown users; PermissionDenied
   */
  async replaceMembers(actor: Actor, id: string, userIds: readonly string[], on?: Transactional): Promise<EventMark> {
    const replace = async (tx: Transaction, group: UserGroup): Promise<EventMark> => {
      const { joining, leaving } = await this.groups.differencesTo(tx, id, userIds);
      if (joining.length > 0) await this.checkMayGrant(tx, actor, id, 'user.grant.write');
      if (leaving.length > 0) await this.checkMayGrant(tx, actor, id, 'user.grant.delete');
      const left = await this.groups.removeMembers(tx, group, leaving, actor.userId);
      return joining.length === 0 ? left : this.groups.addMembers(tx, group, joining, actor.userId);
    };
    return this.holding(actor, id, replace, on);
  }

  private async holding(
    actor: Actor,
    id: string,
    work: (tx: Transaction, group: UserGroup) => Promise<EventMark>,
    on: Transactional = this.database,
  ): Promise<EventMark> {
    return on.transaction(async (tx) => work(tx, await this.groups.getLocked(tx, actor.orgId, id)));
  }

  /** The group is locked, so that nothing is granted to it meanwhile. */
  private async checkMayGrant(tx: Transaction, actor: Actor, id: string, permission: Permission): Promise<void> {
    if (actor.rights.may(permission, { orgId: actor.orgId })) return;
    if (await this.grants.hasGrants(tx, id)) throw permissionMissing(permission);
  }
}
