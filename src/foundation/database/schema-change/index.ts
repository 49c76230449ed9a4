import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { DomainError } from '../../error/domain-error.js';
import { allowStatements } from '../service-client.js';
import { unprepared } from '../statement.js';
import { queryDriver } from './driver-query.js';
import { applyExtChanges, type ExtSchema } from './ext-schema.js';

/** The tables of a program, as a history of changes. */
export interface ProductSchema {
  /** Oldest first. One that was released is never edited. */
  readonly changes: ReadonlyArray<new () => MigrationInterface>;
  /**
   * The first of the changes makes what others made before the first release, up to the one that it `replaces`. A
   * database that has them all goes on as if the first change had made it; one that has only some of them must be
   * started with the last build that knows them.
   */
  readonly baseline: { readonly replaces: string; readonly lastBuild: string };
  /** What each start does once all changes are applied, while no other process changes the schema. */
  readonly afterwards: (source: DataSource) => Promise<void>;
}

/** Held by the session while it changes the schema: the other processes of a rolling start wait here. */
const LOCK = 'SELECT pg_advisory_lock(1734440037, 1)';
const UNLOCK = 'SELECT pg_advisory_unlock(1734440037, 1)';

/**
 * Applies the changes of `schema` that the database lacks, each in a transaction of its own, and then those of
 * extensions, in the order of the list. The source has been told of the former (`migrations`).
 * @throws DomainError FailedPrecondition `database.newer` if the database has changes that this program does not know,
 * `database.older` if it lacks some that the first change replaces, and what `applyExtChanges` throws
 */
export async function applySchemaChanges(
  source: DataSource,
  schema: ProductSchema,
  own: readonly ExtSchema[] = [],
): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    // An index of ten million rows takes longer than a statement of a request may, and so does the wait for another
    // process that makes it.
    await runner.query('SET statement_timeout = 0');
    allowStatements((await runner.connect()) as PoolClient, Number.POSITIVE_INFINITY);
    await runner.query(LOCK);
    const recorded = await recordedChanges(source);
    checkKnown(schema, appliedChanges(schema, recorded));
    if (recorded.includes(schema.baseline.replaces)) await recordBaseline(runner, schema);
    const changes = new MigrationExecutor(source, runner);
    changes.transaction = 'each';
    await changes.executePendingMigrations();
    await schema.afterwards(source);
    for (const tables of own) await applyExtChanges(runner, tables);
  } finally {
    await runner.query(UNLOCK);
    await runner.query('RESET statement_timeout');
    await runner.release();
  }
}

/**
 * The names of the changes that the next start will apply, in their order; all of them if the database is empty.
 * Changes nothing.
 * @throws DomainError FailedPrecondition `database.newer`, `database.older`
 */
export async function pendingSchemaChanges(source: DataSource, schema: ProductSchema): Promise<string[]> {
  const applied = appliedChanges(schema, await recordedChanges(source));
  checkKnown(schema, applied);
  return schema.changes.map(({ name }) => name).filter((name) => !applied.includes(name));
}

async function recordedChanges(source: DataSource): Promise<string[]> {
  const [table] = await source.query<Array<{ found: string | null }>>(
    "SELECT to_regclass('schema_change')::text AS found",
  );
  if (!table?.found) return [];
  const rows = await source.query<Array<{ name: string }>>('SELECT name FROM schema_change ORDER BY id');
  return rows.map(({ name }) => name);
}

/** The changes that are recorded, with the first one in the place of those that it replaces. */
function appliedChanges({ changes, baseline }: ProductSchema, recorded: readonly string[]): readonly string[] {
  const replaced = recorded.filter((name) => timeOf(name) <= timeOf(baseline.replaces));
  if (replaced.length === 0) return recorded;
  if (replaced.includes(baseline.replaces))
    return [changes[0]!.name, ...recorded.filter((name) => !replaced.includes(name))];
  throw new DomainError(
    'FailedPrecondition',
    'database.older',
    `The database was made by an older build than this one can follow (its last schema change is ${replaced.at(-1)!}). ` +
      `First start the build of ${baseline.lastBuild}, which makes the changes up to ${baseline.replaces}.`,
  );
}

/** Records the baseline in one statement, so that no other process sees a ledger with neither. */
async function recordBaseline(runner: QueryRunner, { changes, baseline }: ProductSchema): Promise<void> {
  const { name } = changes[0]!;
  await queryDriver(runner, BASELINE, { name, time: timeOf(name), replacedUntil: timeOf(baseline.replaces) });
}

const BASELINE = unprepared<{ name: string; time: number; replacedUntil: number }>(`
  WITH replaced AS (DELETE FROM schema_change WHERE timestamp <= :replacedUntil)
  INSERT INTO schema_change (timestamp, name) VALUES (:time, :name)`);

/** The number at the end of a name, by which TypeORM orders changes. */
const timeOf = (name: string): number => Number(name.slice(-13));

function checkKnown({ changes }: ProductSchema, applied: readonly string[]): void {
  const known = new Set(changes.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new DomainError(
      'FailedPrecondition',
      'database.newer',
      `The database has a newer schema than this version knows (${unknown.join(', ')}). ` +
        'Start the version that made it, or a later one.',
    );
  }
}
