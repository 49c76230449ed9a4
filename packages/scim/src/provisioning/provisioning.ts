import { Injectable } from '@nestjs/common';
import { Database } from 'gatehouse';
import type { Caller } from 'gatehouse/admin';
import { Directories } from './directories.js';

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

interface Listed<Entry> {
  readonly result: readonly Entry[];
  readonly total: number;
}

interface UserEntry {
  readonly userId: string;
  readonly externalId: string;
}

interface GroupEntry {
  readonly groupId: string;
  readonly externalId: string;
}

interface DirectoryEntry {
  readonly directoryId: string;
  readonly users: number;
  readonly groups: number;
}

const DEFAULT_LIMIT = 100;

const DIRECTORIES = `SELECT u.id AS "directoryId",
    (SELECT count(*)::int FROM ext_scim.provisioned_user p WHERE p.directory_id = u.id) AS users,
    (SELECT count(*)::int FROM ext_scim.provisioned_group p WHERE p.directory_id = u.id) AS groups
  FROM user_account u
  WHERE u.org_id = :orgId AND u.id IN (
    SELECT p.directory_id FROM ext_scim.provisioned_user p UNION SELECT p.directory_id FROM ext_scim.provisioned_group p)
  ORDER BY u.id`;

const USERS = `SELECT user_id AS "userId", coalesce(external_id, '') AS "externalId"
  FROM ext_scim.provisioned_user WHERE directory_id = :directoryId
  ORDER BY user_id OFFSET :offset LIMIT :limit`;

const COUNT_USERS = 'SELECT count(*)::int AS total FROM ext_scim.provisioned_user WHERE directory_id = :directoryId';

const GROUPS = `SELECT group_id AS "groupId", coalesce(external_id, '') AS "externalId"
  FROM ext_scim.provisioned_group WHERE directory_id = :directoryId
  ORDER BY group_id OFFSET :offset LIMIT :limit`;

const COUNT_GROUPS = 'SELECT count(*)::int AS total FROM ext_scim.provisioned_group WHERE directory_id = :directoryId';

/** Lists which directory provisions what. */
@Injectable()
export class Provisioning {
  constructor(
    private readonly database: Database,
    private readonly known: Directories,
  ) {}

  async directories({ orgId }: Caller): Promise<readonly DirectoryEntry[]> {
    return this.database.query<DirectoryEntry>(DIRECTORIES, { orgId });
  }

  /** @throws DomainError NotFound */
  async users({ orgId }: Caller, directoryId: string, range: Range): Promise<Listed<UserEntry>> {
    await this.known.checkNamed(orgId, directoryId);
    return this.list<UserEntry>(USERS, COUNT_USERS, directoryId, range);
  }

  /** @throws DomainError NotFound */
  async groups({ orgId }: Caller, directoryId: string, range: Range): Promise<Listed<GroupEntry>> {
    await this.known.checkNamed(orgId, directoryId);
    return this.list<GroupEntry>(GROUPS, COUNT_GROUPS, directoryId, range);
  }

  private async list<Entry extends object>(
    select: string,
    count: string,
    directoryId: string,
    { offset, limit }: Range,
  ): Promise<Listed<Entry>> {
    const result = await this.database.query<Entry>(select, { directoryId, offset, limit: limit || DEFAULT_LIMIT });
    const [counted] = await this.database.query<{ total: number }>(count, { directoryId });
    return { result, total: counted?.total ?? 0 };
  }
}
