import { Injectable } from '@nestjs/common';
import { Database, type Sql, type SqlTransaction } from 'gatehouse';

/** What a directory has said of a group that it provisions. */
export interface ProvisionedGroup {
  readonly groupId: string;
  readonly directoryId: string;
  readonly externalId: string | undefined;
  /** Grows with each change of this row. */
  readonly revision: number;
}

interface Row extends Omit<ProvisionedGroup, 'externalId'> {
  readonly externalId: string | null;
}

const COLUMNS = 'group_id AS "groupId", directory_id AS "directoryId", external_id AS "externalId", revision';

const FIND = `SELECT ${COLUMNS} FROM ext_scim.provisioned_group WHERE group_id = ANY (:groupIds)`;

const LOCK = `SELECT ${COLUMNS} FROM ext_scim.provisioned_group WHERE group_id = :groupId FOR UPDATE`;

const SAVE = `INSERT INTO ext_scim.provisioned_group AS g (group_id, directory_id, external_id)
  VALUES (:groupId, :directoryId, :externalId)
  ON CONFLICT (group_id) DO UPDATE SET external_id = excluded.external_id, revision = g.revision + 1
  RETURNING ${COLUMNS}`;

/** Which directory provisions a group: the table `provisioned_group`. */
@Injectable()
export class ProvisionedGroups {
  constructor(private readonly database: Database) {}

  async find(groupIds: readonly string[], sql: Sql = this.database): Promise<ReadonlyMap<string, ProvisionedGroup>> {
    if (groupIds.length === 0) return new Map();
    const rows = await sql.query<Row>(FIND, { groupIds });
    return new Map(rows.map((row) => [row.groupId, toProvisioned(row)]));
  }

  /** Whoever changes a group by this protocol waits here for others who do. */
  async lock(tx: SqlTransaction, groupId: string): Promise<ProvisionedGroup | undefined> {
    const [row] = await tx.query<Row>(LOCK, { groupId });
    return row && toProvisioned(row);
  }

  async save(
    tx: SqlTransaction,
    { groupId, directoryId, externalId }: Omit<ProvisionedGroup, 'revision'>,
  ): Promise<ProvisionedGroup> {
    const [row] = await tx.query<Row>(SAVE, { groupId, directoryId, externalId: externalId ?? null });
    return toProvisioned(row as Row);
  }
}

function toProvisioned({ externalId, ...row }: Row): ProvisionedGroup {
  return { ...row, externalId: externalId ?? undefined };
}
