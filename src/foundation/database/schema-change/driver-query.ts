import type { Statement } from '../statement.js';

/** A connection of TypeORM, which takes parameters by number. */
export interface DriverConnection {
  query(sql: string, parameters?: unknown[]): Promise<unknown>;
}

/** Runs a statement with named parameters while the schema is changed: there is no pool of ours yet. */
export async function queryDriver<Values extends object, Row>(
  on: DriverConnection,
  statement: Statement<Values, Row>,
  values: Values,
): Promise<Row[]> {
  return (await on.query(statement.text, statement.bind(values))) as Row[];
}
