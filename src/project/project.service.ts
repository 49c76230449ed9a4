import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newId } from '../foundation/crypto/id.js';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel, EVERYTHING } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import { isUniqueViolation } from '../foundation/database/database-failure.js';
import { statement } from '../foundation/database/statement.js';
import { invalidFields } from '../foundation/error/domain-error.js';
import { type EventMark, Journal, lastMark } from '../foundation/event/journal.js';
import { type PrivateLabelingSetting, Project, type ProjectState } from './project.entity.js';
import {
  projectIdTaken,
  projectNameTaken,
  projectNotFound,
  projectStateUnchanged,
  resourceTaken,
} from './project.errors.js';
import { ProjectResource } from './project-resource.entity.js';
import { resourceKeyOf } from './resource-uri.js';

/** The settings of a project that can be changed. */
export interface ProjectSettings {
  readonly name: string;
  readonly projectRoleAssertion: boolean;
  readonly projectRoleCheck: boolean;
  readonly hasProjectCheck: boolean;
  readonly privateLabelingSetting: PrivateLabelingSetting;
}

/** With an id of the caller's choice. */
export type NewProjectSettings = ProjectSettings & { readonly id?: string };

export type NewProject = Partial<ProjectSettings> &
  Pick<ProjectSettings, 'name'> & { readonly id?: string; readonly orgId: string };

const FIND_ACTIVE = statement(
  'project.active',
  `SELECT p.id
   FROM project p
   JOIN org o ON o.id = p.org_id AND o.state = 'active'
   WHERE p.id = :id AND p.state = 'active'`,
).rows<{ id: string }>();

/** Projects that neither belong to the organization nor are granted to it. */
const FIND_CLOSED = statement(
  'project.closed_to',
  `SELECT q.id
   FROM unnest(:ids::text[]) AS q (id)
   WHERE NOT EXISTS (SELECT 1 FROM project p WHERE p.id = q.id AND p.org_id = :orgId)
     AND NOT EXISTS (
       SELECT 1
       FROM project_grant g
       WHERE g.project_id = q.id AND g.granted_org_id = :orgId AND g.state = 'active')
   LIMIT 1`,
);

const DROP_RESOURCES = statement(
  'project_resource.drop',
  'DELETE FROM project_resource WHERE project_id = :projectId AND key <> ALL(:keys::text[]) RETURNING key',
).rows<{ key: string }>();

/** Finds the other projects that own these resources, in the order in which all who lock several of them do. */
const OWNERS_OF_RESOURCES = statement(
  'project_resource.owners',
  `SELECT DISTINCT ${columnsOf(ProjectResource, 'r', ['projectId'])}
   FROM project_resource r
   WHERE r.key = ANY(:keys::text[]) AND r.project_id <> :projectId
   ORDER BY r.project_id`,
).rows<{ projectId: string }>();

/** Adds resources. Those that the project has already are updated; one of another project is not returned. */
const PUT_RESOURCES = statement(
  'project_resource.put',
  `INSERT INTO project_resource AS r (key, project_id, uri)
   SELECT
     q.key,
     :projectId,
     q.uri
   FROM unnest(:keys::text[], :uris::text[]) AS q (key, uri)
   ORDER BY q.key
   ON CONFLICT (key) DO UPDATE SET uri = excluded.uri
   WHERE r.project_id = excluded.project_id
   RETURNING key`,
).rows<{ key: string }>();

/** Projects by id, regardless of the owner: `management/project` decides which ones an organization may access. */
@Injectable()
export class ProjectService {
  /** Ids of active projects; the value repeats the key. */
  private readonly active: CachedReads<{ id: string }>;

  constructor(
    @InjectRepository(Project) private readonly rows: Repository<Project>,
    @InjectRepository(ProjectResource) private readonly resources: Repository<ProjectResource>,
    private readonly database: Database,
    private readonly journal: Journal,
    private readonly changes: ChangeChannel,
  ) {
    this.active = new CachedReads(changes, 'project', async (id) => (await database.query(FIND_ACTIVE, { id }))[0]);
  }

  /** Whether the project exists and is active, as is its organization; cached. */
  async isActive(id: string): Promise<boolean> {
    return (await this.active.find(id)) !== undefined;
  }

  /** Whether each of them belongs to the organization or is granted to it. */
  async areOpenTo(orgId: string, ids: readonly string[]): Promise<boolean> {
    return ids.length === 0 || (await this.database.query(FIND_CLOSED, { orgId, ids })).length === 0;
  }

  /** @throws DomainError InvalidArgument; AlreadyExists `project.name_taken`, `project.id_taken` */
  async add(tx: Transaction, input: NewProject, editorId: string): Promise<Project> {
    checkName(input.name);
    const id = input.id ?? newId();
    const { id: _, orgId, ...settings } = input;
    const mark = await this.journal.append(tx, {
      aggregateType: 'project',
      aggregateId: id,
      type: 'project.added',
      orgId,
      editorId,
      payload: { ...settings },
    });
    await saving(() =>
      tx.of(this.rows).insert({
        ...input,
        id,
        sequence: mark.sequence,
        creationDate: mark.at,
        changeDate: mark.at,
      }),
    );
    return tx.of(this.rows).findOneByOrFail({ id });
  }

  /**
   * The project, locked until the transaction ends, so that its roles and grants do not change. With `orgId` only if
   * that organization owns it.
   * @throws DomainError NotFound `project.not_found`
   */
  async getLocked(tx: Transaction, id: string, orgId?: string): Promise<Project> {
    const where = orgId === undefined ? { id } : { id, orgId };
    const project = await tx.of(this.rows).findOne({ where, lock: { mode: 'pessimistic_write' } });
    if (!project) throw projectNotFound();
    return project;
  }

  /**
   * Changes the project; the same settings again change nothing.
   * @throws DomainError InvalidArgument; NotFound; AlreadyExists `project.name_taken`
   */
  async change(tx: Transaction, id: string, settings: ProjectSettings, editorId: string): Promise<EventMark> {
    checkName(settings.name);
    const project = await this.getLocked(tx, id);
    const names = Object.keys(settings) as Array<keyof ProjectSettings>;
    const changed = Object.fromEntries(
      names.filter((name) => project[name] !== settings[name]).map((name) => [name, settings[name]]),
    );
    if (Object.keys(changed).length === 0) return lastMark(project);
    return this.save(tx, project, changed, 'project.changed', editorId, changed);
  }

  /**
   * Replaces the protected resources, which the caller has checked.
   * @throws DomainError NotFound `project.not_found`; AlreadyExists `project.resource_taken`
   */
  async setResources(tx: Transaction, id: string, uris: readonly string[], editorId: string): Promise<EventMark> {
    const project = await this.getLocked(tx, id);
    const byKey = new Map(uris.map((uri) => [resourceKeyOf(uri) ?? uri, uri]));
    const keys = [...byKey.keys()];
    const dropped = await tx.query(DROP_RESOURCES, { projectId: id, keys });
    const put = new Set(
      (await tx.query(PUT_RESOURCES, { projectId: id, keys, uris: [...byKey.values()] })).map(({ key }) => key),
    );
    for (const [key, uri] of byKey) if (!put.has(key)) throw resourceTaken(uri);
    for (const key of [...put, ...dropped.map((row) => row.key)]) await this.changes.announce(tx, 'project', key);
    return this.save(tx, project, {}, 'project.resources.set', editorId, { uris: [...byKey.values()] });
  }

  /** Takes resources from the other projects that have them; the caller then gives them to this one. */
  async takeResources(tx: Transaction, projectId: string, uris: readonly string[], editorId: string): Promise<void> {
    const keys = uris.map((uri) => resourceKeyOf(uri) ?? uri);
    for (const { projectId: id } of await tx.query(OWNERS_OF_RESOURCES, { projectId, keys })) {
      const kept = (await tx.of(this.resources).findBy({ projectId: id })).filter(({ key }) => !keys.includes(key));
      await this.setResources(
        tx,
        id,
        kept.map(({ uri }) => uri),
        editorId,
      );
    }
  }

  /** @throws DomainError NotFound `project.not_found`; FailedPrecondition `project.state_unchanged` */
  async changeState(tx: Transaction, id: string, state: ProjectState, editorId: string): Promise<EventMark> {
    const project = await this.getLocked(tx, id);
    if (project.state === state) throw projectStateUnchanged(state);
    return this.save(
      tx,
      project,
      { state },
      state === 'active' ? 'project.reactivated' : 'project.deactivated',
      editorId,
    );
  }

  /**
   * Removes the row and everything that refers to it; the caller records the events of what it contained.
   * @throws DomainError NotFound
   */
  async remove(tx: Transaction, id: string, editorId: string): Promise<EventMark> {
    const project = await this.getLocked(tx, id);
    const mark = await this.journal.append(tx, {
      aggregateType: 'project',
      aggregateId: id,
      type: 'project.removed',
      orgId: project.orgId,
      editorId,
      payload: { name: project.name },
    });
    await tx.of(this.rows).delete({ id });
    await this.announce(tx, id);
    return mark;
  }

  private async save(
    tx: Transaction,
    project: Project,
    values: Partial<Project>,
    type: string,
    editorId: string,
    payload: Record<string, unknown> = {},
  ): Promise<EventMark> {
    const mark = await this.journal.append(tx, {
      aggregateType: 'project',
      aggregateId: project.id,
      orgId: project.orgId,
      editorId,
      type,
      payload,
    });
    await saving(() =>
      tx.of(this.rows).update({ id: project.id }, { ...values, sequence: mark.sequence, changeDate: mark.at }),
    );
    await this.announce(tx, project.id);
    return mark;
  }

  private async announce(tx: Transaction, id: string): Promise<void> {
    await this.changes.announce(tx, 'project', id);
    await this.changes.announce(tx, 'client', EVERYTHING); // Clients are cached with their project.
  }
}

function checkName(name: string): void {
  if (name.trim() === '') throw invalidFields([{ field: 'name', description: 'must not be blank' }]);
}

async function saving(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (isUniqueViolation(error, 'project_org_name_key')) throw projectNameTaken();
    throw isUniqueViolation(error, 'project_pkey') ? projectIdTaken() : error;
  }
}
