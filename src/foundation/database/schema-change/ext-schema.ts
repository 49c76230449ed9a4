import { createHash } from 'node:crypto';
import type { DataSource, QueryRunner } from 'typeorm';
import { DomainError } from '../../error/domain-error.js';
import { unprepared } from '../statement.js';
import { type DriverConnection, queryDriver } from './driver-query.js';
import type { MovedTable } from './moved-table.js';
import { movedTableMistakes } from './moved-table-check.js';
import { TABLE_FACTS } from './table-facts.js';

/**
 * A step in the history of an extension's tables. Once released, it never changes: what comes later is another step.
 * The version before must be able to run on it, because processes are replaced one by one.
 * @public
 */
export interface SchemaChange {
  /** Lower-case letters, digits and hyphens, at most 60: `1-employee`. */
  readonly name: string;
  /**
   * SQL, of one or several statements, which run in one transaction. What it creates is in the schema `ext_{id}`.
   * Foreign keys may refer to the `id` of `user_account`, `user_group`, `org`, `project`, `client` and `idp`, with ON
   * DELETE CASCADE and an index.
   */
  readonly up: string;
}

/** The tables of one extension, from the first step to the last. */
export interface ExtSchema {
  /** The id of the extension. */
  readonly owner: string;
  readonly changes: readonly SchemaChange[];
  /** Those that move with organizations. */
  readonly moves: readonly MovedTable[];
}

interface Applied {
  readonly name: string;
  readonly digest: string;
}

/** The tables to which foreign keys of extensions may refer, by their `id`. */
const REFERABLE: readonly string[] = ['user_account', 'user_group', 'org', 'project', 'client', 'idp'];

export const schemaNameOf = (owner: string): string => `ext_${owner}`;

/**
 * Applies the changes of an extension that the database lacks, each in a transaction of its own. Called with the lock
 * on schema changes held.
 * @throws DomainError FailedPrecondition `extension.database_newer`, `extension.schema_edited`,
 * `extension.schema_order`, `extension.schema_failed`, `extension.moves_wrong`
 */
export async function applyExtChanges(runner: QueryRunner, schema: ExtSchema): Promise<void> {
  await applyLacking(runner, schema);
  await checkMoves(runner, schema);
}

async function applyLacking(runner: QueryRunner, schema: ExtSchema): Promise<void> {
  const isThere = await hasLedger(runner, schema);
  if (!isThere && schema.changes.length === 0) return;
  if (!isThere) await createSchema(runner, schema);
  const applied = await appliedChanges(runner, schema);
  checkHistory(schema, applied);
  for (const [index, change] of schema.changes.entries())
    if (index >= applied.length) await apply(runner, schema.owner, change, index + 1);
  // A change may have set parameters of the session, which goes back to the pool.
  await runner.query('RESET ALL');
}

/**
 * The names of the changes of an extension that the next start will apply, in their order. Changes nothing.
 * @throws DomainError FailedPrecondition as `applyExtChanges`, as far as that can be known
 */
export async function pendingExtChanges(source: DataSource, schema: ExtSchema): Promise<string[]> {
  const { owner, changes } = schema;
  if (await hasLedger(source, schema)) {
    const applied = await appliedChanges(source, schema);
    checkHistory(schema, applied);
    const lacking = changes.slice(applied.length).map(({ name }) => name);
    if (lacking.length === 0) await checkMoves(source, schema);
    return lacking;
  }
  const [right] = await queryDriver(source, MAY_CREATE, { schema: schemaNameOf(owner) });
  if (changes.length > 0 && right?.may !== true) throw await cannotCreate(source, owner, 'permission denied');
  return changes.map(({ name }) => name);
}

/** A schema without it is one that an administrator has made for a role that may not make schemas. */
async function hasLedger(on: DriverConnection, { owner }: ExtSchema): Promise<boolean> {
  const found = await queryDriver(on, LEDGER, { schema: schemaNameOf(owner) });
  return found.length > 0;
}

/** Asks the catalogue: `to_regclass` fails in a schema that the role may not use. */
const LEDGER = unprepared<{ schema: string }>(`
  SELECT 1
  FROM pg_class c
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = :schema AND c.relname = 'schema_change'`);

const SCHEMA = unprepared<{ schema: string }>('SELECT 1 FROM pg_namespace WHERE nspname = :schema');

async function hasSchema(on: DriverConnection, name: string): Promise<boolean> {
  const found = await queryDriver(on, SCHEMA, { schema: name });
  return found.length > 0;
}

async function appliedChanges(on: DriverConnection, { owner }: ExtSchema): Promise<readonly Applied[]> {
  return (await on.query(
    `SELECT name, digest FROM ${schemaNameOf(owner)}.schema_change ORDER BY place`,
  )) as readonly Applied[];
}

const MAY_CREATE = unprepared<{ schema: string }, { may: boolean }>(`
  SELECT coalesce(
    (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = :schema),
    has_database_privilege(current_database(), 'CREATE')
  ) AS may`);

/** The error with the statement that mends it, which somebody else than the role of the service has to run. */
async function cannotCreate(on: DriverConnection, owner: string, why: string, cause?: unknown): Promise<DomainError> {
  const name = schemaNameOf(owner);
  const [here] = (await on.query(
    'SELECT quote_ident(current_database()) AS database, quote_ident(current_user) AS role',
  )) as ReadonlyArray<{ database: string; role: string }>;
  const { database, role } = here!;
  const remedy = (await hasSchema(on, name))
    ? `Make the role of the service its owner: ALTER SCHEMA ${name} OWNER TO ${role}.`
    : `Let the role of the service create schemas: GRANT CREATE ON DATABASE ${database} TO ${role}. ` +
      `Or create this one for it: CREATE SCHEMA ${name} AUTHORIZATION ${role}.`;
  return refusal(
    'extension.schema_failed',
    `The schema ${name} for the tables of the extension ${owner} cannot be created: ${why}. ${remedy}`,
    cause,
  );
}

async function createSchema(runner: QueryRunner, { owner }: ExtSchema): Promise<void> {
  const name = schemaNameOf(owner);
  await runner.startTransaction();
  try {
    // IF NOT EXISTS would demand the right also where it exists.
    if (!(await hasSchema(runner, name))) await runner.query(`CREATE SCHEMA ${name}`);
    await runner.query(
      `CREATE TABLE ${name}.schema_change (
        place integer NOT NULL,
        name text NOT NULL,
        digest text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT schema_change_pkey PRIMARY KEY (place))`,
    );
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw await cannotCreate(runner, owner, (error as Error).message, error);
  }
}

/** Checks that the applied changes are the beginning of those that the extension has. */
function checkHistory({ owner, changes }: ExtSchema, applied: readonly Applied[]): void {
  const known = new Set(changes.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name);
  if (unknown.length > 0)
    throw refusal(
      'extension.database_newer',
      `The database has changes of the extension ${owner} that this version of it does not know (${unknown.join(', ')}). ` +
        'Load the version that made them, or a later one.',
    );
  for (const [index, { name, digest }] of applied.entries()) {
    const change = changes[index]!;
    if (change.name !== name)
      throw refusal(
        'extension.schema_order',
        `The schema changes of the extension ${owner} are in another order than they were applied in: ${name} comes before ${change.name}. ` +
          'Restore the order, and add new changes at the end.',
      );
    if (digestOf(change) !== digest)
      throw refusal(
        'extension.schema_edited',
        `The schema change ${name} of the extension ${owner} was edited after it had been applied. Restore it, and add another one.`,
      );
  }
}

/** Compares what the extension says of tables that move with the tables themselves. */
async function checkMoves(on: DriverConnection, { owner, moves }: ExtSchema): Promise<void> {
  if (moves.length === 0) return;
  const schema = schemaNameOf(owner);
  const mistakes = movedTableMistakes(schema, moves, await queryDriver(on, TABLE_FACTS, { schema }));
  if (mistakes.length === 0) return;
  throw refusal(
    'extension.moves_wrong',
    `What the extension ${owner} says in moves does not fit its tables. ${mistakes.join(' ')}`,
  );
}

async function apply(runner: QueryRunner, owner: string, change: SchemaChange, place: number): Promise<void> {
  const name = schemaNameOf(owner);
  await runner.startTransaction();
  try {
    const product = await fingerprint(runner);
    await runner.query('SET LOCAL statement_timeout = 0');
    await runner.query(`SET LOCAL search_path TO ${name}, ${quoted(product.schema)}`);
    await runner.query(change.up);
    await checkResult(runner, name, product);
    await queryDriver(runner, noteOf(name), { place, name: change.name, digest: digestOf(change) });
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined); // the change may have ended the transaction
    throw refusal(
      'extension.schema_failed',
      `The schema change ${change.name} of the extension ${owner} cannot be applied: ${(error as Error).message} ` +
        'Nothing of it remains. Correct it, and start again.',
      error,
    );
  }
}

/** The statement that records a change in the ledger of a schema. */
function noteOf(schema: string) {
  return unprepared<{ place: number; name: string; digest: string }>(
    `INSERT INTO ${schema}.schema_change (place, name, digest)
     VALUES (:place, :name, :digest)`,
  );
}

interface Fingerprint {
  readonly schema: string;
  /** A digest of the definitions in the product's schema. */
  readonly digest: string;
  readonly transaction: string;
}

async function checkResult(runner: QueryRunner, name: string, before: Fingerprint): Promise<void> {
  const after = await fingerprint(runner, before.schema);
  if (after.transaction !== before.transaction) throw new Error('It ends the transaction in which it runs.');
  if (after.digest !== before.digest) throw new Error('It changes tables, functions or triggers of the product.');
  const keys = await queryDriver(runner, FOREIGN_KEYS, { own: name, product: before.schema });
  for (const { label, target, cascades, isIndexed } of keys) {
    if (!REFERABLE.includes(target))
      throw new Error(`${label} refers to ${target}. Only the id of ${REFERABLE.join(', ')} may be referred to.`);
    if (!cascades) throw new Error(`${label} lacks ON DELETE CASCADE: nothing in ${target} could be removed any more.`);
    if (!isIndexed) throw new Error(`${label} lacks an index: each removal in ${target} would read the whole table.`);
  }
}

/** Covers everything that other processes of the product rely on, without the internal triggers of foreign keys. */
async function fingerprint(runner: QueryRunner, schema?: string): Promise<Fingerprint> {
  const [row] = await queryDriver(runner, FINGERPRINT, { schema: schema ?? null });
  return row!;
}

const FINGERPRINT = unprepared<{ schema: string | null }, Fingerprint>(`
  WITH here AS (SELECT n.oid, n.nspname FROM pg_namespace n WHERE n.nspname = coalesce(:schema, current_schema())),
  facts AS (
    SELECT format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) AS fact
    FROM here
    JOIN pg_class c ON c.relnamespace = here.oid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    UNION ALL
    SELECT format('relation %s %s %s %s', c.relname, c.relkind, c.relrowsecurity, c.relhasrules)
    FROM here
    JOIN pg_class c ON c.relnamespace = here.oid
    UNION ALL
    SELECT format('constraint %s %s', k.conname, pg_get_constraintdef(k.oid))
    FROM here
    JOIN pg_constraint k ON k.connamespace = here.oid
    UNION ALL
    SELECT format('index %s', pg_get_indexdef(i.indexrelid))
    FROM here
    JOIN pg_class c ON c.relnamespace = here.oid
    JOIN pg_index i ON i.indrelid = c.oid
    UNION ALL
    SELECT format('trigger %s %s', pg_get_triggerdef(t.oid), t.tgenabled)
    FROM here
    JOIN pg_class c ON c.relnamespace = here.oid
    JOIN pg_trigger t ON t.tgrelid = c.oid AND NOT t.tgisinternal
    UNION ALL
    SELECT format('function %s %s', p.oid::regprocedure, md5(coalesce(p.prosrc, '')))
    FROM here
    JOIN pg_proc p ON p.pronamespace = here.oid
  )
  SELECT
    (SELECT nspname FROM here) AS schema,
    (SELECT md5(coalesce(string_agg(fact, E'\\n' ORDER BY fact), '')) FROM facts) AS digest,
    pg_current_xact_id()::text AS transaction`);

interface ForeignKey {
  readonly label: string;
  /** A referable table, or another one with the column. */
  readonly target: string;
  readonly cascades: boolean;
  readonly isIndexed: boolean;
}

const FOREIGN_KEYS = unprepared<{ own: string; product: string }, ForeignKey>(`
  SELECT
    format('The foreign key %s of %s', k.conname, k.conrelid::regclass) AS label,
    CASE
      WHEN cardinality(k.confkey) = 1 AND a.attname = 'id' THEN t.relname::text
      ELSE format('%s (%s)', t.relname, a.attname)
    END AS target,
    k.confdeltype = 'c' AS cascades,
    EXISTS (
      SELECT 1
      FROM pg_index i
      WHERE i.indrelid = k.conrelid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = k.conkey[1]
    ) AS "isIndexed"
  FROM pg_constraint k
  JOIN pg_class r ON r.oid = k.conrelid
  JOIN pg_class t ON t.oid = k.confrelid
  JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = k.confkey[1]
  WHERE k.contype = 'f'
    AND r.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = :own)
    AND t.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = :product)
  ORDER BY k.conname`);

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

function digestOf({ up }: SchemaChange): string {
  return createHash('sha256').update(up).digest('hex');
}

function refusal(reason: string, message: string, cause?: unknown): DomainError {
  return new DomainError('FailedPrecondition', reason, message, cause === undefined ? {} : { cause });
}
