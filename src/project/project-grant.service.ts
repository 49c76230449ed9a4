import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../foundation/crypto/id.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import type { Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { statement } from '../foundation/database/statement.js';
import { type EventMark, Journal, journalSql, lastMark, lastSequenceSql } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { orgNotFound } from '../org/org.errors.js';
import { OrgService } from '../org/org.service.js';
import {
  projectGrantExists,
  projectGrantNotFound,
  projectGrantStateUnchanged,
  projectGrantToOwner,
} from './project.errors.js';
import { ProjectService } from './project.service.js';
import { ProjectGrant, type ProjectGrantState } from './project-grant.entity.js';
import { ProjectRoleService } from './project-role.service.js';
import { areSameKeys, withoutRepetitions } from './role-keys.js';

export interface NewProjectGrant {
  readonly id?: string;
  readonly projectId: string;
  readonly grantedOrgId: string;
  readonly roleKeys: readonly string[];
}

/** Makes the change and its events in one statement: a project may be granted to thousands. */
const WITHDRAW_ROLE = statement(
  'project_grant.withdraw_role',
  `WITH changed AS (
     UPDATE project_grant g SET
       role_keys = array_remove(g.role_keys, :key),
       change_date = :now,
       sequence = 1 + ${lastSequenceSql("'project_grant'", 'g.id')}
     WHERE g.project_id = :projectId AND :key = ANY (g.role_keys)
     RETURNING g.id, g.role_keys)
   ${journalSql(
     {
       aggregateType: "'project_grant'",
       aggregateId: 'changed.id',
       type: "'project.grant.cascade.changed'",
       orgId: ':orgId',
       editorId: ':editorId',
       at: ':now',
       payload: "jsonb_build_object('roleKeys', changed.role_keys)",
     },
     'changed',
   )}`,
);

/** Projects granted to other organizations. */
@Injectable()
export class ProjectGrantService {
  constructor(
    @InjectRepository(ProjectGrant) private readonly rows: Repository<ProjectGrant>,
    private readonly projects: ProjectService,
    private readonly roles: ProjectRoleService,
    private readonly orgs: OrgService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws DomainError InvalidArgument for roles that the project lacks; NotFound; FailedPrecondition; AlreadyExists
   * `project_grant.exists`
   */
  async add(tx: Transaction, input: NewProjectGrant, editorId: string): Promise<{ id: string; mark: EventMark }> {
    const { id = newId(), projectId, grantedOrgId } = input;
    const project = await this.projects.getLocked(tx, projectId);
    if (project.orgId === grantedOrgId) throw projectGrantToOwner();
    if (!(await this.orgs.exists(grantedOrgId))) throw orgNotFound();
    const roleKeys = withoutRepetitions(input.roleKeys);
    await this.roles.checkKnown(tx, projectId, roleKeys);
    const mark = await this.append(tx, { id, orgId: project.orgId }, 'project.grant.added', editorId, {
      projectId,
      grantedOrgId,
      roleKeys,
    });
    try {
      await tx.of(this.rows).insert({
        id,
        projectId,
        grantedOrgId,
        roleKeys,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error, 'project_grant_project_org_key') ? projectGrantExists() : error;
    }
    await this.announce(tx);
    return { id, mark };
  }

  /**
   * The grant of that project, locked until the transaction ends.
   * @throws DomainError NotFound `project_grant.not_found`
   */
  async getLocked(tx: Transaction, projectId: string, id: string): Promise<ProjectGrant> {
    const grant = await tx.of(this.rows).findOne({
      where: { id, projectId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!grant) throw projectGrantNotFound();
    return grant;
  }

  /** Every grant of the project. */
  async allOf(tx: Transaction, projectId: string): Promise<ProjectGrant[]> {
    return tx.of(this.rows).find({ where: { projectId }, order: { id: 'ASC' } });
  }

  /**
   * Replaces the roles; the same again change nothing. The caller withdraws removed roles from users.
   * @throws DomainError InvalidArgument for roles that the project lacks; NotFound
   */
  async changeRoles(
    tx: Transaction,
    projectId: string,
    id: string,
    wanted: readonly string[],
    editorId: string,
  ): Promise<EventMark> {
    const { orgId } = await this.projects.getLocked(tx, projectId);
    const grant = await this.getLocked(tx, projectId, id);
    const roleKeys = withoutRepetitions(wanted);
    await this.roles.checkKnown(tx, projectId, roleKeys);
    if (areSameKeys(grant.roleKeys, roleKeys)) return lastMark(grant);
    return this.save(tx, { id, orgId }, { roleKeys }, 'project.grant.changed', editorId, { roleKeys });
  }

  /** @throws DomainError NotFound; FailedPrecondition `project_grant.state_unchanged` */
  async changeState(
    tx: Transaction,
    projectId: string,
    id: string,
    state: ProjectGrantState,
    editorId: string,
  ): Promise<EventMark> {
    const { orgId } = await this.projects.getLocked(tx, projectId);
    const grant = await this.getLocked(tx, projectId, id);
    if (grant.state === state) throw projectGrantStateUnchanged(state);
    return this.save(
      tx,
      { id, orgId },
      { state },
      state === 'active' ? 'project.grant.reactivated' : 'project.grant.deactivated',
      editorId,
    );
  }

  /**
   * Removes the row and the user grants through it; the caller records their events.
   * @throws DomainError NotFound
   */
  async remove(
    tx: Transaction,
    projectId: string,
    id: string,
    editorId: string,
    type = 'project.grant.removed',
  ): Promise<EventMark> {
    const { orgId } = await this.projects.getLocked(tx, projectId);
    const { grantedOrgId } = await this.getLocked(tx, projectId, id);
    const mark = await this.append(tx, { id, orgId }, type, editorId, { projectId, grantedOrgId });
    await tx.of(this.rows).delete({ id });
    await this.announce(tx);
    return mark;
  }

  /** Removes a role from every grant of the project. */
  async withdrawRole(tx: Transaction, projectId: string, key: string, editorId: string): Promise<void> {
    const { orgId } = await this.projects.getLocked(tx, projectId);
    await tx.query(WITHDRAW_ROLE, { projectId, key, orgId, editorId, now: this.clock.now() });
  }

  private async save(
    tx: Transaction,
    grant: { id: string; orgId: string },
    values: Partial<ProjectGrant>,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const mark = await this.append(tx, grant, type, editorId, payload);
    await tx.of(this.rows).update({ id: grant.id }, { ...values, sequence: mark.sequence, changeDate: mark.at });
    await this.announce(tx);
    return mark;
  }

  private async append(
    tx: Transaction,
    { id, orgId }: { id: string; orgId: string },
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    return this.journal.append(tx, { aggregateType: 'project_grant', aggregateId: id, type, orgId, editorId, payload });
  }

  /** Clients are cached with the organizations that their project is granted to. */
  private async announce(tx: Transaction): Promise<void> {
    await this.changes.announce(tx, 'client', EVERYTHING);
  }
}
