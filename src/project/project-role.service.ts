import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import type { Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { invalidFields } from '../foundation/error/domain-error.js';
import { type EventMark, Journal, lastMark } from '../foundation/event/journal.js';
import { ROLE_IN_PATH } from './in-path.js';
import { roleNotFound, rolesUnknown, roleTaken } from './project.errors.js';
import { ProjectService } from './project.service.js';
import { ProjectRole } from './project-role.entity.js';

export interface NewRole {
  readonly key: string;
  readonly displayName: string;
  /** A free-form group for sorting roles. */
  readonly roleGroup?: string;
}

export type ChangedRole = Pick<NewRole, 'key'> & Partial<NewRole>;

/** The roles of projects: tokens contain their keys, users see their names. */
@Injectable()
export class ProjectRoleService {
  constructor(
    @InjectRepository(ProjectRole) private readonly rows: Repository<ProjectRole>,
    private readonly projects: ProjectService,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {}

  /** @throws DomainError InvalidArgument; NotFound `project.not_found`; AlreadyExists `project.role_taken` */
  async add(tx: Transaction, projectId: string, role: NewRole, editorId: string): Promise<EventMark> {
    const description = ROLE_IN_PATH.problem(role.key);
    if (description !== undefined) throw invalidFields([{ field: 'roleKey', description }]);
    const project = await this.projects.getLocked(tx, projectId);
    return this.insert(tx, project, role, editorId);
  }

  /**
   * Adds all roles or none; returns the mark of the last one.
   * @throws DomainError InvalidArgument; NotFound; AlreadyExists
   */
  async addMany(tx: Transaction, projectId: string, roles: readonly NewRole[], editorId: string): Promise<EventMark> {
    const violations = roles.flatMap(({ key }, index) => {
      const isRepeated = roles.findIndex((role) => role.key === key) < index;
      const description = isRepeated ? 'must not be repeated' : ROLE_IN_PATH.problem(key);
      return description === undefined ? [] : [{ field: `roles[${index}].key`, description }];
    });
    if (violations.length > 0) throw invalidFields(violations);
    const project = await this.projects.getLocked(tx, projectId);
    let mark: EventMark = lastMark(project);
    for (const role of roles) mark = await this.insert(tx, project, role, editorId);
    return mark;
  }

  /**
   * Changes what is given of the role; the same names again change nothing.
   * @throws DomainError NotFound `project.role_not_found`
   */
  async change(tx: Transaction, projectId: string, role: ChangedRole, editorId: string): Promise<EventMark> {
    const project = await this.projects.getLocked(tx, projectId);
    const known = await this.get(tx, projectId, role.key);
    const { key, displayName = known.displayName, roleGroup = known.roleGroup } = role;
    if (known.displayName === displayName && known.roleGroup === roleGroup) return lastMark(known);
    const mark = await this.append(tx, project, 'project.role.changed', editorId, { key, displayName, roleGroup });
    await tx
      .of(this.rows)
      .update({ projectId, key }, { displayName, roleGroup, sequence: mark.sequence, changeDate: mark.at });
    return mark;
  }

  /**
   * The role can no longer be granted; the caller withdraws it from its holders.
   * @throws DomainError NotFound
   */
  async remove(tx: Transaction, projectId: string, key: string, editorId: string): Promise<EventMark> {
    const project = await this.projects.getLocked(tx, projectId);
    await this.get(tx, projectId, key);
    const mark = await this.append(tx, project, 'project.role.removed', editorId, { key });
    await tx.of(this.rows).delete({ projectId, key });
    await this.changes.announce(tx, 'client', EVERYTHING);
    return mark;
  }

  /**
   * Checks that the project has all of them; `field` names their list.
   * @throws DomainError InvalidArgument with those that it lacks
   */
  async checkKnown(tx: Transaction, projectId: string, keys: readonly string[], field = 'roleKeys'): Promise<void> {
    if (keys.length === 0) return;
    const known = new Set((await tx.of(this.rows).findBy({ projectId })).map(({ key }) => key));
    const unknown = keys.filter((key) => !known.has(key));
    if (unknown.length > 0) throw rolesUnknown(unknown, field);
  }

  private async insert(
    tx: Transaction,
    project: { id: string; orgId: string },
    role: NewRole,
    editorId: string,
  ): Promise<EventMark> {
    const mark = await this.append(tx, project, 'project.role.added', editorId, { ...role });
    try {
      await tx.of(this.rows).insert({
        ...role,
        projectId: project.id,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? roleTaken(role.key) : error;
    }
    await this.changes.announce(tx, 'client', EVERYTHING); // Clients are cached with their project's roles.
    return mark;
  }

  private async get(tx: Transaction, projectId: string, key: string): Promise<ProjectRole> {
    const role = await tx.of(this.rows).findOneBy({ projectId, key });
    if (!role) throw roleNotFound();
    return role;
  }

  private async append(
    tx: Transaction,
    { id, orgId }: { id: string; orgId: string },
    type: string,
    editorId: string,
    payload: Record<string, unknown>,
  ): Promise<EventMark> {
    return this.journal.append(tx, { aggregateType: 'project', aggregateId: id, type, orgId, editorId, payload });
  }
}
