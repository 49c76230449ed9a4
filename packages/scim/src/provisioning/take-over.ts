import { Injectable } from '@nestjs/common';
import {
  Clock,
  Database,
  type ExtEvent,
  Journal,
  ManagedGroups,
  ManagedUsers,
  type SqlTransaction,
  Users,
} from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { groupReleased, groupTakenOver, userReleased, userTakenOver } from './provisioning.events.js';
import { groupsElsewhere, groupsUnknown, noDirectory, usersElsewhere, usersUnknown } from './take-over.errors.js';

interface Range {
  readonly offset: number;
  readonly limit: number;
}

const DEFAULT_LIMIT = 100;

const TAKE_USERS = `INSERT INTO ext_scim.provisioned_user
    (user_id, directory_id, said, became, email_type, manager_id, changed_at)
  SELECT one, :directoryId, '{}', '{}', 'work', '', :now FROM unnest(:ids::text[]) AS one ORDER BY one
  ON CONFLICT (user_id) DO NOTHING
  RETURNING user_id AS id`;

const USERS_ELSEWHERE = `SELECT user_id AS id FROM ext_scim.provisioned_user
  WHERE user_id = ANY (:ids) AND directory_id <> :directoryId`;

const RELEASE_USERS = `DELETE FROM ext_scim.provisioned_user
  WHERE user_id = ANY (:ids) AND directory_id = :directoryId
  RETURNING user_id AS id`;

const LIST_USERS = `SELECT user_id AS "userId", coalesce(external_id, '') AS "externalId"
  FROM ext_scim.provisioned_user WHERE directory_id = :directoryId
  ORDER BY user_id OFFSET :offset LIMIT :limit`;

const COUNT_USERS = 'SELECT count(*)::int AS total FROM ext_scim.provisioned_user WHERE directory_id = :directoryId';

const TAKE_GROUPS = `INSERT INTO ext_scim.provisioned_group (group_id, directory_id)
  SELECT one, :directoryId FROM unnest(:ids::text[]) AS one ORDER BY one
  ON CONFLICT (group_id) DO NOTHING
  RETURNING group_id AS id`;

const GROUPS_ELSEWHERE = `SELECT group_id AS id FROM ext_scim.provisioned_group
  WHERE group_id = ANY (:ids) AND directory_id <> :directoryId`;

const RELEASE_GROUPS = `DELETE FROM ext_scim.provisioned_group
  WHERE group_id = ANY (:ids) AND directory_id = :directoryId
  RETURNING group_id AS id`;

const LIST_GROUPS = `SELECT group_id AS "groupId", coalesce(external_id, '') AS "externalId"
  FROM ext_scim.provisioned_group WHERE directory_id = :directoryId
  ORDER BY group_id OFFSET :offset LIMIT :limit`;

const COUNT_GROUPS = 'SELECT count(*)::int AS total FROM ext_scim.provisioned_group WHERE directory_id = :directoryId';

interface Id {
  readonly id: string;
}

/** Puts existing users and groups under a directory, which no name and no address ever does (B3.13). */
@Injectable()
export class TakeOver {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly services: Users,
    private readonly users: ManagedUsers,
    private readonly groups: ManagedGroups,
  ) {}

  async listUsers(caller: Caller, directoryId: string, range: Range) {
    await this.checkDirectory(caller, directoryId);
    return this.list<{ userId: string; externalId: string }>(LIST_USERS, COUNT_USERS, directoryId, range);
  }

  async listGroups(caller: Caller, directoryId: string, range: Range) {
    await this.checkDirectory(caller, directoryId);
    return this.list<{ groupId: string; externalId: string }>(LIST_GROUPS, COUNT_GROUPS, directoryId, range);
  }

  /** @throws DomainError NotFound; InvalidArgument; FailedPrecondition `scim.provisioned_elsewhere` */
  async takeUsers(caller: Caller, directoryId: string, userIds: readonly string[]): Promise<void> {
    await this.checkDirectory(caller, directoryId);
    const ids = [...new Set(userIds)];
    const found = await this.users.list(caller, {
      where: {
        all: [
          { field: 'kind', in: ['human'] },
          { field: 'id', in: ids },
        ],
      },
      offset: 0,
      limit: ids.length,
    });
    const unknown = missing(ids, found.users);
    if (unknown.length > 0) throw usersUnknown(unknown);
    await this.database.transaction(async (tx) => {
      const elsewhere = await tx.query<Id>(USERS_ELSEWHERE, { ids, directoryId });
      if (elsewhere.length > 0) throw usersElsewhere(elsewhere.map(({ id }) => id));
      const taken = await tx.query<Id>(TAKE_USERS, { ids, directoryId, now: this.clock.now() });
      await this.tell(tx, caller, directoryId, userTakenOver, taken);
    });
  }

  /** @throws DomainError NotFound; InvalidArgument; FailedPrecondition `scim.provisioned_elsewhere` */
  async takeGroups(caller: Caller, directoryId: string, groupIds: readonly string[]): Promise<void> {
    await this.checkDirectory(caller, directoryId);
    const ids = [...new Set(groupIds)];
    const found = await this.groups.list(caller, { where: { field: 'id', in: ids }, offset: 0, limit: ids.length });
    const unknown = missing(ids, found.groups);
    if (unknown.length > 0) throw groupsUnknown(unknown);
    await this.database.transaction(async (tx) => {
      const elsewhere = await tx.query<Id>(GROUPS_ELSEWHERE, { ids, directoryId });
      if (elsewhere.length > 0) throw groupsElsewhere(elsewhere.map(({ id }) => id));
      const taken = await tx.query<Id>(TAKE_GROUPS, { ids, directoryId });
      await this.tell(tx, caller, directoryId, groupTakenOver, taken);
    });
  }

  /** Those that the directory does not provision are passed over. */
  async releaseUsers(caller: Caller, directoryId: string, userIds: readonly string[]): Promise<void> {
    await this.checkDirectory(caller, directoryId);
    await this.database.transaction(async (tx) => {
      const released = await tx.query<Id>(RELEASE_USERS, { ids: userIds, directoryId });
      await this.tell(tx, caller, directoryId, userReleased, released);
    });
  }

  /** Those that the directory does not provision are passed over. */
  async releaseGroups(caller: Caller, directoryId: string, groupIds: readonly string[]): Promise<void> {
    await this.checkDirectory(caller, directoryId);
    await this.database.transaction(async (tx) => {
      const released = await tx.query<Id>(RELEASE_GROUPS, { ids: groupIds, directoryId });
      await this.tell(tx, caller, directoryId, groupReleased, released);
    });
  }

  private async list<Row extends object>(
    select: string,
    count: string,
    directoryId: string,
    { offset, limit }: Range,
  ): Promise<{ readonly result: readonly Row[]; readonly total: number }> {
    const result = await this.database.query<Row>(select, { directoryId, offset, limit: limit || DEFAULT_LIMIT });
    const [counted] = await this.database.query<{ total: number }>(count, { directoryId });
    return { result, total: counted?.total ?? 0 };
  }

  /** @throws DomainError NotFound */
  private async checkDirectory({ orgId }: Caller, directoryId: string): Promise<void> {
    const user = await this.services.find(directoryId);
    if (user?.kind !== 'service' || user.orgId !== orgId) throw noDirectory();
  }

  private async tell(
    tx: SqlTransaction,
    caller: Caller,
    directoryId: string,
    event: ExtEvent<{ readonly directoryId: 'text' }>,
    objects: readonly Id[],
  ): Promise<void> {
    for (const { id } of objects)
      await this.journal.append(tx, event, {
        aggregateId: id,
        orgId: caller.orgId,
        editorId: caller.userId,
        payload: { directoryId },
      });
  }
}

function missing(ids: readonly string[], found: readonly Id[]): readonly string[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
