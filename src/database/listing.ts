import { DomainError } from '../error/domain-error.js';
import { allOf, type Bind, type Condition } from './condition.js';
import type { Database, Transaction } from './database.js';
import { sqlState } from './database-failure.js';
import type { SqlValue } from './statement.js';

/** Which entries of a list are wanted, and in which order. */
export interface ListRequest<Column extends string> {
  readonly offset: bigint;
  readonly limit: number;
  readonly ascending: boolean;
  readonly sortBy: Column;
  readonly where: readonly Condition[];
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** How many entries there are in all: exact when the page is the last one, else where there are about `EXACT_TOTAL` at most; else the planner's estimate. */
  readonly total: bigint;
  /** Position of the journal when the list was read. */
  readonly position: bigint;
  readonly readAt: Date;
}

/** Counting further would make a page of a large organization slow, and nobody leafs that far. */
const EXACT_TOTAL = 1_000;

/** A filter that no index serves reads everything; whoever sends many of those must not keep the database busy. */
const MAX_SECONDS = 5;
/** A page takes milliseconds. */
const QUICK_MS = 250;
const TOO_SLOW = 'list.too_slow';

/**
 * Until the transaction ends. Elsewhere a statement has one plan for all values (data-source.ts); the plan of a list depends on
 * what is looked for: only a known text has a beginning that an index can find.
 */
export function listSettings(timeoutMs: number): string {
  return `SELECT set_config('statement_timeout', '${timeoutMs}', true), set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'on', true)`;
}

interface PageStatement {
  readonly statement: string;
  readonly values: SqlValue[];
}

/** The SQL of a list. Every sorting column has an index that leads with what the list always filters by. */
export interface ListingSql<Column extends string> {
  /** `u.id, u.user_name AS "userName"` */
  readonly select: string;
  /** `user_account u`: what filters and sorting need, and nothing more. */
  readonly from: string;
  /** Further joins, which neither add nor remove rows: made for the rows of the page alone. */
  readonly joins?: string;
  /** The unique column that settles the order of equals: `u.id`. */
  readonly key: string;
  readonly sort: Readonly<Record<Column, string>>;
}

/** Lists of the administrative API: filtered, sorted, cut, and counted within bounds. */
export class Listing<Row, Column extends string> {
  constructor(private readonly sql: ListingSql<Column>) {}

  /**
   * The planner takes a filter and an order for independent. Where they are not (names that begin with Y, in order of another
   * name), it reads nearly everything until the first match comes: then the page is asked for again, filter first.
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  async page(database: Database, request: ListRequest<Column>): Promise<Page<Row>> {
    try {
      return await this.read(database, request, this.pageStatement(request), QUICK_MS);
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== TOO_SLOW) throw error;
      return this.read(database, request, this.pageStatement(request, true), MAX_SECONDS * 1_000);
    }
  }

  private async read(
    database: Database,
    request: ListRequest<Column>,
    { statement, values }: PageStatement,
    timeoutMs: number,
  ): Promise<Page<Row>> {
    return database.transaction(async (tx) => {
      await run(tx, listSettings(timeoutMs), []);
      const rows = await run<Row>(tx, statement, values);
      const total = await this.total(tx, request, BigInt(rows.length));
      const [now] = await run<{ position: string; readAt: Date }>(
        tx,
        'SELECT coalesce(max(position), 0) AS position, now() AS "readAt" FROM event',
        [],
      );
      return { rows: rows.map(withSequence), total, position: BigInt(now!.position), readAt: now!.readAt };
    });
  }

  /** The statement of a page, for the test that looks at its plan. `filterFirst`: whatever passes the filter is found, and then sorted. */
  pageStatement({ where, sortBy, ascending, offset, limit }: ListRequest<Column>, filterFirst = false): PageStatement {
    const { select, from, joins = '', key, sort } = this.sql;
    const values: SqlValue[] = [];
    const bind = binder(values);
    const direction = ascending ? 'ASC' : 'DESC';
    const order = sort[sortBy] === key ? `${key} ${direction}` : `${sort[sortBy]} ${direction}, ${key} ${direction}`;
    const condition = allOf(where)(bind);
    const cut = `LIMIT ${bind(limit)} OFFSET ${bind(offset.toString())}`;
    // OFFSET 0 keeps the planner from reading the filtered rows in the order that is wanted in the end.
    const keys = `SELECT id FROM (SELECT ${key} AS id, ${sort[sortBy]} AS place FROM ${from} WHERE ${condition} OFFSET 0) AS filtered`;
    const filter = filterFirst ? `${key} IN (${keys} ORDER BY place ${direction}, id ${direction} ${cut})` : condition;
    const statement = `SELECT ${select} FROM ${from} ${joins} WHERE ${filter} ORDER BY ${order} ${filterFirst ? '' : cut}`;
    return { statement, values };
  }

  /** A page that is not full is the last one. Else the planner is asked first: it knows without reading what would be many. */
  private async total(tx: Transaction, { where, offset, limit }: ListRequest<Column>, found: bigint): Promise<bigint> {
    const seen = offset + found;
    if (found < BigInt(limit) && (found > 0n || offset === 0n)) return seen;
    const values: SqlValue[] = [];
    const rows = `FROM ${this.sql.from} WHERE ${allOf(where)(binder(values))}`;
    const [plan] = await run<{ 'QUERY PLAN': Array<{ Plan: { 'Plan Rows': number } }> }>(
      tx,
      `EXPLAIN (FORMAT JSON) SELECT 1 ${rows}`,
      values,
    );
    const estimate = BigInt(Math.round(plan!['QUERY PLAN'][0]!.Plan['Plan Rows']));
    const least = found > 0n ? seen : 0n;
    if (estimate > EXACT_TOTAL) return estimate > least ? estimate : least;
    const [counted] = await run<{ count: string }>(
      tx,
      `SELECT count(*) AS count FROM (SELECT 1 ${rows} LIMIT ${EXACT_TOTAL + 1}) AS counted`,
      values,
    );
    const count = BigInt(counted!.count);
    return count > least ? count : least;
  }
}

/** The driver answers a bigint as a string. */
function withSequence<Row>(row: Row): Row {
  const { sequence } = row as { sequence?: unknown };
  return typeof sequence === 'string' ? { ...row, sequence: BigInt(sequence) } : row;
}

function binder(values: SqlValue[]): Bind {
  return (value) => `$${values.push(value)}`;
}

/** PostgreSQL's query_canceled. */
const CANCELED = '57014';

async function run<Row>(tx: Transaction, sql: string, values: readonly SqlValue[]): Promise<Row[]> {
  try {
    return await tx.entities.query<Row[]>(sql, [...values]);
  } catch (error) {
    throw sqlState(error).code === CANCELED ? listTooSlow() : error;
  }
}

export function listTooSlow(): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    TOO_SLOW,
    `The search took longer than ${MAX_SECONDS} s: search for equal texts or prefixes instead of what texts contain, or narrow the search.`,
  );
}
