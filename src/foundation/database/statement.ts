/** SQL under a name: each connection parses and plans it once and then only binds values. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

const names = new Map<string, string>();

/** Declares a prepared statement. A name belongs to one text, or a connection would run the wrong one. */
export function statement(name: string, text: string): Statement {
  const known = names.get(name);
  if (known !== undefined && known !== text) throw new Error(`Two statements share the name ${name}.`);
  names.set(name, text);
  return { name, text };
}

/** Every statement declared so far, for the test that none of them reads a whole table. */
export function declaredStatements(): Statement[] {
  return [...names].map(([name, text]) => ({ name, text }));
}

export type SqlValue = string | number | boolean | Date | Buffer | bigint | null | readonly string[] | object;

/** Anything that can run a statement: the pool, or a transaction. */
export interface Queryable {
  query<Row>(statement: Statement, values: readonly SqlValue[]): Promise<Row[]>;
}
