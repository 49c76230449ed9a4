import { type Queryable, statement } from './statement.js';

/**
 * A part of a statement after which the commit does not wait for the disk: for counts of failed attempts. What a crash
 * of the database loses are the latest counts: that shuts no user out, and lets none in. The statement has to read
 * `value`, or PostgreSQL leaves the part out.
 */
export const WITHOUT_WAITING = `without_waiting AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true) AS value)`;

const WAIT = statement('database.wait_for_disk', 'SET LOCAL synchronous_commit TO DEFAULT');

/** Makes the commit of a transaction wait for the disk after all, as every other one does. */
export async function waitForDisk(tx: Queryable): Promise<void> {
  await tx.query(WAIT);
}
