import { Injectable } from '@nestjs/common';
import { Clock, Database, type Sql, type SqlTransaction } from 'gatehouse';
import { type Document, textOf } from '../resource/document.js';
import { Projection } from '../resource/projection.js';
import { readResource } from '../resource/read-resource.js';
import { writeResource } from '../resource/write-resource.js';
import type { Attribute } from '../schema/attribute.js';
import { EXTERNAL_ID } from '../schema/common.schema.js';
import { ACTIVE, EMAILS, MANAGER, PHONE_NUMBERS, USER } from '../schema/user.schema.js';
import { type Account, mainEmail } from './account.js';

/** What a directory has said of a user whom it provisions. */
export interface ProvisionedUser {
  readonly userId: string;
  /** The service user that is the directory. */
  readonly directoryId: string;
  readonly externalId: string | undefined;
  /** In the directory's own spelling. */
  readonly said: Document;
  /** The account as it was after the directory's last word. */
  readonly became: Partial<Account>;
  /** Grows with each change of this row. */
  readonly revision: number;
  readonly changedAt: Date;
  /** The account was locked when the directory deactivated it. */
  readonly wasLocked: boolean;
}

interface Row {
  readonly userId: string;
  readonly directoryId: string;
  readonly externalId: string | null;
  readonly said: object;
  readonly became: Partial<Account>;
  readonly revision: number;
  readonly changedAt: Date;
  readonly wasLocked: boolean;
}

/** What is written of the row. */
export interface Said {
  readonly userId: string;
  readonly directoryId: string;
  readonly document: Document;
  readonly became: Partial<Account>;
  readonly wasLocked: boolean;
}

const COLUMNS = `user_id AS "userId", directory_id AS "directoryId", external_id AS "externalId", said, became,
  revision, changed_at AS "changedAt", was_locked AS "wasLocked"`;

const FIND = `SELECT ${COLUMNS} FROM ext_scim.provisioned_user WHERE user_id = ANY (:userIds)`;

const LOCK = `SELECT ${COLUMNS} FROM ext_scim.provisioned_user WHERE user_id = :userId FOR UPDATE`;

const SAVE = `INSERT INTO ext_scim.provisioned_user AS u
    (user_id, directory_id, external_id, said, became, email_type, manager_id, changed_at, was_locked)
  VALUES (:userId, :directoryId, :externalId, :said, :became, :emailType, :managerId, :now, :wasLocked)
  ON CONFLICT (user_id) DO UPDATE SET external_id = excluded.external_id, said = excluded.said,
    became = excluded.became, email_type = excluded.email_type, manager_id = excluded.manager_id,
    changed_at = excluded.changed_at, was_locked = excluded.was_locked, revision = u.revision + 1
  RETURNING ${COLUMNS}`;

const DROP_VALUES = 'DELETE FROM ext_scim.provisioned_value WHERE user_id = :userId';

const ADD_VALUES = `INSERT INTO ext_scim.provisioned_value (user_id, attribute, position, type_key, value_key)
  SELECT :userId, one.attribute, one.position, one.type_key, one.value_key
  FROM jsonb_to_recordset(:values) AS one (attribute text, position integer, type_key text, value_key text)`;

/** Answers have all of it but what Gatehouse adds. */
const STORED = Projection.of(USER, {
  attributes: [],
  excludedAttributes: ['id', 'externalId', 'meta', 'active', 'groups'],
});

/** What directories have said of users: the table `provisioned_user`, and the values by which they are found. */
@Injectable()
export class ProvisionedUsers {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async find(userIds: readonly string[], sql: Sql = this.database): Promise<ReadonlyMap<string, ProvisionedUser>> {
    if (userIds.length === 0) return new Map();
    const rows = await sql.query<Row>(FIND, { userIds });
    return new Map(rows.map((row) => [row.userId, toProvisioned(row)]));
  }

  /** Whoever changes a user by this protocol waits here for others who do. */
  async lock(tx: SqlTransaction, userId: string): Promise<ProvisionedUser | undefined> {
    const [row] = await tx.query<Row>(LOCK, { userId });
    return row && toProvisioned(row);
  }

  async save(tx: SqlTransaction, { userId, directoryId, document, became, wasLocked }: Said): Promise<ProvisionedUser> {
    const main = mainEmail(document);
    const [row] = await tx.query<Row>(SAVE, {
      userId,
      directoryId,
      externalId: document.text(EXTERNAL_ID) ?? null,
      said: storedOf(document),
      became,
      emailType: (main && textOf(main, EMAILS, 'type')?.toLowerCase()) ?? '',
      managerId: textOf(document.complex(MANAGER), MANAGER, 'value') ?? '',
      now: this.clock.now(),
      wasLocked,
    });
    await tx.query(DROP_VALUES, { userId });
    const values = [...valuesOf(document, EMAILS, main), ...valuesOf(document, PHONE_NUMBERS)];
    if (values.length > 0) await tx.query(ADD_VALUES, { userId, values: JSON.stringify(values) });
    return toProvisioned(row as Row);
  }
}

/** What is stored of a resource: neither what Gatehouse adds, nor passwords, which are never written. */
export function storedOf(document: Document): object {
  return writeResource(USER, document.with(ACTIVE, undefined), STORED);
}

/** The values by which a user is found besides those of the account. */
function valuesOf(document: Document, attribute: Attribute, main?: unknown): readonly object[] {
  return document.list(attribute).flatMap((value, position) => {
    if (value === main) return [];
    return [
      {
        attribute: attribute.name,
        position,
        type_key: textOf(value, attribute, 'type')?.toLowerCase() ?? '',
        value_key: textOf(value, attribute, 'value')?.toLowerCase() ?? '',
      },
    ];
  });
}

function toProvisioned({ externalId, said, ...row }: Row): ProvisionedUser {
  return {
    ...row,
    externalId: externalId ?? undefined,
    said: readResource(USER, said).with(EXTERNAL_ID, externalId ?? undefined),
  };
}
