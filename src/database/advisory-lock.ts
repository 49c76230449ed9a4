import type { Queryable } from './statement.js';
import { statement } from './statement.js';

/** What only one process may do at a time. The figures are arbitrary, but ours: 0x6761_7465 is "gate". */
const LOCKS = { schemaChange: 1, firstStart: 2, keyRotation: 3, purge: 4 } as const;
const NAMESPACE = 0x67617465;

const LOCK = statement('lock.transaction', 'SELECT pg_advisory_xact_lock($1::int, $2::int)');
const TRY_LOCK = statement('lock.try', 'SELECT pg_try_advisory_xact_lock($1::int, $2::int) AS taken');

/** Waits for the lock and holds it until the transaction ends. */
export async function takeLock(tx: Queryable, name: keyof typeof LOCKS): Promise<void> {
  await tx.query(LOCK, [NAMESPACE, LOCKS[name]]);
}

/** Takes the lock until the transaction ends, or answers false at once when another process holds it. */
export async function tryLock(tx: Queryable, name: keyof typeof LOCKS): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(TRY_LOCK, [NAMESPACE, LOCKS[name]]);
  return row?.taken === true;
}
