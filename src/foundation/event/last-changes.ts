import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';

/** The change that is looked for; empty members match everything. */
export interface SoughtChange {
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly types?: readonly string[];
  /** A member that the payload must have. */
  readonly setting?: string;
  /** The provider that the payload must name. */
  readonly idpId?: string;
}

/** Who changed something last, and when. */
export interface LastChange {
  readonly at: Date;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly editorId: string;
  /** Null if the editor is the service itself, or has been removed. */
  readonly editorName: string | null;
  readonly editorOrgId: string | null;
}

/** How far back is looked: an object with more events than that costs no more. */
const MOST_EVENTS = 500;

/** Reads the newest events of one object by the unique index over its name and sequence (`lastSequenceSql`). */
const FIND = statement(
  'event.last_change',
  `SELECT
     r.created_at AS at,
     r.type,
     r.payload,
     r.editor_id AS "editorId",
     CASE u.kind WHEN 'human' THEN u.display_name ELSE u.user_name END AS "editorName",
     u.org_id AS "editorOrgId"
   FROM (
     SELECT e.*
     FROM event e
     WHERE e.aggregate_type || '/' || e.aggregate_id = :aggregate
     ORDER BY e.sequence DESC
     LIMIT ${MOST_EVENTS}) r
   LEFT JOIN user_account u ON u.id = r.editor_id
   WHERE (cardinality(:types::text[]) = 0 OR r.type = ANY (:types::text[]))
     AND (:setting = '' OR jsonb_exists(r.payload, :setting))
     AND (:idpId = '' OR r.payload ->> 'idpConfigId' = :idpId)
   ORDER BY r.sequence DESC
   LIMIT 1`,
).rows<LastChange>();

/** Finds who made something what it is, for those who ask why it is so. */
@Injectable()
export class LastChanges {
  constructor(private readonly database: Database) {}

  async find(sought: SoughtChange): Promise<LastChange | undefined> {
    const { aggregateType, aggregateId, types = [], setting = '', idpId = '' } = sought;
    const aggregate = `${aggregateType}/${aggregateId}`;
    return (await this.database.query(FIND, { aggregate, types, setting, idpId }))[0];
  }
}
