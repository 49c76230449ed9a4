import { sqlState } from './database-failure.js';
import type { Queryable } from './statement.js';
import { statement } from './statement.js';

/** Work that only one process may do at a time. The numbers are arbitrary, but ours: 0x6761_7465 is "gate". */
const LOCKS = {
  schemaChange: 1,
  firstStart: 2,
  keyRotation: 3,
  purge: 4,
  nameScope: 5,
  passwordMix: 6,
  domainNames: 7,
} as const;
const NAMESPACE = 0x67617465;

const LOCK = statement('lock.transaction', 'SELECT pg_advisory_xact_lock(:namespace::int, :lock::int)');
const SHARE_LOCK = statement('lock.share', 'SELECT pg_advisory_xact_lock_shared(:namespace::int, :lock::int)');
// The form with one bigint is a separate space that never collides with the locks above.
const LOCK_TEXT = statement('lock.text', 'SELECT pg_advisory_xact_lock(hashtextextended(:text::text, 0))');
const SHARE_AND_LOCK = statement(
  'lock.share_and_text',
  `SELECT
     pg_advisory_xact_lock_shared(:namespace::int, :lock::int),
     (SELECT count(pg_advisory_xact_lock_shared(hashtextextended(name, 0))) FROM unnest(:shared::text[]) name),
     pg_advisory_xact_lock(hashtextextended(:text::text, 0))`,
);
const SET_LOCK_TIMEOUT = statement('lock.timeout', `SELECT set_config('lock_timeout', :timeout, true)`);
const LOCK_NOT_AVAILABLE = '55P03';
const TRY_LOCK = statement('lock.try', 'SELECT pg_try_advisory_xact_lock(:namespace::int, :lock::int) AS taken').rows<{
  taken: boolean;
}>();

/** Waits for the lock and holds it until the transaction ends. */
export async function takeLock(tx: Queryable, name: keyof typeof LOCKS): Promise<void> {
  await tx.query(LOCK, { namespace: NAMESPACE, lock: LOCKS[name] });
}

/**
 * Waits for the exclusive holder, and keeps others from taking it exclusively until the transaction ends; shared
 * holders do not wait for each other.
 */
export async function shareLock(tx: Queryable, name: keyof typeof LOCKS): Promise<void> {
  await tx.query(SHARE_LOCK, { namespace: NAMESPACE, lock: LOCKS[name] });
}

/**
 * Shares a lock, and the locks on the names `shared`, whose exclusive holders block fewer others; then waits for the
 * lock on the name `text` as `takeLockOn` does. One statement, since each is a wait for the server.
 */
export async function shareLocksAndTake(
  tx: Queryable,
  name: keyof typeof LOCKS,
  { shared, text }: { readonly shared: readonly string[]; readonly text: string },
): Promise<void> {
  await tx.query(SHARE_AND_LOCK, { namespace: NAMESPACE, lock: LOCKS[name], shared, text });
}

/** `takeLock` with a time limit. If it returns false, the transaction can no longer be used. */
export async function takeLockSoon(tx: Queryable, name: keyof typeof LOCKS, timeoutMs: number): Promise<boolean> {
  return soon(tx, timeoutMs, () => takeLock(tx, name));
}

/** `shareLock` with a time limit. If it returns false, the transaction can no longer be used. */
export async function shareLockSoon(tx: Queryable, name: keyof typeof LOCKS, timeoutMs: number): Promise<boolean> {
  return soon(tx, timeoutMs, () => shareLock(tx, name));
}

async function soon(tx: Queryable, timeoutMs: number, lock: () => Promise<void>): Promise<boolean> {
  await tx.query(SET_LOCK_TIMEOUT, { timeout: String(timeoutMs) });
  try {
    await lock();
  } catch (error) {
    if (sqlState(error).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
  await tx.query(SET_LOCK_TIMEOUT, { timeout: '0' });
  return true;
}

/** Waits for the lock on this name, and holds it until the transaction ends. */
export async function takeLockOn(tx: Queryable, name: string): Promise<void> {
  await tx.query(LOCK_TEXT, { text: name });
}

/** Takes the lock until the transaction ends, or returns false at once if another process holds it. */
export async function tryLock(tx: Queryable, name: keyof typeof LOCKS): Promise<boolean> {
  const [row] = await tx.query(TRY_LOCK, { namespace: NAMESPACE, lock: LOCKS[name] });
  return row?.taken === true;
}
