import { Injectable } from '@nestjs/common';
import { CachedReads } from '../foundation/database/cached-reads.js';
import { ChangeChannel } from '../foundation/database/change-channel.js';
import { columnsOf } from '../foundation/database/columns.js';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { ProjectService } from './project.service.js';
import { ProjectResource } from './project-resource.entity.js';
import { resourceKeyOf } from './resource-uri.js';

/** A resource as clients name it. */
export interface KnownResource {
  /** The URI as it stands in tokens. */
  readonly uri: string;
  readonly projectId: string;
}

const FIND = statement(
  'project_resource.find',
  `SELECT ${columnsOf(ProjectResource, 'r', ['uri', 'projectId'])}
   FROM project_resource r
   WHERE r.key = :key`,
).rows<KnownResource>();

const LIST = statement(
  'project_resource.list',
  'SELECT r.uri FROM project_resource r WHERE r.project_id = :projectId ORDER BY r.key',
).rows<{ uri: string }>();

/** Looks up protected resources by their URIs; cached (ADR 14). */
@Injectable()
export class ResourceDirectory {
  private readonly cache: CachedReads<KnownResource>;

  constructor(
    private readonly database: Database,
    private readonly projects: ProjectService,
    changes: ChangeChannel,
  ) {
    // URIs are never ids of projects, so both can be keys of one topic.
    this.cache = new CachedReads(changes, 'project', async (key) => (await database.query(FIND, { key }))[0]);
  }

  /** Undefined if it is malformed or unknown, or its project is not active. */
  async find(uri: string): Promise<KnownResource | undefined> {
    const key = resourceKeyOf(uri);
    const known = key === undefined ? undefined : await this.cache.find(key);
    return known && (await this.projects.isActive(known.projectId)) ? known : undefined;
  }

  /** The URIs of a project, as they were registered. */
  async list(projectId: string): Promise<string[]> {
    return (await this.database.query(LIST, { projectId })).map(({ uri }) => uri);
  }
}
