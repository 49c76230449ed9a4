import { Injectable } from '@nestjs/common';
import { columnsOf } from '../database/columns.js';
import { allOf, type Bind, type Condition, equals, isOneOf } from '../database/condition.js';
import { Database, type Transaction } from '../database/database.js';
import { toFailure } from '../database/database-failure.js';
import { queryList, setForList } from '../database/listing.js';
import { type SqlValue, statement } from '../database/statement.js';
import { isExtType } from '../extension/ext-event.js';
import { Event } from './event.entity.js';

/** One line of the journal, and who wrote it. */
export interface JournalEntry {
  readonly position: bigint;
  readonly aggregateType: string;
  readonly aggregateId: string;
  readonly sequence: bigint;
  readonly type: string;
  readonly payload: Record<string, unknown>;
  /** The current name of the object; empty if it has none, or was removed. */
  readonly aggregateName: string;
  readonly editorId: string;
  /** Empty if the editor is the service itself, or has been removed. */
  readonly editorName: string;
  readonly orgId: string;
  readonly createdAt: Date;
}

/** With the name of its organization; empty for the instance. */
export type PlacedEntry = JournalEntry & { readonly orgName: string };

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
/** The greatest that there can be. */
const LAST_POSITION = '9223372036854775807';

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
      WHEN 'group' THEN (SELECT g.name FROM user_group g WHERE g.id = e.aggregate_id)
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

/**
 * Each type by its own index, backwards, and no further than needed: sign-ins in between are never read. Types are
 * compared with the position, row by row: of an equal type the planner may believe that it is frequent, and go back
 * through the whole journal for one that is rare.
 */
const last = (
  key: string,
  of: string,
): string => `SELECT ${COLUMNS}, coalesce((SELECT o.name FROM org o WHERE o.id = e.org_id), '') AS "orgName"
   FROM event e
   WHERE e.position = ANY (ARRAY(
     SELECT newest.position
     FROM unnest(:aggregateTypes::text[]) AS wanted(type)
     CROSS JOIN LATERAL (
       SELECT f.position
       FROM event f
       WHERE (${key}, f.position) >= (${of}, 0) AND (${key}, f.position) <= (${of}, ${LAST_POSITION})
       ORDER BY ${key.replaceAll(',', ' DESC,')} DESC, f.position DESC
       LIMIT :most) newest
     ORDER BY newest.position DESC
     LIMIT :most))
   ORDER BY e.position DESC`;
const LAST = statement<{ aggregateTypes: readonly string[]; most: number }>(
  'event.last',
  last('f.aggregate_type', 'wanted.type'),
).rows<PlacedEntry>();
const LAST_OF_ORG = statement<{ aggregateTypes: readonly string[]; most: number; orgId: string }>(
  'event.last_of_org',
  last('f.org_id, f.aggregate_type', ':orgId, wanted.type'),
).rows<PlacedEntry>();

const LAST_ABOUT = statement(
  'event.last_about',
  `SELECT ${COLUMNS}
   FROM event e
   WHERE e.aggregate_id = :aggregateId AND e.org_id = :orgId
   ORDER BY e.position DESC
   LIMIT :most`,
).rows<JournalEntry>();

/** Finds each value by one index look-up: a plain DISTINCT would read the whole journal. */
const distinct = (column: string): string => `WITH RECURSIVE found(value) AS (
    (SELECT ${column} FROM event ORDER BY ${column} LIMIT 1)
    UNION ALL
    SELECT (SELECT e.${column} FROM event e WHERE e.${column} > f.value ORDER BY e.${column} LIMIT 1)
    FROM found f
    WHERE f.value IS NOT NULL)
  SELECT value FROM found WHERE value IS NOT NULL`;

interface ExtType {
  readonly type: string;
  readonly lastAt: Date;
}

/** Row by row, so that no plan goes back through the whole journal for a type that is rare. */
const LAST_OF_TYPE = statement(
  'event.last_of_type',
  `SELECT type, created_at AS "lastAt"
   FROM event
   WHERE (type, position) >= (:type, 0) AND (type, position) <= (:type, ${LAST_POSITION})
   ORDER BY type DESC, position DESC
   LIMIT 1`,
).rows<ExtType>();

/** How much later than its time an event may be appended, by clocks that differ and by long transactions. */
const APPENDED_WITHIN = `interval '1 hour'`;

const LAST_BEFORE = statement(
  'event.last_before',
  `SELECT position
   FROM event
   WHERE created_at < :at::timestamptz - ${APPENDED_WITHIN}
   ORDER BY created_at DESC
   LIMIT 1`,
).rows<{ position: string }>();
const FIRST_AFTER = statement(
  'event.first_after',
  `SELECT position
   FROM event
   WHERE created_at >= :at::timestamptz + ${APPENDED_WITHIN}
   ORDER BY created_at
   LIMIT 1`,
).rows<{ position: string }>();

/** Reads the journal: who changed what, when. */
@Injectable()
export class EventReader {
  constructor(private readonly database: Database) {}

  /** @throws DomainError DeadlineExceeded `list.too_slow` */
  async search(wanted: JournalSearch): Promise<JournalEntry[]> {
    return this.database.transaction(async (tx) => {
      await setForList(tx);
      const values: SqlValue[] = [];
      const rows = await queryList<JournalEntry>(
        tx,
        pageSql(wanted, await boundsOf(tx, wanted), (value) => `$${values.push(value)}`),
        values,
      );
      return rows.map(withNumbers);
    });
  }

  /**
   * The last ones about objects of these types, the newest first.
   * @param orgId only those of an organization
   */
  async last(aggregateTypes: readonly string[], most: number, orgId?: string): Promise<PlacedEntry[]> {
    const wanted = { aggregateTypes, most };
    const rows =
      orgId === undefined
        ? await this.database.query(LAST, wanted)
        : await this.database.query(LAST_OF_ORG, { ...wanted, orgId });
    return rows.map(withNumbers);
  }

  /** The last ones about an object of an organization, the newest first: ids may have been known in others before. */
  async lastAbout(aggregateId: string, orgId: string, most: number): Promise<JournalEntry[]> {
    return (await this.database.query(LAST_ABOUT, { aggregateId, orgId, most })).map(withNumbers);
  }

  /** Every type of event in the journal. */
  async types(): Promise<string[]> {
    return (await this.run<{ value: string }>(distinct('type'), [])).map(({ value }) => value);
  }

  /** The types of extensions in the journal, loaded or not, each with the moment of its last event. */
  async extTypes(): Promise<ExtType[]> {
    const types = (await this.types())
      .filter(isExtType)
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

/** The driver returns a bigint as a string. */
function withNumbers<Entry extends JournalEntry>(row: Entry): Entry {
  return { ...row, position: BigInt(row.position), sequence: BigInt(row.sequence) };
}

/** Refused sign-ins are about a user as well, whom their payload names. */
function aggregatesOf({ aggregateId }: JournalSearch): Condition[][] {
  if (aggregateId === '') return [[]];
  return [
    [equals('e.aggregate_id', aggregateId)],
    [() => "e.aggregate_type = 'sign_in'", equals("e.payload->>'userId'", aggregateId)],
  ];
}

/**
 * The page by the index of each wanted type in turn, since PostgreSQL reads several values of a column in no order: it
 * would read the whole journal instead, until the page is full.
 */
function pageSql(wanted: JournalSearch, bounds: readonly Condition[], bind: Bind): string {
  const order = wanted.ascending ? 'ASC' : 'DESC';
  const { types, aggregateTypes, limit } = wanted;
  const by = types.length > 0 ? 'type' : 'aggregate_type';
  const each = types.length > 0 ? types : aggregateTypes;
  const within = types.length > 0 && aggregateTypes.length > 0 ? [isOneOf('e.aggregate_type', aggregateTypes)] : [];
  const conditions = [...bounds, ...within, ...toConditions(wanted)];
  const found = (mine: readonly Condition[]): string =>
    `(SELECT e.position FROM event e WHERE ${allOf([...conditions, ...mine])(bind)} ORDER BY e.position ${order} LIMIT ${limit})`;
  const kinds = each.length === 0 ? [[]] : [...new Set(each)].map((one) => [equals(`e.${by}`, one)]);
  const parts = aggregatesOf(wanted).flatMap((aggregate) => kinds.map((kind) => found([...aggregate, ...kind])));
  return `SELECT ${COLUMNS}
    FROM event e
    WHERE e.position = ANY (ARRAY(
      SELECT position FROM (${parts.join(' UNION ALL ')}) AS found ORDER BY position ${order} LIMIT ${limit}))
    ORDER BY e.position ${order}`;
}

/**
 * Positions between which everything is that happened in a range of time, so that no page is looked for outside: events
 * are numbered in nearly the order of their times.
 */
async function boundsOf(tx: Transaction, { since, until }: JournalSearch): Promise<Condition[]> {
  const [last] = since ? await tx.query(LAST_BEFORE, { at: since }) : [];
  const [first] = until ? await tx.query(FIRST_AFTER, { at: until }) : [];
  return [
    ...(last ? [compare('e.position', '>', last.position)] : []),
    ...(first ? [compare('e.position', '<', first.position)] : []),
  ];
}

function toConditions(wanted: JournalSearch): Condition[] {
  const { behind, fromSequence, editorId, orgId, since, until, ascending } = wanted;
  return [
    ...(behind === undefined ? [] : [compare('e.position', ascending ? '>' : '<', behind.toString())]),
    ...(fromSequence === undefined ? [] : [compare('e.sequence', ascending ? '>=' : '<=', fromSequence.toString())]),
    ...(editorId === '' ? [] : [equals('e.editor_id', editorId)]),
    ...(orgId === '' ? [] : [equals('e.org_id', orgId)]),
    ...(since ? [compare('e.created_at', '>=', since)] : []),
    ...(until ? [compare('e.created_at', '<', until)] : []),
  ];
}

function compare(column: string, operator: '<' | '<=' | '>' | '>=', value: SqlValue): Condition {
  return (bind) => `${column} ${operator} ${bind(value)}`;
}
