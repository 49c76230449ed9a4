import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor, type MigrationInterface } from 'typeorm';
import { DomainError } from '../../error/domain-error.js';
import { allowStatements } from '../service-client.js';
import { applyOwnChanges, type OwnSchema } from './own-schema.js';

/** The tables of a program. */
export interface ProductSchema {
  /** Oldest first. One that was released is never edited. */
  readonly changes: ReadonlyArray<new () => MigrationInterface>;
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
 * and what `applyOwnChanges` throws
 */
export async function applySchemaChanges(
  source: DataSource,
  schema: ProductSchema,
  own: readonly OwnSchema[] = [],
): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    // An index of ten million rows takes longer than a statement of a request may, and so does the wait for another
    // process that makes it.
    await runner.query('SET statement_timeout = 0');
    allowStatements((await runner.connect()) as PoolClient, Number.POSITIVE_INFINITY);
    await runner.query(LOCK);
    checkKnown(schema, await appliedChanges(source));
    const changes = new MigrationExecutor(source, runner);
    changes.transaction = 'each';
    await changes.executePendingMigrations();
    await schema.afterwards(source);
    for (const tables of own) await applyOwnChanges(runner, tables);
  } finally {
    await runner.query(UNLOCK);
    await runner.query('RESET statement_timeout');
    await runner.release();
  }
}

/**
 * The names of the changes that the next start will apply, in their order; all of them if the database is empty.
 * Changes nothing.
 * @throws DomainError FailedPrecondition `database.newer`
 */
export async function pendingSchemaChanges(source: DataSource, schema: ProductSchema): Promise<string[]> {
  const applied = new Set(await appliedChanges(source));
  checkKnown(schema, [...applied]);
  return schema.changes.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function appliedChanges(source: DataSource): Promise<string[]> {
  const [table] = await source.query<Array<{ found: string | null }>>(
    "SELECT to_regclass('schema_change')::text AS found",
  );
  if (!table?.found) return [];
  const rows = await source.query<Array<{ name: string }>>('SELECT name FROM schema_change ORDER BY id');
  return rows.map(({ name }) => name);
}

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
