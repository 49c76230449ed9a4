import { Injectable } from '@nestjs/common';
import { columnsOf } from '../database/columns.js';
import { allOf, type Condition, equals, isOneOf } from '../database/condition.js';
import { Database } from '../database/database.js';
import { toFailure } from '../database/database-failure.js';
import { type SqlValue, statement } from '../database/statement.js';
import { Event } from './event.entity.js';
import { isOwnType } from './own-event.js';

/** One line of the journal, and who wrote it. */
export interface JournalEntry {
  readonly position: bigint;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly sequence: bigint;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  /** What the object is called now; empty if it has no name, or has been removed. */
  readonly aggregateName: string;
  readonly editorId: string;
  /** Empty if the editor is the service itself, or has been removed. */
  readonly editorName: string;
  readonly orgId: string;
  readonly createdAt: Date;
}

/** The filter; absent or empty members are ignored. */
export interface JournalSearch {
  /** Entries after this position, in the direction of reading, to continue after the previous page. */
  readonly behind?: bigint;
  /** The first sequence within their aggregate. */
  readonly fromSequence?: bigint;
  readonly aggregateTypes: readonly string[];
  readonly aggregateId: string;
  readonly types: readonly string[];
  readonly editorId: string;
  readonly orgId: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly ascending: boolean;
  readonly limit: number;
}

const PROPERTIES = [
  'position',
  'aggregateType',
  'aggregateId',
  'sequence',
  'type',
  'payload',
  'editorId',
  'orgId',
  'createdAt',
] as const;
const COLUMNS = `${columnsOf(Event, 'e', PROPERTIES)},
  coalesce(
    (SELECT CASE u.kind WHEN 'human' THEN u.display_name ELSE u.user_name END
     FROM user_account u
     WHERE u.id = e.editor_id),
    '') AS "editorName",
  coalesce(
    CASE e.aggregate_type
      WHEN 'user' THEN (
        SELECT CASE u.kind WHEN 'human' THEN u.display_name ELSE u.user_name END
        FROM user_account u
        WHERE u.id = e.aggregate_id)
      WHEN 'org' THEN (SELECT o.name FROM org o WHERE o.id = e.aggregate_id)
      WHEN 'project' THEN (SELECT p.name FROM project p WHERE p.id = e.aggregate_id)
      WHEN 'client' THEN (SELECT c.name FROM client c WHERE c.id = e.aggregate_id)
      WHEN 'session' THEN (
        SELECT u.display_name
        FROM session s
        JOIN user_account u ON u.id = s.user_id
        WHERE s.id = e.aggregate_id)
      WHEN 'sign_in' THEN (SELECT u.display_name FROM user_account u WHERE u.id = e.payload->>'userId')
    END,
    '') AS "aggregateName"`;

/** One index look-up each: a plain DISTINCT would read the whole journal. */
const distinct = (column: string): string => `WITH RECURSIVE found(value) AS (
    (SELECT ${column} FROM event ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT e.${column} FROM event e WHERE e.${column} > f.value ORDER BY e.${column} LIMIT 1)
    FROM found f
    WHERE f.value IS NOT NULL)
  SELECT value FROM found WHERE value IS NOT NULL`;

interface OwnType {
  readonly type: string;
  readonly lastAt: Date;
}

/** By rows, so that no plan goes back through the whole journal for a type that is rare. */
const LAST_OF_TYPE = statement(
  'event.last_of_type',
  `SELECT type, created_at AS "lastAt"
   FROM event
   WHERE (type, position) >= (:type, 0) AND (type, position) <= (:type, 9223372036854775807)
   ORDER BY type DESC, position DESC
   LIMIT 1`,
).rows<OwnType>();

/** Reads the journal: who changed what, when. */
@Injectable()
export class EventReader {
  constructor(private readonly database: Database) {}

  async search(wanted: JournalSearch): Promise<JournalEntry[]> {
    const values: SqlValue[] = [];
    const order = `ORDER BY e.position ${wanted.ascending ? 'ASC' : 'DESC'} LIMIT ${wanted.limit}`;
    // Each part is read from one index in the order of the positions, whatever the statistics say.
    const parts = aggregatesOf(wanted).map((aggregate) => {
      const where = allOf([...aggregate, ...toConditions(wanted)])((value) => `$${values.push(value)}`);
      return `(SELECT e.* FROM event e WHERE ${where} ${order})`;
    });
    const rows = await this.run<JournalEntry>(
      `SELECT ${COLUMNS}
       FROM (${parts.join('\n UNION ALL\n ')}) e
       ${order}`,
      values,
    );
    return rows.map((row) => ({ ...row, position: BigInt(row.position), sequence: BigInt(row.sequence) }));
  }

  /** Every type of event in the journal. */
  async types(): Promise<string[]> {
    return (await this.run<{ value: string }>(distinct('type'), [])).map(({ value }) => value);
  }

  /** The types of extensions in the journal, loaded or not, each with the moment of its last event. */
  async ownTypes(): Promise<OwnType[]> {
    const types = (await this.types())
      .filter(isOwnType)
      .map(async (type) => this.database.query(LAST_OF_TYPE, { type }));
    return (await Promise.all(types)).flat();
  }

  async aggregateTypes(): Promise<string[]> {
    return (await this.run<{ value: string }>(distinct('aggregate_type'), [])).map(({ value }) => value);
  }

  private async run<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    try {
      return await this.database.source.query<Row[]>(sql, [...values]);
    } catch (error) {
      throw toFailure(error);
    }
  }
}

/** Refused sign-ins are about a user as well, whom their payload names. */
function aggregatesOf({ aggregateId }: JournalSearch): Condition[][] {
  if (aggregateId === '') return [[]];
  return [
    [equals('e.aggregate_id', aggregateId)],
    [() => "e.aggregate_type = 'sign_in'", equals("e.payload->>'userId'", aggregateId)],
  ];
}

function toConditions(wanted: JournalSearch): Condition[] {
  const { behind, fromSequence, aggregateTypes, types, editorId, orgId, since, until, ascending } = wanted;
  return [
    ...(behind === undefined ? [] : [compare('e.position', ascending ? '>' : '<', behind.toString())]),
    ...(fromSequence === undefined ? [] : [compare('e.sequence', ascending ? '>=' : '<=', fromSequence.toString())]),
    ...(aggregateTypes.length === 0 ? [] : [isOneOf('e.aggregate_type', aggregateTypes)]),
    ...(types.length === 0 ? [] : [isOneOf('e.type', types)]),
    ...(editorId === '' ? [] : [equals('e.editor_id', editorId)]),
    ...(orgId === '' ? [] : [equals('e.org_id', orgId)]),
    ...(since ? [compare('e.created_at', '>=', since)] : []),
    ...(until ? [compare('e.created_at', '<', until)] : []),
  ];
}

function compare(column: string, operator: '<' | '<=' | '>' | '>=', value: SqlValue): Condition {
  return (bind) => `${column} ${operator} ${bind(value)}`;
}
