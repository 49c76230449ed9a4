import { type Queryable, type SqlValue, unprepared } from '../../foundation/database/statement.js';

/** The parameters of a statement by name. */
export type Values = Readonly<Record<string, SqlValue>>;

/** Statements over temporary tables are not prepared by name: the tables are new each time. */
export async function queryOnce<Row>(tx: Queryable, sql: string, values: Values = {}): Promise<Row[]> {
  return tx.query(unprepared<Values, Row>(sql), values);
}

/** The values for which the statement has parameters. */
export function valuesFor(sql: string, values: Values): Values {
  return Object.fromEntries(unprepared(sql).parameters.map((name) => [name, values[name]!]));
}
