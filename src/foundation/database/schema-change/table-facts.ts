import { type Statement, unprepared } from '../statement.js';

/** A column as the database has it. */
export interface ColumnFacts {
  readonly name: string;
  /** As PostgreSQL calls it, without its length: `character varying`. */
  readonly type: string;
  /** The most characters of a `varchar`. */
  readonly length: number | null;
  readonly isNullable: boolean;
  /** SQL. */
  readonly default: string | null;
  /** Identity, a sequence, or computed from others: the database alone decides the value. */
  readonly isMade: boolean;
}

export interface IndexFacts {
  readonly columns: readonly string[];
  readonly isPrimary: boolean;
  readonly isUnique: boolean;
  /** Of columns alone, and of every row. */
  readonly isPlain: boolean;
  /** `btree`, `gin` and others. */
  readonly method: string;
}

export interface ForeignKeyFacts {
  readonly columns: readonly string[];
  /** Whether it refers to a table of the same schema. */
  readonly isOwn: boolean;
  readonly table: string;
  readonly targets: readonly string[];
}

/** What the database knows of a table. */
export interface TableFacts {
  readonly name: string;
  readonly columns: readonly ColumnFacts[];
  readonly indexes: readonly IndexFacts[];
  readonly foreignKeys: readonly ForeignKeyFacts[];
  /** The conditions of its rows: SQL over its columns. */
  readonly checks: ReadonlyArray<{ readonly name: string; readonly condition: string }>;
}

/** The names of columns by their numbers, in this order. */
const namesOf = (relation: string, numbers: string, isCounted = 'true'): string => `(
    SELECT coalesce(json_agg(a.attname ORDER BY n.place), '[]')
    FROM unnest(${numbers}) WITH ORDINALITY AS n (number, place)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = n.number
    WHERE ${isCounted}
  )`;
const listOf = (select: string): string => `(SELECT coalesce(json_agg(f), '[]') FROM (${select}) f)`;

/** The tables of a schema. */
export const TABLE_FACTS: Statement<{ schema: string }, TableFacts> = unprepared<{ schema: string }, TableFacts>(`
  SELECT
    c.relname AS name,
    ${listOf(`
      SELECT
        a.attname AS name,
        format_type(a.atttypid, NULL) AS type,
        CASE WHEN a.atttypid = 'varchar'::regtype AND a.atttypmod > 4 THEN a.atttypmod - 4 END AS length,
        NOT a.attnotnull AS "isNullable",
        pg_get_expr(d.adbin, d.adrelid) AS "default",
        a.attidentity <> '' OR a.attgenerated <> '' OR coalesce(pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false)
          AS "isMade"
      FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      ORDER BY a.attnum`)} AS columns,
    ${listOf(`
      SELECT
        ${namesOf('i.indrelid', 'i.indkey::int2[]', 'n.place <= i.indnkeyatts')} AS columns,
        i.indisprimary AS "isPrimary",
        i.indisunique AS "isUnique",
        i.indpred IS NULL AND i.indexprs IS NULL AS "isPlain",
        m.amname AS method
      FROM pg_index i
      JOIN pg_class x ON x.oid = i.indexrelid
      JOIN pg_am m ON m.oid = x.relam
      WHERE i.indrelid = c.oid AND i.indisvalid
      ORDER BY i.indexrelid`)} AS indexes,
    ${listOf(`
      SELECT
        ${namesOf('k.conrelid', 'k.conkey')} AS columns,
        t.relnamespace = c.relnamespace AS "isOwn",
        t.relname AS table,
        ${namesOf('k.confrelid', 'k.confkey')} AS targets
      FROM pg_constraint k
      JOIN pg_class t ON t.oid = k.confrelid
      WHERE k.conrelid = c.oid AND k.contype = 'f'
      ORDER BY k.conname`)} AS "foreignKeys",
    ${listOf(`
      SELECT k.conname AS name, pg_get_expr(k.conbin, k.conrelid) AS condition
      FROM pg_constraint k
      WHERE k.conrelid = c.oid AND k.contype = 'c'
      ORDER BY k.conname`)} AS checks
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = :schema AND c.relkind IN ('r', 'p')
  ORDER BY c.relname`);
