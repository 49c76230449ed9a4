import type { Queryable, Statement } from './statement.js';
import { statement } from './statement.js';

/** Short transactions: a batch takes milliseconds, and locks nothing that anybody else wants. */
const BATCH = 1_000;

/** A module that has rows which mean nothing after some time. */
export interface Purge {
  /** Deletes one batch of them and answers how many. */
  purge(on: Queryable, now: Date): Promise<number>;
}

/** `DELETE` of at most one batch of the rows for which `condition` holds; `$1` in it is the moment. */
export function purgeStatement(table: string, key: string, condition: string): Statement {
  return statement(
    `purge.${table}.${condition}`.slice(0, 60),
    `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${BATCH}) RETURNING 1`,
  );
}

export async function runPurge(on: Queryable, purge: Statement, moment: Date): Promise<number> {
  return (await on.query(purge, [moment])).length;
}
