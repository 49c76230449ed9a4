import type { SealedPlace } from '../../foundation/crypto/vault.js';
import { isThere } from '../../foundation/database/is-there.js';

/** The columns of a staging table besides those of the row itself. */
const MARKS = {
  _org: 'the organization under which the document has it',
  _org_position: 'the position of that organization in the document',
  _path: 'JSON path',
  _type: 'the kind of object, as in the response',
  _id: 'its name in the response',
  _done: 'what the response lists, in JSON',
  _verdict: 'what is wrong with it, or that it already exists',
  _reason: 'the verdict as a sentence',
  _notes: 'what is imported differently from the document: a list in JSON',
} as const;

/** A row for a staging table, by column name. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Why a row is not written. `same` and `repeated` (it occurs again in the document) lose nothing. `left_out` is listed
 * but refuses nothing, because documents of the described system contain such entries. The other two refuse the
 * document, or are left out on request.
 */
export type Judgement = 'same' | 'repeated' | 'left_out' | 'invalid' | 'conflict';

/** The owner of a stored row, as SQL over an alias. */
export type OwnerOf = (alias: string) => string;

export interface Unique {
  readonly columns: readonly string[];
  /** Condition of a partial index, as SQL over `{}`, which stands for the alias. */
  readonly where?: string;
  /** Where the values are stored, if not in the table of the stage itself. */
  readonly table?: string;
  readonly says: string;
  /** The unique value, as SQL over `{}`. */
  readonly value?: string;
  /** Who has the value already and what can be done about it, as SQL over the staged `s` and the stored `t`. */
  readonly holder?: string;
}

/**
 * A rule for staged rows `s`: SQL that is true for those which break it. `skip`: rows in conflict are left out, so
 * nothing may refer to them.
 */
export interface Check {
  readonly breaks: (skip: boolean) => string;
  readonly says: string;
  /** The value that breaks it, as SQL over `s`; the reason begins with it. */
  readonly value?: string;
  readonly verdict: Exclude<Judgement, 'same' | 'repeated'>;
}

/** A table that the import writes, and the rules that decide whether a row may be written. */
export interface Stage {
  readonly table: string;
  /** What stands for the table in the name of the temporary one, where two stages write one table. */
  readonly stagedAs?: string;
  /** Identifies rows: the primary key, or what stands for it in a document. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly ownerOf: OwnerOf;
  /** Columns that the document may omit (null); they are then not compared. */
  readonly optional?: readonly string[];
  /** Further values of a column that count as equal, as SQL over `s` and the stored `t`. */
  readonly sameAs?: Readonly<Record<string, string>>;
  /** Columns that are written but never compared. */
  readonly uncompared?: readonly string[];
  /** Arrays whose order is irrelevant. */
  readonly sets?: readonly string[];
  /** JSON of which the stored value may contain more, such as a note beside a key. */
  readonly mayContainMore?: readonly string[];
  /** A further condition for rows to be the same: SQL over `s` and the stored `t`. */
  readonly sameOnlyIf?: string;
  /** A second table that gets a row with each: its columns, as SQL over the staged row. */
  readonly besides?: { readonly table: string; readonly columns: Readonly<Record<string, string>> };
  /** What a column gets that the document omits, as SQL. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Texts of an entry besides its row, for other statements to use. */
  readonly asides?: readonly string[];
  /** Columns that hold sealed values: equal values have different seals. */
  readonly sealed?: ReadonlyArray<{
    readonly column: string;
    readonly place: (row: Readonly<Record<string, string>>) => SealedPlace;
  }>;
  readonly uniques?: readonly Unique[];
  readonly checks?: readonly Check[];
  /** Statements that fill in what an entry alone cannot know, before anything is judged. */
  readonly prepare?: readonly string[];
  /** Like `prepare`, but after all referenced rows have been judged. */
  readonly resolve?: (skip: boolean) => readonly string[];
  /** What refusals call the object: `a project`. */
  readonly name: string;
}

/** The name of the temporary table of a stage, or of the one of a table: no other table begins like this. */
export function staging(stage: string | Pick<Stage, 'table' | 'stagedAs'>): string {
  return `pg_temp.staged_${typeof stage === 'string' ? stage : (stage.stagedAs ?? stage.table)}`;
}

function stagedColumns(stage: Stage): string[] {
  return [...allColumns(stage), ...(stage.asides ?? [])];
}

function allColumns({ key, columns }: Stage): string[] {
  return [...new Set([...key, ...columns])];
}

/** `_position` is the position of the row in the document. */
export function createSql(stage: Stage): string {
  const marks = Object.keys(MARKS)
    .map((mark) => `, ${mark === '_org_position' ? '0' : "''::text"} AS ${mark}`)
    .join('');
  const asides = (stage.asides ?? []).map((aside) => `, ''::text AS ${aside}`).join('');
  return `CREATE TEMPORARY TABLE ${staging(stage).slice('pg_temp.'.length)} AS
    SELECT ${allColumns(stage).join(', ')}${asides}${marks}, 0::bigint AS _position
    FROM ${stage.table}
    WITH NO DATA`;
}

export function loadSql(stage: Stage): string {
  const columns = [...stagedColumns(stage), ...Object.keys(MARKS), '_position'].join(', ');
  return `INSERT INTO ${staging(stage)} (${columns})
    SELECT ${columns}
    FROM json_populate_recordset(NULL::${staging(stage)}, :rows::json)`;
}

export function indexSql(stage: Stage): string[] {
  const indexed = [stage.key, ...(stage.uniques ?? []).map(({ columns }) => columns), ['_position']];
  return indexed.map((columns) => `CREATE INDEX ON ${staging(stage)} (${columns.join(', ')})`);
}

export function analyzeSql(stage: Stage): string {
  return `ANALYZE ${staging(stage)}`;
}

export function dropSql(stage: Stage): string {
  return `DROP TABLE IF EXISTS ${staging(stage)}`;
}

/** Statements, in order, that mark every row that must not be written. Rows left without a mark are new. */
export function verdictSql(stage: Stage, skip: boolean): string[] {
  const staged = staging(stage);
  const { key, uniques = [], checks = [] } = stage;
  return [
    twiceSql(stage, { columns: key, says: `is ${stage.name} that the document has already` }, `' at ' || d.first`),
    ...uniques.map((unique) => twiceSql(stage, unique, `', which ' || d.first || ' has already'`)),
    `UPDATE ${staged} s
     SET
       _verdict = CASE
         WHEN ${stage.ownerOf('t')} IS DISTINCT FROM s._org THEN 'conflict'
         WHEN ${equalSql(stage)} THEN 'same'
         ELSE 'conflict'
       END,
       _reason = CASE
         WHEN ${stage.ownerOf('t')} IS DISTINCT FROM s._org
         THEN ${quoted(`is ${stage.name} of another organization`)}
         ELSE ${quoted(`conflicts with an existing ${stage.name.replace(/^an? /, '')}`)}
       END
     FROM ${stage.table} t
     WHERE s._verdict IS NULL AND ${sameKey(key)}`,
    ...uniques.map((unique) => takenSql(stage, unique)),
    ...checks.map(
      ({ breaks, says, value, verdict }) =>
        `UPDATE ${staged} s
         SET _verdict = '${verdict}', _reason = ${value === undefined ? quoted(says) : `${value} || ${quoted(` ${says}`)}`}
         WHERE s._verdict IS NULL AND (${breaks(skip)})`,
    ),
  ];
}

/** Why a unique value is not available: names the value and, in `who`, its holder; both are SQL. */
function reasonSql({ says, value }: Unique, alias: string, who: string): string {
  const what = value === undefined ? quoted(says) : `${quoted(`${says} `)} || ${value.replaceAll('{}', alias)}`;
  return `${what} || ${who}`;
}

/** Refuses repetitions in the document: every row after the first with the same values. */
function twiceSql(stage: Stage, unique: Unique, who: string): string {
  const { columns, where } = unique;
  const staged = staging(stage);
  const present = ['d._verdict IS NULL', ...columns.map((column) => `d.${column} IS NOT NULL`)].join(' AND ');
  return `UPDATE ${staged} s
    SET _verdict = 'invalid', _reason = ${reasonSql(unique, 's', who)}
    FROM (
      SELECT
        d._position,
        row_number() OVER same AS place,
        first_value(d._path) OVER same AS first
      FROM ${staged} d
      WHERE ${present}${where === undefined ? '' : ` AND ${where.replaceAll('{}', 'd')}`}
      WINDOW same AS (PARTITION BY ${columns.map((column) => `d.${column}`).join(', ')} ORDER BY d._position)
    ) d
    WHERE d._position = s._position AND d.place > 1 AND s._verdict IS NULL`;
}

function takenSql(stage: Stage, unique: Unique): string {
  const { columns, where, table = stage.table, holder = `''` } = unique;
  const condition = where === undefined ? '' : ` AND ${where.replaceAll('{}', 's')} AND ${where.replaceAll('{}', 't')}`;
  return `UPDATE ${staging(stage)} s
    SET _verdict = 'conflict', _reason = ${reasonSql(unique, 's', holder)}
    FROM ${table} t
    WHERE s._verdict IS NULL AND ${sameKey(columns)}${condition}`;
}

/** That a staged `s` and a stored `t` are the same object. */
export function sameKey(columns: readonly string[]): string {
  return columns.map((column) => `t.${column} = s.${column}`).join(' AND ');
}

function equalSql({
  columns,
  key,
  optional = [],
  sameAs = {},
  uncompared = [],
  sets = [],
  mayContainMore = [],
  sameOnlyIf = 'true',
}: Stage): string {
  const compared = columns.filter((column) => !key.includes(column) && !uncompared.includes(column));
  return [
    sameOnlyIf,
    ...compared.map((column) => {
      const bothWays = `(s.${column} @> t.${column} AND s.${column} <@ t.${column})`;
      const alone = sets.includes(column)
        ? bothWays
        : mayContainMore.includes(column)
          ? `t.${column} @> s.${column}`
          : `s.${column} IS NOT DISTINCT FROM t.${column}`;
      const equal = sameAs[column] === undefined ? alone : `(${alone} OR coalesce(${sameAs[column]}, false))`;
      return optional.includes(column) ? `(s.${column} IS NULL OR ${equal})` : equal;
    }),
  ].join(' AND ');
}

/**
 * Rows per statement: few enough to report progress in between, and enough to make the cost of another statement
 * irrelevant.
 */
const WRITTEN_AT_ONCE = 10_000;

/** Rows that are written by one statement: up to and including `last`, with the number of each type. */
export interface Batch {
  readonly last: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** The batches of new rows, in order. */
export function batchesSql(stage: Stage): string {
  return `SELECT max(last)::text AS last, json_object_agg(type, count) AS counts
    FROM (
      SELECT
        batch,
        type,
        count(*) AS count,
        max(_position) AS last
      FROM (
        SELECT
          _type AS type,
          _position,
          (row_number() OVER (ORDER BY _position) - 1) / ${WRITTEN_AT_ONCE} AS batch
        FROM ${staging(stage)}
        WHERE _verdict IS NULL
      ) n
      GROUP BY batch, type
    ) b
    GROUP BY batch
    ORDER BY batch`;
}

/** Writes the rows after `:after`, up to and including `:last`. */
export function writeSql(stage: Stage): string {
  const columns = allColumns(stage);
  const { defaults = {}, besides } = stage;
  const values = columns.map((column) => (column in defaults ? `coalesce(${column}, ${defaults[column]!})` : column));
  const own = insertSql(stage, stage.table, columns, values);
  if (!besides) return own;
  // The constraints between the two are checked at the end of the statement.
  return `WITH own AS (${own})
    ${insertSql(stage, besides.table, Object.keys(besides.columns), Object.values(besides.columns))}`;
}

function insertSql(stage: Stage, table: string, columns: readonly string[], values: readonly string[]): string {
  return `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${values.join(', ')}
    FROM ${staging(stage)}
    WHERE _verdict IS NULL AND _position > :after::bigint AND _position <= :last::bigint`;
}

/** A quoted text, and an organization by id and name: SQL over the column with the text, or with the id. */
export const inQuotes = (column: string): string => `to_json(${column})::text`;
export const orgNamed = (id: string): string =>
  `'the organization ' || ${id} || coalesce((SELECT ' (' || o.name || ')' FROM org o WHERE o.id = ${id}), '')`;

export function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/**
 * Staged rows that others may depend on: in a strict import all but those left out, since one conflict refuses
 * everything.
 */
export function usable(skip: boolean, alias = 'r'): string {
  return skip
    ? `(${alias}._verdict IS NULL OR ${alias}._verdict = 'same')`
    : `${alias}._verdict IS DISTINCT FROM 'left_out'`;
}

/** The notes of a staged row with one more; both are SQL. */
export function noted(alias: string, path: string, message: string): string {
  return `(
      coalesce(${alias}._notes, '[]')::jsonb
      || jsonb_build_array(jsonb_build_object('path', ${path}, 'message', ${message}))
    )::text`;
}

/**
 * A check that a reference is in the document or stored; `owner` restricts that: SQL over `s` and the owner's
 * expression. An object that is stored in another organization than the document's is a different object.
 */
export function refersTo(
  column: string,
  target: Pick<Stage, 'table' | 'stagedAs' | 'ownerOf' | 'name'>,
  {
    key = 'id',
    owner,
    says = `names ${target.name} that is neither in the document nor here`,
    verdict = 'invalid',
  }: { key?: string; owner?: (ownerSql: string) => string; says?: string; verdict?: Check['verdict'] } = {},
): Check {
  const of = (ownerSql: string): string => (owner ? ` AND ${owner(ownerSql)}` : '');
  const isNotTheDocuments = `
          AND NOT EXISTS (
            SELECT 1 FROM ${staging(target)} d
            WHERE d.${key} = s.${column}
              AND NOT ${usable(true, 'd')}
              AND d._org IS DISTINCT FROM ${target.ownerOf('r')}
          )`;
  return {
    says,
    verdict,
    breaks: (skip) => `s.${column} IS NOT NULL
      AND NOT ${isThere(`${staging(target)} r`, `r.${key} = s.${column} AND ${usable(skip)}${of('r._org')}`)}
      AND NOT ${isThere(
        `${target.table} r`,
        `r.${key} = s.${column}${of(target.ownerOf('r'))}${skip ? isNotTheDocuments : ''}`,
      )}`,
  };
}

/** The object must be the same organization's. */
export const OWN = { owner: (ownerSql: string): string => `${ownerSql} = s._org` };
/** The object must be the same organization's, or the instance's. */
export const OWN_OR_INSTANCE = {
  owner: (ownerSql: string): string => `${ownerSql} IN (s._org, (SELECT id FROM instance))`,
};
