import { type Queryable, statement } from './statement.js';

/** Enough for what hangs on millions of people. */
const LONG_MS = 900_000;
/** As long as any other statement: what waits for somebody else makes no progress. */
const WAIT_MS = 15_000;

const ALLOW = statement(
  'long_work.allow',
  `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`,
);

/**
 * For transactions whose statements change, or look at, as many rows as the instance has of something. They are linear, but a
 * million rows take longer than any look-up may; until the transaction ends, the limit of those does not hold.
 */
export async function allowLongWork(tx: Queryable): Promise<void> {
  await tx.query(ALLOW, [String(LONG_MS), String(WAIT_MS)]);
}
