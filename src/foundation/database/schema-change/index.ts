import type { DataSource } from 'typeorm';
import { DomainError } from '../../error/domain-error.js';
import { SCHEMA_CHANGES } from './list.js';

/** Held by the session while it changes the schema: the other processes of a rolling start wait here. */
const LOCK = 'SELECT pg_advisory_lock(1734440037, 1)';
const UNLOCK = 'SELECT pg_advisory_unlock(1734440037, 1)';

/**
 * Applies the changes that the database lacks, each in a transaction of its own.
 * @throws DomainError FailedPrecondition `database.newer` if the database has changes that this program does not know
 */
export async function applySchemaChanges(source: DataSource): Promise<void> {
  const runner = source.createQueryRunner();
  try {
    await runner.query(LOCK);
    await checkNotNewer(source);
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await runner.query(UNLOCK);
    await runner.release();
  }
}

async function checkNotNewer(source: DataSource): Promise<void> {
  const [table] = await source.query<Array<{ found: string | null }>>(
    "SELECT to_regclass('schema_change')::text AS found",
  );
  if (!table?.found) return;
  const applied = await source.query<Array<{ name: string }>>('SELECT name FROM schema_change ORDER BY id');
  const known = new Set(SCHEMA_CHANGES.map((change) => change.name));
  const unknown = applied.filter((change) => !known.has(change.name));
  if (unknown.length > 0) {
    throw new DomainError(
      'FailedPrecondition',
      'database.newer',
      `The database has a newer schema than this version knows (${unknown.map((change) => change.name).join(', ')}). ` +
        'Start the version that made it, or a later one.',
    );
  }
}
