import { Injectable } from '@nestjs/common';
import { Clock, Database, type ExtEvent, Journal, ManagedGroups, ManagedUsers, type SqlTransaction } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { Directories } from './directories.js';
import { groupReleased, groupTakenOver, userReleased, userTakenOver } from './provisioning.events.js';
import { groupsElsewhere, groupsUnknown, usersElsewhere, usersUnknown } from './take-over.errors.js';

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

const TAKE_GROUPS = `INSERT INTO ext_scim.provisioned_group (group_id, directory_id)
  SELECT one, :directoryId FROM unnest(:ids::text[]) AS one ORDER BY one
  ON CONFLICT (group_id) DO NOTHING
  RETURNING group_id AS id`;

const GROUPS_ELSEWHERE = `SELECT group_id AS id FROM ext_scim.provisioned_group
  WHERE group_id = ANY (:ids) AND directory_id <> :directoryId`;

const RELEASE_GROUPS = `DELETE FROM ext_scim.provisioned_group
  WHERE group_id = ANY (:ids) AND directory_id = :directoryId
  RETURNING group_id AS id`;

interface Id {
  readonly id: string;
}

/** Puts existing users and groups under a directory, which no name and no address ever does. */
@Injectable()
export class TakeOver {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly journal: Journal,
    private readonly directories: Directories,
    private readonly users: ManagedUsers,
    private readonly groups: ManagedGroups,
  ) {}

  /** @throws DomainError NotFound; InvalidArgument; FailedPrecondition `scim.provisioned_elsewhere` */
  async takeUsers(caller: Caller, directoryId: string, userIds: readonly string[]): Promise<void> {
    await this.directories.checkNamed(caller.orgId, directoryId);
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
    await this.directories.checkNamed(caller.orgId, directoryId);
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
    await this.directories.checkNamed(caller.orgId, directoryId);
    await this.database.transaction(async (tx) => {
      const released = await tx.query<Id>(RELEASE_USERS, { ids: userIds, directoryId });
      await this.tell(tx, caller, directoryId, userReleased, released);
    });
  }

  /** Those that the directory does not provision are passed over. */
  async releaseGroups(caller: Caller, directoryId: string, groupIds: readonly string[]): Promise<void> {
    await this.directories.checkNamed(caller.orgId, directoryId);
    await this.database.transaction(async (tx) => {
      const released = await tx.query<Id>(RELEASE_GROUPS, { ids: groupIds, directoryId });
      await this.tell(tx, caller, directoryId, groupReleased, released);
    });
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
