import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../../foundation/crypto/id.js';
import { withoutIndex } from '../../foundation/database/condition.js';
import type { Database, Transaction } from '../../foundation/database/database.js';
import { isUniqueViolation } from '../../foundation/database/database-failure.js';
import { statement } from '../../foundation/database/statement.js';
import { type EventMark, Journal, journalSql, lastMark } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { toNameKey } from '../user-name.js';
import { UserGroup } from './group.entity.js';
import { groupFieldInvalid, groupIdTaken, groupNameTaken, groupNotFound, membersUnknown } from './group.errors.js';
import { groupNameProblem } from './group-name.js';
import { GROUP_IN_PATH } from './in-path.js';

/** What of a group can be changed. */
export interface GroupSettings {
  readonly name: string;
  readonly description: string;
}

export interface NewGroup extends GroupSettings {
  readonly id?: string;
  readonly orgId: string;
}

/** Of these users, those of the organization, whom nobody removes until the transaction ends. */
const HOLD_USERS = statement(
  'group.hold_users',
  `SELECT u.id
   FROM user_account u
   WHERE u.id = ANY(:userIds::text[]) AND ${withoutIndex('u.org_id')} = :orgId
   ORDER BY u.id
   FOR KEY SHARE`,
).rows<{ id: string }>();

interface MemberChange {
  readonly groupId: string;
  readonly orgId: string;
  readonly userIds: readonly string[];
  readonly editorId: string;
  readonly now: Date;
}

/** An event for each of `changed (user_id, place)`. */
function memberEvents(type: string): string {
  return journalSql(
    {
      aggregateType: "'group'",
      aggregateId: ':groupId',
      type: `'${type}'`,
      orgId: ':orgId',
      editorId: ':editorId',
      at: ':now',
      payload: "jsonb_build_object('userId', changed.user_id)",
      ordinal: 'changed.place',
    },
    'changed',
  );
}

const ADD_MEMBERS = statement<MemberChange>(
  'group.add_members',
  `WITH added AS (
     INSERT INTO user_group_member (group_id, user_id, creation_date)
     SELECT :groupId, q.id, :now
     FROM unnest(:userIds::text[]) AS q (id)
     ON CONFLICT DO NOTHING
     RETURNING user_id),
   changed AS (SELECT a.user_id, row_number() OVER (ORDER BY a.user_id) AS place FROM added a)
   ${memberEvents('group.member.added')}
   RETURNING sequence`,
).rows<{ sequence: string }>();

const REMOVE_MEMBERS = statement<MemberChange>(
  'group.remove_members',
  `WITH gone AS (
     DELETE FROM user_group_member m
     WHERE m.group_id = :groupId AND m.user_id = ANY(:userIds::text[])
     RETURNING m.user_id),
   changed AS (SELECT g.user_id, row_number() OVER (ORDER BY g.user_id) AS place FROM gone g)
   ${memberEvents('group.member.removed')}
   RETURNING sequence`,
).rows<{ sequence: string }>();

/** Who of these users is to join a group, and who of its members is to leave it, so that it has exactly these. */
const DIFFERENCES = statement(
  'group.member_differences',
  `SELECT q.id AS "userId", true AS "isJoining"
   FROM unnest(:userIds::text[]) AS q (id)
   WHERE NOT EXISTS (SELECT 1 FROM user_group_member m WHERE m.group_id = :groupId AND m.user_id = q.id)
   UNION ALL
   SELECT m.user_id, false
   FROM user_group_member m
   WHERE m.group_id = :groupId
     AND NOT EXISTS (SELECT 1 FROM unnest(:userIds::text[]) AS q (id) WHERE q.id = m.user_id)`,
).rows<{ userId: string; isJoining: boolean }>();

/** Of these groups, those of the organization, in one order, and whether the user is a member. */
const MEMBERSHIPS = statement(
  'group.memberships',
  `SELECT g.id,
     EXISTS (SELECT 1 FROM user_group_member m WHERE m.group_id = g.id AND m.user_id = :userId) AS "isMember"
   FROM user_group g
   WHERE g.id = ANY(:groupIds::text[]) AND ${withoutIndex('g.org_id')} = :orgId
   ORDER BY g.id`,
).rows<{ id: string; isMember: boolean }>();

/** The organizations of groups. */
const OWNERS = statement(
  'group.owners',
  'SELECT g.id, g.org_id AS "orgId" FROM user_group g WHERE g.id = ANY(:groupIds::text[]) ORDER BY g.id',
).rows<{ id: string; orgId: string }>();

/** Groups and their members; which group an organization may access is decided in `management/user`. */
@Injectable()
export class GroupService {
  constructor(
    @InjectRepository(UserGroup) private readonly rows: Repository<UserGroup>,
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError InvalidArgument; AlreadyExists `group.name_taken`, `group.id_taken` */
  async add(
    tx: Transaction,
    { id = newId(), orgId, name, description }: NewGroup,
    editorId: string,
  ): Promise<UserGroup> {
    checkName(name);
    const problem = GROUP_IN_PATH.problem(id);
    if (problem !== undefined) throw groupFieldInvalid('groupId', problem);
    const mark = await this.journal.append(tx, {
      aggregateType: 'group',
      aggregateId: id,
      type: 'group.added',
      orgId,
      editorId,
      payload: { name, description },
    });
    const { sequence, at } = mark;
    const row = { id, orgId, name, nameKey: toNameKey(name), description, sequence, creationDate: at, changeDate: at };
    await saving(() => tx.of(this.rows).insert({ ...row })); // TypeORM writes into what it inserts
    return row;
  }

  /**
   * The group, locked until the transaction ends, so that its members and grants do not change meanwhile.
   * @throws DomainError NotFound `group.not_found`, also for a group of another organization
   */
  async getLocked(tx: Transaction, orgId: string, id: string): Promise<UserGroup> {
    const group = await this.findLocked(tx, orgId, id);
    if (!group) throw groupNotFound();
    return group;
  }

  private async findLocked(tx: Transaction, orgId: string, id: string): Promise<UserGroup | undefined> {
    const where = { id, orgId };
    return (await tx.of(this.rows).findOne({ where, lock: { mode: 'pessimistic_write' } })) ?? undefined;
  }

  /** Like `getLocked`, without a lock; undefined if there is no such group. */
  async readOf(on: Transaction | Database, orgId: string, id: string): Promise<UserGroup | undefined> {
    return (await on.of(this.rows).findOneBy({ id, orgId })) ?? undefined;
  }

  /**
   * What is not given stays as it is; the same values again change nothing.
   * @throws DomainError InvalidArgument; AlreadyExists `group.name_taken`
   */
  async change(
    tx: Transaction,
    group: UserGroup,
    { name = group.name, description = group.description }: Partial<GroupSettings>,
    editorId: string,
  ): Promise<EventMark> {
    checkName(name);
    if (name === group.name && description === group.description) return lastMark(group);
    const mark = await this.append(tx, group, 'group.changed', editorId, { name, description });
    await saving(() =>
      tx
        .of(this.rows)
        .update(
          { id: group.id },
          { name, nameKey: toNameKey(name), description, sequence: mark.sequence, changeDate: mark.at },
        ),
    );
    return mark;
  }

  /** Its members leave it; its grants must have been removed before, each with its event. */
  async remove(tx: Transaction, group: UserGroup, editorId: string): Promise<EventMark> {
    const mark = await this.append(tx, group, 'group.removed', editorId);
    await tx.of(this.rows).delete({ id: group.id });
    return mark;
  }

  /**
   * Members stay members. All are added or none.
   * @throws DomainError InvalidArgument for users that the organization does not have
   */
  async addMembers(tx: Transaction, group: UserGroup, wanted: readonly string[], editorId: string): Promise<EventMark> {
    const userIds = [...new Set(wanted)];
    const known = new Set((await tx.query(HOLD_USERS, { userIds, orgId: group.orgId })).map(({ id }) => id));
    const unknown = userIds.filter((id) => !known.has(id));
    if (unknown.length > 0) throw membersUnknown(unknown);
    return this.changeMembers(tx, group, (now) =>
      tx.query(ADD_MEMBERS, { groupId: group.id, orgId: group.orgId, userIds, editorId, now }),
    );
  }

  /** What distinguishes the members of a group, which is locked, from these users. */
  async differencesTo(
    tx: Transaction,
    groupId: string,
    wanted: readonly string[],
  ): Promise<{ readonly joining: readonly string[]; readonly leaving: readonly string[] }> {
    const rows = await tx.query(DIFFERENCES, { groupId, userIds: [...new Set(wanted)] });
    const { true: joining = [], false: leaving = [] } = Object.groupBy(rows, ({ isJoining }) => String(isJoining));
    return { joining: joining.map(({ userId }) => userId), leaving: leaving.map(({ userId }) => userId) };
  }

  /** Who is no member is passed over. */
  async removeMembers(
    tx: Transaction,
    group: UserGroup,
    userIds: readonly string[],
    editorId: string,
  ): Promise<EventMark> {
    return this.changeMembers(tx, group, (now) =>
      tx.query(REMOVE_MEMBERS, { groupId: group.id, orgId: group.orgId, userIds, editorId, now }),
    );
  }

  /**
   * Of the groups `decided`, the user is a member of those in `wanted` alone from now on. Groups that are not of the
   * user's organization, or gone, are passed over.
   */
  async decideMemberships(
    tx: Transaction,
    { userId, orgId }: { readonly userId: string; readonly orgId: string },
    decided: readonly string[],
    wanted: readonly string[],
    editorId: string,
  ): Promise<void> {
    const found = await tx.query(MEMBERSHIPS, { userId, orgId, groupIds: decided });
    for (const { id, isMember } of found) {
      const isWanted = wanted.includes(id);
      const group = isMember === isWanted ? undefined : await this.findLocked(tx, orgId, id);
      if (!group) continue;
      if (isWanted) await this.addMembers(tx, group, [userId], editorId);
      else await this.removeMembers(tx, group, [userId], editorId);
    }
  }

  /** Of these groups, those that exist, with their organizations. */
  async ownersOf(tx: Transaction, groupIds: readonly string[]): Promise<ReadonlyArray<{ id: string; orgId: string }>> {
    return tx.query(OWNERS, { groupIds });
  }

  /** The last event of the group if nobody joined or left. */
  private async changeMembers(
    tx: Transaction,
    group: UserGroup,
    work: (now: Date) => Promise<ReadonlyArray<{ sequence: string }>>,
  ): Promise<EventMark> {
    const at = this.clock.now();
    const sequences = (await work(at)).map(({ sequence }) => BigInt(sequence));
    if (sequences.length === 0) return lastMark(group);
    const sequence = sequences.reduce((one, other) => (one > other ? one : other));
    await tx.of(this.rows).update({ id: group.id }, { sequence, changeDate: at });
    return { sequence, at };
  }

  private append(
    tx: Transaction,
    { id, orgId }: UserGroup,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    return this.journal.append(tx, { aggregateType: 'group', aggregateId: id, type, orgId, editorId, payload });
  }
}

function checkName(name: string): void {
  const problem = groupNameProblem(name);
  if (problem !== undefined) throw groupFieldInvalid('name', problem);
}

async function saving(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isUniqueViolation(error, 'user_group_org_name_key')) throw groupNameTaken();
    if (isUniqueViolation(error, 'user_group_pkey')) throw groupIdTaken();
    throw error;
  }
}
