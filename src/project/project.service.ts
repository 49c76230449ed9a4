import { Injectable } from '@nestjs/common';
import { newId } from '../crypto/id.js';
import { CachedReads } from '../database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../database/change-channel.js';
import { isUniqueViolation } from '../database/database-failure.js';
import { Database, type Transaction } from '../database/database.js';
import { statement } from '../database/statement.js';
import { Journal } from '../event/journal.js';
import { ProjectRole } from './project-role.entity.js';
import { Project, type ProjectState } from './project.entity.js';
import { projectNotFound, projectStateUnchanged, roleTaken } from './project.errors.js';

export interface NewProject {
  readonly id?: string;
  readonly orgId: string;
  readonly name: string;
  readonly projectRoleAssertion?: boolean;
  readonly projectRoleCheck?: boolean;
  readonly hasProjectCheck?: boolean;
}

const FIND_ACTIVE = statement(
  'project.active',
  `SELECT p.id FROM project p JOIN org o ON o.id = p.org_id AND o.state = 'active' WHERE p.id = $1 AND p.state = 'active'`,
);

@Injectable()
export class ProjectService {
  /** Ids of active projects; the value says no more than the key. */
  private readonly active: CachedReads<{ id: string }>;

  constructor(
    database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.active = new CachedReads(changes, 'project', async (id) => (await database.query<{ id: string }>(FIND_ACTIVE, [id]))[0]);
  }

  /** Whether there is such a project, and it and its organization are active; from memory where it was asked for lately. */
  async isActive(id: string): Promise<boolean> {
    return (await this.active.find(id)) !== undefined;
  }

  async add(tx: Transaction, input: NewProject, editorId: string): Promise<Project> {
    const id = input.id ?? newId();
    const mark = await this.journal.append(tx, {
      aggregateType: 'project', aggregateId: id, type: 'project.added', orgId: input.orgId, editorId,
      payload: { name: input.name },
    });
    await tx.entities.insert(Project, {
      ...input, id, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
    });
    return tx.entities.findOneByOrFail(Project, { id });
  }

  /** @throws DomainError NotFound `project.not_found`; AlreadyExists `project.role_taken` */
  async addRole(
    tx: Transaction,
    projectId: string,
    role: { key: string; displayName: string; roleGroup?: string },
    editorId: string,
  ): Promise<void> {
    const project = await this.get(tx, projectId);
    const mark = await this.journal.append(tx, {
      aggregateType: 'project', aggregateId: projectId, type: 'project.role.added', orgId: project.orgId, editorId, payload: role,
    });
    try {
      await tx.entities.insert(ProjectRole, {
        ...role, projectId, sequence: mark.sequence, creationDate: mark.at, changeDate: mark.at,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? roleTaken(role.key) : error;
    }
    await this.changes.announce(tx, 'client', EVERYTHING); // clients are cached together with their project's roles
  }

  /** @throws DomainError NotFound `project.not_found`; FailedPrecondition `project.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: ProjectState, editorId: string): Promise<void> {
    const project = await this.get(tx, id);
    if (project.state === state) throw projectStateUnchanged(state);
    const mark = await this.journal.append(tx, {
      aggregateType: 'project', aggregateId: id, orgId: project.orgId, editorId,
      type: state === 'active' ? 'project.reactivated' : 'project.deactivated',
    });
    await tx.entities.update(Project, { id }, { state, sequence: mark.sequence, changeDate: mark.at });
    await this.changes.announce(tx, 'project', id);
    await this.changes.announce(tx, 'client', EVERYTHING);
  }

  private async get(tx: Transaction, id: string): Promise<Project> {
    const project = await tx.entities.findOneBy(Project, { id });
    if (!project) throw projectNotFound();
    return project;
  }
}
