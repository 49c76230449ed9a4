import type { Transaction } from './database.js';
import type { Queryable, Statement } from './statement.js';
import { statement } from './statement.js';

/** Short transactions: a batch takes milliseconds, and locks nothing that others want. */
const BATCH = 1_000;

/** A module with rows that expire. */
export interface Purge {
  /** Deletes one batch of them and returns their number. */
  purge(on: Transaction, now: Date): Promise<number>;
}

type PurgeStatement = Statement<{ readonly moment: Date }>;

/**
 * `DELETE` of at most one batch of the rows for which `condition` holds, a condition about `:moment`.
 * @param oldestBy the column whose index must be used, where the planner has a choice
 */
export function purgeStatement(table: string, key: string, condition: string, oldestBy?: string): PurgeStatement {
  const order = oldestBy === undefined ? '' : ` ORDER BY ${oldestBy}`;
  return statement<{ moment: Date }>(
    `purge.${table}.${condition}`.slice(0, 60),
    `DELETE FROM ${table}
     WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition}${order} LIMIT ${BATCH})
     RETURNING 1`,
  );
}

export async function runPurge(on: Queryable, purge: PurgeStatement, moment: Date): Promise<number> {
  return (await on.query(purge, { moment })).length;
}
