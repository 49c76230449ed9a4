import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Against what hangs, not against what is slow. */
const LIMIT_MS = 50_000;

/** Waits until a statement waits for a lock of this database. @throws Error when none does */
export async function untilLocked(databaseUrl: string): Promise<void> {
  // By a connection of its own: within the transaction that holds the lock PostgreSQL says the same each time.
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    for (const deadline = Date.now() + LIMIT_MS; Date.now() < deadline; await sleep(20)) {
      const { rowCount } = await client.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      if (rowCount !== 0) return;
    }
    throw new Error('No statement waits for a lock.');
  } finally {
    await client.end();
  }
}
