import type { PoolClient } from 'pg';
import { type DataSource, MigrationExecutor } from 'typeorm';
import { setEventClock } from '../../../schema/event-clock.js';
import { SCHEMA_CHANGES } from '../../../schema/list.js';
import { DomainError } from '../../error/domain-error.js';
import { allowStatements } from '../service-client.js';
import { applyOwnChanges, type OwnSchema } from './own-schema.js';

/** Held by the session while it changes the schema: the other processes of a rolling start wait here. */
const LOCK = 'SELECT pg_advisory_lock(1734440037, 1)';
const UNLOCK = 'SELECT pg_advisory_unlock(1734440037, 1)';

/**
 * Applies the changes that the database lacks, each in a transaction of its own: those of the product, then those of
 * extensions, in the order of the list.
 * @throws DomainError FailedPrecondition `database.newer` if the database has changes that this program does not know,
 * and what `applyOwnChanges` throws
 */
export async function applySchemaChanges(source: DataSource, own: readonly OwnSchema[] = []): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    // An index of ten million rows takes longer than a statement of a request may, and so does the wait for another
    // process that makes it.
    await runner.query('SET statement_timeout = 0');
    allowStatements((await runner.connect()) as PoolClient, Number.POSITIVE_INFINITY);
    await runner.query(LOCK);
    checkKnown(await appliedChanges(source));
    const changes = new MigrationExecutor(source, runner);
    changes.transaction = 'each';
    await changes.executePendingMigrations();
    await setEventClock(source);
    for (const schema of own) await applyOwnChanges(runner, schema);
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
export async function pendingSchemaChanges(source: DataSource): Promise<string[]> {
  const applied = new Set(await appliedChanges(source));
  checkKnown([...applied]);
  return SCHEMA_CHANGES.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function appliedChanges(source: DataSource): Promise<string[]> {
  const [table] = await source.query<Array<{ found: string | null }>>(
    "SELECT to_regclass('schema_change')::text AS found",
  );
  if (!table?.found) return [];
  const rows = await source.query<Array<{ name: string }>>('SELECT name FROM schema_change ORDER BY id');
  return rows.map(({ name }) => name);
}

function checkKnown(applied: readonly string[]): void {
  const known = new Set(SCHEMA_CHANGES.map((change) => change.name));
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
