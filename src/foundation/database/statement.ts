import { type NamedSql, type Parsed, parseSql } from './named-sql.js';

export type SqlValue = string | number | boolean | Date | Buffer | bigint | null | readonly string[] | object;

/** The values that a call must give; nothing if the statement has no parameters, as far as the compiler knows. */
export type Given<Values extends object> = [keyof Values] extends [never]
  ? []
  : Record<never, never> extends Values
    ? [values?: Values]
    : [values: Values];

/**
 * SQL under a name, with parameters that have names: each connection parses and plans it once and then only binds
 * values. `Values` are the values by name, `Row` is what a row looks like.
 */
export class Statement<Values extends object = object, Row = unknown> {
  /** The SQL as the driver takes it, with `$n` in place of the names. */
  readonly text: string;
  /** The names, in the order of `$n`. */
  readonly parameters: readonly string[];
  /** Exists for the compiler only. */
  declare protected readonly row: Row;

  /** `name`: under which a connection keeps the plan. */
  constructor(
    readonly name: string,
    { text, parameters }: Parsed,
  ) {
    this.text = text;
    this.parameters = parameters;
  }

  /** The same statement; says what its rows look like. */
  rows<NewRow>(): Statement<Values, NewRow> {
    return this as unknown as Statement<Values, NewRow>;
  }

  /**
   * The values in the order of `$n`.
   * @throws Error if one is missing, or if one is given that the statement does not have
   */
  bind(values: Values): SqlValue[] {
    const given = values as Readonly<Record<string, SqlValue | undefined>>;
    const bound = new Array<SqlValue>(this.parameters.length);
    for (let place = 0; place < bound.length; place += 1) {
      const value = given[this.parameters[place]!];
      if (value === undefined) throw this.mismatch(given);
      bound[place] = value;
    }
    if (Object.keys(given).length !== bound.length) throw this.mismatch(given);
    return bound;
  }

  private mismatch(given: Readonly<Record<string, unknown>>): Error {
    const missing = this.parameters.filter((name) => given[name] === undefined);
    const surplus = Object.keys(given).filter((name) => !this.parameters.includes(name));
    const faults = [
      ...(missing.length > 0 ? [`has no value for ${missing.join(', ')}`] : []),
      ...(surplus.length > 0 ? [`has no parameter ${surplus.join(', ')}`] : []),
    ];
    return new Error(`The statement ${this.name} ${faults.join(' and ')}.`);
  }
}

const declared = new Map<string, Statement>();

/**
 * Declares a prepared statement whose parameters are written `:name`. The compiler reads the names from the literal
 * parts of the SQL. Where all names stand in parts that are composed, say what the values are:
 * `statement<{ clientId: string }>(name, insertInto(…))`.
 * @throws Error if a parameter is malformed, or if another statement has this name: a connection would run the wrong
 * one
 */
export function statement<const Sql extends string>(name: string, sql: Sql): Statement<NamedSql<Sql, SqlValue>>;
export function statement<Values extends object>(name: string, sql: string): Statement<Values>;
export function statement(name: string, sql: string): Statement {
  const parsed = parseSql(name, sql);
  const known = declared.get(name);
  if (known && known.text !== parsed.text) throw new Error(`Two statements share the name ${name}.`);
  const added = new Statement(name, parsed);
  declared.set(name, added);
  return added;
}

/** SQL that is composed at run time, with the same parameters. It is planned each time and not declared. */
export function unprepared<Values extends object, Row = unknown>(sql: string): Statement<Values, Row> {
  return new Statement<Values, Row>('', parseSql('(unprepared)', sql));
}

/**
 * SQL that comes from outside the product at run time, prepared under its name. It is not declared: its tables need not
 * be the product's, and another database of the same process need not have them.
 */
export function undeclared<Values extends object, Row = unknown>(name: string, sql: string): Statement<Values, Row> {
  return new Statement<Values, Row>(name, parseSql(name, sql));
}

/** Every statement declared so far, for the tests that prepare and explain each of them. */
export function declaredStatements(): Statement[] {
  return [...declared.values()];
}

/** Anything that can run a statement: the pool, or a transaction. */
export interface Queryable {
  query<Values extends object, Row>(statement: Statement<Values, Row>, ...values: Given<Values>): Promise<Row[]>;
}
