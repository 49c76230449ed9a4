import { allOf, anyOf, type Condition, not } from '../../foundation/database/condition.js';
import type { Database, Transaction } from '../../foundation/database/database.js';
import { type SqlTransaction, selectionOf, transactionOrDatabase } from '../../foundation/extension/sql.js';
import type { Groups } from '../../management/user/groups.js';
import type { UserGroup } from '../../user/group/group.entity.js';
import type { GroupService } from '../../user/group/group.service.js';
import { type GroupDirectory, groupFilter } from '../../user/group/group-directory.js';
import type { Actor } from '../../user/permission/actor.js';
import { actorWith, type Caller } from './caller.js';
import {
  type Excerpt,
  type MomentComparison,
  rangeOf,
  type SelectedIds,
  type TextComparison,
  textMatchOf,
} from './filter.js';

/** A group of users of one organization. Members may be added in a minor version. @public */
export interface ManagedGroup {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly description: string;
  readonly createdAt: Date;
  /** When it was changed, or somebody joined or left it. */
  readonly changedAt: Date;
  /** Grows with each such change. */
  readonly sequence: bigint;
}

/** @public */
export interface ManagedGroupSettings {
  /** 1 to 200 characters; no other group of the organization has it, in whichever case. */
  readonly name: string;
  /** At most 500 characters. */
  readonly description?: string;
}

/** @public */
export interface ManagedGroupMember {
  readonly userId: string;
  readonly kind: 'human' | 'service';
  readonly displayName: string;
}

/** Which groups a list shows. @public */
export type GroupFilter =
  | TextComparison<'name'>
  | MomentComparison
  | { readonly field: 'id'; readonly in: readonly string[] }
  | { readonly member: string }
  | SelectedIds
  | { readonly all: readonly GroupFilter[] }
  | { readonly any: readonly GroupFilter[] }
  | { readonly not: GroupFilter };

/** @public */
export interface GroupQuery extends Excerpt {
  readonly where?: GroupFilter;
}

/**
 * Groups of an organization, as a caller may manage them there: each method checks the permission of the caller. Who
 * changes the members of a group that has grants needs `user.grant.write` and `user.grant.delete` as well. Each method
 * takes part in a transaction that it is given, and has one of its own otherwise. Inject it by this class.
 * @public
 */
export abstract class ManagedGroups {
  /** `group.read` */
  abstract find(caller: Caller, groupId: string, tx?: SqlTransaction): Promise<ManagedGroup | undefined>;

  /** In the order of their ids, with the exact total; `group.read`. */
  abstract list(
    caller: Caller,
    query: GroupQuery,
  ): Promise<{ readonly groups: readonly ManagedGroup[]; readonly total: number }>;

  /** `group.write` @throws DomainError InvalidArgument; AlreadyExists `group.name_taken` */
  abstract add(caller: Caller, group: ManagedGroupSettings, tx?: SqlTransaction): Promise<ManagedGroup>;

  /**
   * `group.write`
   * @param make what changes, of the group as it is, which is locked until the transaction ends; it may throw
   * @throws DomainError NotFound `group.not_found`; InvalidArgument; AlreadyExists `group.name_taken`
   */
  abstract change(
    caller: Caller,
    groupId: string,
    make: (group: ManagedGroup) => Partial<ManagedGroupSettings> | Promise<Partial<ManagedGroupSettings>>,
    tx?: SqlTransaction,
  ): Promise<ManagedGroup>;

  /** With its grants; `group.delete`. @throws DomainError NotFound `group.not_found`; PermissionDenied */
  abstract remove(caller: Caller, groupId: string, tx?: SqlTransaction): Promise<void>;

  /** The first members of several groups by the ids of the groups, in the order of the users' ids; `group.read`. */
  abstract members(
    caller: Caller,
    groupIds: readonly string[],
    options: { readonly limit: number },
  ): Promise<ReadonlyMap<string, readonly ManagedGroupMember[]>>;

  /**
   * `group.write`
   * @throws DomainError NotFound `group.not_found`; InvalidArgument for ids that are no users of the organization;
   * PermissionDenied
   */
  abstract addMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup>;

  /**
   * Who is no member is passed over; `group.write`.
   * @throws DomainError NotFound `group.not_found`; PermissionDenied
   */
  abstract removeMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup>;

  /** From now on exactly these users are members; as `addMembers` and `removeMembers`. */
  abstract replaceMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup>;

  /** The groups of several users by the ids of the users; `group.read`. */
  abstract ofUsers(
    caller: Caller,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyArray<Pick<ManagedGroup, 'id' | 'name'>>>>;
}

/** The façade over the product's use cases. */
export class SharedManagedGroups extends ManagedGroups {
  constructor(
    private readonly database: Database,
    private readonly groups: Groups,
    private readonly service: GroupService,
    private readonly directory: GroupDirectory,
  ) {
    super();
  }

  override async find(caller: Caller, groupId: string, tx?: SqlTransaction): Promise<ManagedGroup | undefined> {
    const { orgId } = actorWith(caller, 'group.read');
    const on = transactionOrDatabase(tx, this.database);
    const group = await this.service.readOf(on, orgId, groupId);
    return group && toManaged(group);
  }

  override async list(
    caller: Caller,
    { where, ...excerpt }: GroupQuery,
  ): Promise<{ readonly groups: readonly ManagedGroup[]; readonly total: number }> {
    const { orgId } = actorWith(caller, 'group.read');
    const range = { ...rangeOf(excerpt), sortBy: 'id', ascending: true } as const;
    const { rows, total } = await this.directory.list(orgId, {
      ...range,
      where: where === undefined ? [] : [toCondition(where)],
    });
    return { groups: rows.map(toManaged), total: Number(total) };
  }

  override async add(
    caller: Caller,
    { name, description = '' }: ManagedGroupSettings,
    tx?: SqlTransaction,
  ): Promise<ManagedGroup> {
    const actor = actorWith(caller, 'group.write');
    return toManaged(
      await this.groups.create(actor, { id: '', name, description }, transactionOrDatabase(tx, this.database)),
    );
  }

  override async change(
    caller: Caller,
    groupId: string,
    make: (group: ManagedGroup) => Partial<ManagedGroupSettings> | Promise<Partial<ManagedGroupSettings>>,
    tx?: SqlTransaction,
  ): Promise<ManagedGroup> {
    const actor = actorWith(caller, 'group.write');
    const change = async (group: UserGroup): Promise<Partial<ManagedGroupSettings>> => make(toManaged(group));
    return this.after(tx, actor, groupId, (on) => this.groups.change(actor, groupId, change, on));
  }

  override async remove(caller: Caller, groupId: string, tx?: SqlTransaction): Promise<void> {
    await this.groups.remove(actorWith(caller, 'group.delete'), groupId, transactionOrDatabase(tx, this.database));
  }

  override async members(
    caller: Caller,
    groupIds: readonly string[],
    { limit }: { readonly limit: number },
  ): Promise<ReadonlyMap<string, readonly ManagedGroupMember[]>> {
    const { orgId } = actorWith(caller, 'group.read');
    const found = await this.directory.firstMembersOf(orgId, groupIds, limit);
    const members = found.map(({ groupId, userId, userKind: kind, displayName }) => ({
      groupId,
      member: { userId, kind, displayName },
    }));
    const byGroup = Map.groupBy(members, ({ groupId }) => groupId);
    return new Map(groupIds.map((id) => [id, (byGroup.get(id) ?? []).map(({ member }) => member)]));
  }

  override async addMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup> {
    const actor = actorWith(caller, 'group.write');
    return this.after(tx, actor, groupId, (on) => this.groups.addMembers(actor, groupId, userIds, on));
  }

  override async removeMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup> {
    const actor = actorWith(caller, 'group.write');
    return this.after(tx, actor, groupId, (on) => this.groups.removeMembers(actor, groupId, userIds, on));
  }

  override async replaceMembers(
    caller: Caller,
    groupId: string,
    userIds: readonly string[],
    tx?: SqlTransaction,
  ): Promise<ManagedGroup> {
    const actor = actorWith(caller, 'group.write');
    return this.after(tx, actor, groupId, (on) => this.groups.replaceMembers(actor, groupId, userIds, on));
  }

  override async ofUsers(
    caller: Caller,
    userIds: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyArray<Pick<ManagedGroup, 'id' | 'name'>>>> {
    const { orgId } = actorWith(caller, 'group.read');
    const byUser = Map.groupBy(await this.directory.groupsOf(orgId, userIds), ({ userId }) => userId);
    return new Map(
      userIds.map((id) => [id, (byUser.get(id) ?? []).map((group) => ({ id: group.id, name: group.name }))]),
    );
  }

  /** The group after some work in a transaction. */
  private async after(
    tx: SqlTransaction | undefined,
    { orgId }: Actor,
    groupId: string,
    work: (on: Transaction) => Promise<unknown>,
  ): Promise<ManagedGroup> {
    return transactionOrDatabase(tx, this.database).transaction(async (on) => {
      await work(on);
      return toManaged(await this.service.getLocked(on, orgId, groupId));
    });
  }
}

function toManaged(group: UserGroup): ManagedGroup {
  const { id, orgId, name, description, creationDate: createdAt, changeDate: changedAt, sequence } = group;
  return { id, orgId, name, description, createdAt, changedAt, sequence };
}

/** The filter in the words of the product. */
function toCondition(filter: GroupFilter): Condition {
  if ('all' in filter) return allOf(filter.all.map(toCondition));
  if ('any' in filter) return anyOf(filter.any.map(toCondition));
  if ('not' in filter) return not(toCondition(filter.not));
  if ('member' in filter) return groupFilter.memberOf(filter.member);
  if ('idIn' in filter) return groupFilter.select(selectionOf(filter.idIn.sql, filter.idIn.values));
  switch (filter.field) {
    case 'id':
      return groupFilter.ids(filter.in);
    case 'createdAt':
      return groupFilter.creationDate(filter.is, filter.value);
    case 'changedAt':
      return groupFilter.changeDate(filter.is, filter.value);
    case 'name':
      return groupFilter.name(textMatchOf(filter), filter.value);
  }
}
