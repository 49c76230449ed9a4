import type { Transaction } from './database.js';
import { statement } from './statement.js';

/** Enough time for the objects of millions of users. */
const LONG_MS = 900_000;
/** As long as in any other statement: waiting for a lock is not progress. */
const WAIT_MS = 15_000;

const ALLOW = statement(
  'long_work.allow',
  `SELECT set_config('statement_timeout', :longest, true), set_config('lock_timeout', :longestWait, true)`,
);

/**
 * For transactions whose statements change or read all rows of some kind. They are linear, but a million rows take
 * longer than any look-up may; the usual limit is lifted until the transaction ends.
 */
export async function allowLongWork(tx: Transaction): Promise<void> {
  await tx.query(ALLOW, { longest: String(LONG_MS), longestWait: String(WAIT_MS) });
  tx.allowStatements(LONG_MS);
}
