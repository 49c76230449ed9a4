import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../../foundation/crypto/id.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { isUniqueViolation } from '../../foundation/database/database-failure.js';
import { type Statement, statement } from '../../foundation/database/statement.js';
import { type EventMark, Journal, journalSql, lastMark, lastSequenceSql } from '../../foundation/event/journal.js';
import { Clock } from '../../foundation/time/clock.js';
import { Project } from '../project.entity.js';
import { projectGrantNotFound, projectNotFound, rolesUnknown } from '../project.errors.js';
import { ProjectGrant } from '../project-grant.entity.js';
import { ProjectRoleService } from '../project-role.service.js';
import { areSameKeys, withoutRepetitions } from '../role-keys.js';
import { activeGrantsOf, grantsOf } from './grants-of-user.js';
import { UserGrant } from './user-grant.entity.js';
import { groupGrantExists, userGrantExists, userGrantNotFound, userGrantStateUnchanged } from './user-grant.errors.js';

/** Who holds the roles of a grant: a user, or all members of a group. */
export type GrantHolder = { readonly userId: string } | { readonly groupId: string };

export interface NewUserGrant {
  readonly id?: string;
  readonly holder: GrantHolder;
  readonly projectId: string;
  /** The project grant to the granting organization; absent if the project is its own. */
  readonly projectGrantId?: string | undefined;
  /** The granting organization. */
  readonly orgId: string;
  readonly roleKeys: readonly string[];
}

/** Whether a user holds a role, also as a member of a group. */
const HOLDS_ROLE = statement(
  'user_grant.holds_role',
  `SELECT 1 FROM ${activeGrantsOf(':userId', ':projectId')} g WHERE cardinality(g.role_keys) > 0 LIMIT 1`,
);

/** A grant that a user has, by itself or through a group, whether it counts now or not. */
export interface GrantOfUser
  extends Pick<UserGrant, 'id' | 'orgId' | 'groupId' | 'projectGrantId' | 'roleKeys' | 'state'> {
  readonly groupName: string | null;
  readonly projectGrantState: 'active' | 'inactive' | null;
}

const ALL_OF_USER = statement(
  'user_grant.all_of_user',
  `SELECT g.id, g.org_id AS "orgId", g.group_id AS "groupId", g.project_grant_id AS "projectGrantId",
     g.role_keys AS "roleKeys", g.state, ug.name AS "groupName", pg.state AS "projectGrantState"
   FROM ${grantsOf(':userId', 'ag.project_id = :projectId')} g
   LEFT JOIN user_group ug ON ug.id = g.group_id
   LEFT JOIN project_grant pg ON pg.id = g.project_grant_id
   ORDER BY g.id`,
).rows<GrantOfUser>();

/** Makes a change and its events in one statement: a project may have as many grants as there are users. */
const NEXT_SEQUENCE = `1 + ${lastSequenceSql("'user_grant'", 'g.id')}`;

const CASCADE_CHANGED = journalSql(
  {
    aggregateType: "'user_grant'",
    aggregateId: 'changed.id',
    type: "'user.grant.cascade.changed'",
    orgId: 'changed.org_id',
    editorId: ':editorId',
    at: ':now',
    payload: "jsonb_build_object('roleKeys', changed.role_keys)",
  },
  'changed',
);

const WITHDRAW_ROLE = statement(
  'user_grant.withdraw_role',
  `WITH changed AS (
     UPDATE user_grant g SET
       role_keys = array_remove(g.role_keys, :key),
       change_date = :now,
       sequence = ${NEXT_SEQUENCE}
     WHERE g.project_id = :projectId AND :key = ANY (g.role_keys)
     RETURNING g.id, g.org_id, g.role_keys)
   ${CASCADE_CHANGED}`,
);

const KEEP_ROLES = statement(
  'user_grant.keep_roles',
  `WITH changed AS (
     UPDATE user_grant g SET
       role_keys = ARRAY(SELECT key FROM unnest(g.role_keys) AS key WHERE key = ANY (:roleKeys::text[])),
       change_date = :now,
       sequence = ${NEXT_SEQUENCE}
     WHERE g.project_grant_id = :projectGrantId AND NOT g.role_keys <@ :roleKeys::text[]
     RETURNING g.id, g.org_id, g.role_keys)
   ${CASCADE_CHANGED}`,
);

/** `id`: of the object whose grants end. */
interface Removal {
  readonly id: string;
  readonly editorId: string;
  readonly now: Date;
}

function removeAll(name: string, condition: string): Statement<Removal> {
  const event = {
    aggregateType: "'user_grant'",
    aggregateId: 'gone.id',
    type: "'user.grant.cascade.removed'",
    orgId: 'gone.org_id',
    editorId: ':editorId',
    at: ':now',
  };
  return statement<Removal>(
    name,
    `WITH gone AS (DELETE FROM user_grant g WHERE ${condition} RETURNING g.id, g.org_id)
     ${journalSql(event, 'gone')}`,
  );
}

const REMOVE_OF_PROJECT = removeAll('user_grant.remove_of_project', 'g.project_id = :id');
const REMOVE_OF_GROUP = removeAll('user_grant.remove_of_group', 'g.group_id = :id');
const REMOVE_OF_PROJECT_GRANT = removeAll('user_grant.remove_of_project_grant', 'g.project_grant_id = :id');

/**
 * Who holds which roles of a project. Works by ids, regardless of the owner: which ones an organization may access is
 * decided in `management/project`.
 */
@Injectable()
export class UserGrantService {
  constructor(
    @InjectRepository(UserGrant) private readonly rows: Repository<UserGrant>,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(ProjectGrant) private readonly projectGrants: Repository<ProjectGrant>,
    private readonly journal: Journal,
    private readonly database: Database,
    private readonly roles: ProjectRoleService,
    private readonly clock: Clock,
  ) {}

  /** Whether the user holds any role of the project, granted by any organization. */
  async holdsRole(userId: string, projectId: string): Promise<boolean> {
    const rows = await this.database.query(HOLDS_ROLE, { userId, projectId });
    return rows.length > 0;
  }

  /** Every grant of a project that the user has, also those that do not count now. */
  async allOf(userId: string, projectId: string): Promise<GrantOfUser[]> {
    return this.database.query(ALL_OF_USER, { userId, projectId });
  }

  /**
   * @throws DomainError InvalidArgument for roles that do not exist or are not granted; NotFound; AlreadyExists
   * `user_grant.exists`
   */
  async add(tx: Transaction, input: NewUserGrant, editorId: string): Promise<{ id: string; mark: EventMark }> {
    const { id = newId(), holder, projectId, projectGrantId, orgId } = input;
    const roleKeys = withoutRepetitions(input.roleKeys);
    await this.checkRoles(tx, projectId, projectGrantId, roleKeys);
    const mark = await this.journal.append(tx, {
      aggregateType: 'user_grant',
      aggregateId: id,
      type: 'userId' in holder ? 'user.grant.added' : 'group.grant.added',
      orgId,
      editorId,
      payload: { ...holder, projectId, ...(projectGrantId === undefined ? {} : { projectGrantId }), roleKeys },
    });
    try {
      await tx.of(this.rows).insert({
        id,
        ...holder,
        projectId,
        projectGrantId: projectGrantId ?? null,
        orgId,
        roleKeys,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      if (isUniqueViolation(error, 'user_grant_user_project_org_key')) throw userGrantExists();
      throw isUniqueViolation(error, 'user_grant_group_project_org_key') ? groupGrantExists() : error;
    }
    return { id, mark };
  }

  /**
   * Restricted to a user, a group or an organization if one is given.
   * @throws DomainError NotFound `user_grant.not_found`
   */
  async get(
    tx: Transaction,
    where: { readonly id: string; readonly userId?: string; readonly groupId?: string; readonly orgId?: string },
  ): Promise<UserGrant> {
    const grant = await tx.of(this.rows).findOneBy(where);
    if (!grant) throw userGrantNotFound();
    return grant;
  }

  /**
   * Replaces the roles; the same roles again change nothing.
   * @throws DomainError InvalidArgument; NotFound
   */
  async changeRoles(tx: Transaction, id: string, wanted: readonly string[], editorId: string): Promise<EventMark> {
    const found = await this.get(tx, { id });
    const roleKeys = withoutRepetitions(wanted);
    // Locked before the grant, in the same order as when a role is removed: the project first, then its grants.
    await this.checkRoles(tx, found.projectId, found.projectGrantId ?? undefined, roleKeys);
    const grant = await this.getLocked(tx, id);
    if (areSameKeys(grant.roleKeys, roleKeys)) return lastMark(grant);
    return this.save(tx, grant, { roleKeys }, 'user.grant.changed', editorId, { roleKeys });
  }

  /** @throws DomainError NotFound; FailedPrecondition `user_grant.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: UserGrant['state'], editorId: string): Promise<EventMark> {
    const grant = await this.getLocked(tx, id);
    if (grant.state === state) throw userGrantStateUnchanged(state);
    return this.save(
      tx,
      grant,
      { state },
      state === 'active' ? 'user.grant.reactivated' : 'user.grant.deactivated',
      editorId,
    );
  }

  /** @throws DomainError NotFound `user_grant.not_found` */
  async remove(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    const { orgId } = await this.getLocked(tx, id);
    const mark = await this.journal.append(tx, {
      aggregateType: 'user_grant',
      aggregateId: id,
      type: 'user.grant.removed',
      orgId,
      editorId,
    });
    await tx.of(this.rows).delete({ id });
    return mark;
  }

  /** Removes a role from everybody who holds it, with an event for each. */
  async withdrawRole(tx: Transaction, projectId: string, key: string, editorId: string): Promise<void> {
    await tx.query(WITHDRAW_ROLE, { projectId, key, editorId, now: this.clock.now() });
  }

  /** Removes the roles that a project grant no longer contains from everybody who got them through it. */
  async keepRoles(
    tx: Transaction,
    projectGrantId: string,
    roleKeys: readonly string[],
    editorId: string,
  ): Promise<void> {
    await tx.query(KEEP_ROLES, { projectGrantId, roleKeys, editorId, now: this.clock.now() });
  }

  async removeAllOfProject(tx: Transaction, projectId: string, editorId: string): Promise<void> {
    await tx.query(REMOVE_OF_PROJECT, { id: projectId, editorId, now: this.clock.now() });
  }

  /** Whether anything is granted to the group, in any state. */
  async hasGrants(tx: Transaction, groupId: string): Promise<boolean> {
    return tx.of(this.rows).existsBy({ groupId });
  }

  async removeAllOfGroup(tx: Transaction, groupId: string, editorId: string): Promise<void> {
    await tx.query(REMOVE_OF_GROUP, { id: groupId, editorId, now: this.clock.now() });
  }

  async removeAllOfProjectGrant(tx: Transaction, projectGrantId: string, editorId: string): Promise<void> {
    await tx.query(REMOVE_OF_PROJECT_GRANT, { id: projectGrantId, editorId, now: this.clock.now() });
  }

  /**
   * The roles of the project, or those that are granted. Both are locked until the transaction ends, so that none is
   * withdrawn meanwhile.
   */
  private async checkRoles(
    tx: Transaction,
    projectId: string,
    projectGrantId: string | undefined,
    roleKeys: readonly string[],
  ): Promise<void> {
    const project = await tx.of(this.projects).findOne({
      where: { id: projectId },
      lock: { mode: 'pessimistic_read' },
    });
    if (!project) throw projectNotFound();
    if (projectGrantId === undefined) return this.roles.checkKnown(tx, projectId, roleKeys);
    const grant = await tx.of(this.projectGrants).findOne({
      where: { id: projectGrantId, projectId },
      lock: { mode: 'pessimistic_read' },
    });
    if (!grant) throw projectGrantNotFound();
    const unknown = roleKeys.filter((key) => !grant.roleKeys.includes(key));
    if (unknown.length > 0) throw rolesUnknown(unknown, 'roleKeys');
  }

  /** The grant, locked until the transaction ends. */
  private async getLocked(tx: Transaction, id: string): Promise<UserGrant> {
    const grant = await tx.of(this.rows).findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!grant) throw userGrantNotFound();
    return grant;
  }

  private async save(
    tx: Transaction,
    { id, orgId }: UserGrant,
    values: Partial<UserGrant>,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'user_grant',
      aggregateId: id,
      type,
      orgId,
      editorId,
      payload,
    });
    await tx.of(this.rows).update({ id }, { ...values, sequence: mark.sequence, changeDate: mark.at });
    return mark;
  }
}
