import { DomainError } from '../error/domain-error.js';
import { allOf, type Bind, type Condition, type ListFilter, type LookedUp, MOST_LOOKED_UP } from './condition.js';
import type { Database, Transaction } from './database.js';
import { sqlState } from './database-failure.js';
import type { SqlValue } from './statement.js';

/** The page, order and offset of a list. */
export interface ListRequest<Column extends string, Filter = ListFilter> {
  readonly offset: bigint;
  readonly limit: number;
  readonly ascending: boolean;
  readonly sortBy: Column;
  readonly where: readonly Filter[];
  /** Whether the total must be exact however large it is: for programs that go through all pages by it. */
  readonly countsAll?: boolean;
}

type KnownRequest<Column extends string> = ListRequest<Column, Condition>;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /**
   * The total: exact on the last page, up to about `EXACT_TOTAL`, and where that is asked for; otherwise the planner's
   * estimate.
   */
  readonly total: bigint;
  /** Position of the journal when the list was read. */
  readonly position: bigint;
  readonly readAt: Date;
}

/** Counting further would slow down pages of a large organization, and no one pages that far. */
const EXACT_TOTAL = 1_000;

/** A filter without an index reads everything; such queries must not keep the database busy. */
const MAX_SECONDS = 5;
/** The limit for the first attempt: a page takes milliseconds. */
const QUICK_MS = 250;
const TOO_SLOW = 'list.too_slow';

/**
 * Settings of a transaction for lists. Elsewhere a statement has one plan for all values (data-source.ts); the plan of
 * a list depends on the value: only a known text has a prefix for which an index can be used.
 */
export function listSettings(timeoutMs: number): string {
  return `SELECT
    set_config('statement_timeout', '${timeoutMs}', true),
    set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_seqscan', 'on', true)`;
}

/** Has the transaction plan for the values that are asked for, within a time limit. */
export async function setForList(tx: Transaction, timeoutMs = MAX_SECONDS * 1_000): Promise<void> {
  await queryList(tx, listSettings(timeoutMs), []);
}

interface PageStatement {
  readonly statement: string;
  readonly values: SqlValue[];
}

/** The SQL of a list. Every sort column has an index that starts with the columns the list always filters by. */
export interface ListingSql<Column extends string> {
  /** `u.id, u.user_name AS "userName"` */
  readonly select: string;
  /** `user_account u`: what filters and sorting need, and nothing more. */
  readonly from: string;
  /** Further joins, which neither add nor remove rows: evaluated for the rows of the page only. */
  readonly joins?: string;
  /** The column that breaks ties, `u.id`: unique among the rows to which the list is restricted. */
  readonly key: string;
  readonly sort: Readonly<Record<Column, string>>;
}

/** Lists of the administrative API: filtered, sorted, paged, and counted within limits. */
export class Listing<Row, Column extends string> {
  constructor(private readonly sql: ListingSql<Column>) {}

  /**
   * The planner assumes that filter and order are independent. If they are not (names that begin with Y, ordered by
   * another name), it reads nearly everything before the first match: the page is then queried again, filter first.
   * @throws DomainError DeadlineExceeded `list.too_slow`
   */
  async page(database: Database, wanted: ListRequest<Column>): Promise<Page<Row>> {
    const request = { ...wanted, where: await known(database, wanted.where) };
    try {
      return await this.read(database, request, this.pageStatement(request), QUICK_MS);
    } catch (error) {
      if (!isTooSlow(error)) throw error;
      return this.read(database, request, this.pageStatement(request, true), MAX_SECONDS * 1_000);
    }
  }

  private async read(
    database: Database,
    request: KnownRequest<Column>,
    { statement, values }: PageStatement,
    timeoutMs: number,
  ): Promise<Page<Row>> {
    return database.transaction(async (tx) => {
      await setForList(tx, timeoutMs);
      const rows = await queryList<Row>(tx, statement, values);
      const total = await this.total(tx, request, BigInt(rows.length));
      const [now] = await queryList<{ position: string; readAt: Date }>(
        tx,
        'SELECT coalesce(max(position), 0) AS position, now() AS "readAt" FROM event',
        [],
      );
      return { rows: rows.map(withSequence), total, position: BigInt(now!.position), readAt: now!.readAt };
    });
  }

  /**
   * The statement of a page; exported for the test of its query plan. `filterFirst`: finds everything that passes the
   * filter, then sorts it.
   */
  pageStatement({ where, sortBy, ascending, offset, limit }: KnownRequest<Column>, filterFirst = false): PageStatement {
    const { select, from, joins = '', key, sort } = this.sql;
    const values: SqlValue[] = [];
    const bind = binder(values);
    const direction = ascending ? 'ASC' : 'DESC';
    const order = sort[sortBy] === key ? `${key} ${direction}` : `${sort[sortBy]} ${direction}, ${key} ${direction}`;
    const condition = allOf(where)(bind);
    const cut = `LIMIT ${bind(limit)} OFFSET ${bind(offset.toString())}`;
    // OFFSET 0 keeps the planner from reading the filtered rows in the final order.
    const filtered = `SELECT ${key} AS id, ${sort[sortBy]} AS place FROM ${from} WHERE ${condition} OFFSET 0`;
    const keys = filterFirst
      ? `SELECT id FROM (${filtered}) AS filtered ORDER BY place ${direction}, id ${direction} ${cut}`
      : `SELECT ${key} FROM ${from} WHERE ${condition} ORDER BY ${order} ${cut}`;
    // The joined tables must not change how the planner looks for the rows of the page. The condition stands twice,
    // since the key is unique among what the list is restricted to, such as the metadata of one user, and not beyond.
    const statement =
      filterFirst || joins !== ''
        ? `SELECT ${select} FROM ${from} ${joins} WHERE (${condition}) AND ${key} IN (${keys}) ORDER BY ${order}`
        : `SELECT ${select} FROM ${from} WHERE ${condition} ORDER BY ${order} ${cut}`;
    return { statement, values };
  }

  /**
   * A page that is not full is the last one. Otherwise the planner is asked first: it can estimate large numbers
   * without reading.
   */
  private async total(
    tx: Transaction,
    { where, offset, limit, countsAll = false }: KnownRequest<Column>,
    found: bigint,
  ): Promise<bigint> {
    const seen = offset + found;
    if (found < BigInt(limit) && (found > 0n || offset === 0n)) return seen;
    const values: SqlValue[] = [];
    const rows = `FROM ${this.sql.from} WHERE ${allOf(where)(binder(values))}`;
    if (countsAll) {
      const [all] = await queryList<{ count: string }>(tx, `SELECT count(*) AS count ${rows}`, values);
      return BigInt(all!.count);
    }
    const [plan] = await queryList<{ 'QUERY PLAN': Array<{ Plan: { 'Plan Rows': number } }> }>(
      tx,
      `EXPLAIN (FORMAT JSON) SELECT 1 ${rows}`,
      values,
    );
    const estimate = BigInt(Math.round(plan!['QUERY PLAN'][0]!.Plan['Plan Rows']));
    const least = found > 0n ? seen : 0n;
    if (estimate > EXACT_TOTAL) return estimate > least ? estimate : least;
    const [counted] = await queryList<{ count: string }>(
      tx,
      `SELECT count(*) AS count FROM (SELECT 1 ${rows} LIMIT ${EXACT_TOTAL + 1}) AS counted`,
      values,
    );
    const count = BigInt(counted!.count);
    return count > least ? count : least;
  }
}

/** Looks up what filters ask of other tables. */
async function known(database: Database, filters: readonly ListFilter[]): Promise<Condition[]> {
  if (filters.every((filter) => typeof filter === 'function')) return [...filters];
  return database.transaction(async (tx) => {
    await setForList(tx);
    const found: Condition[] = [];
    for (const filter of filters) found.push(typeof filter === 'function' ? filter : await lookUp(tx, filter));
    return found;
  });
}

async function lookUp(tx: Transaction, { select, among, otherwise }: LookedUp): Promise<Condition> {
  const values: SqlValue[] = [];
  const rows = await queryList<{ value: string }>(tx, `${select(binder(values))} LIMIT ${MOST_LOOKED_UP}`, values);
  return rows.length < MOST_LOOKED_UP ? among([...new Set(rows.map(({ value }) => value))]) : otherwise;
}

/** The driver returns a bigint as a string. */
function withSequence<Row>(row: Row): Row {
  const { sequence } = row as { sequence?: unknown };
  return typeof sequence === 'string' ? { ...row, sequence: BigInt(sequence) } : row;
}

function binder(values: SqlValue[]): Bind {
  return (value) => `$${values.push(value)}`;
}

/** PostgreSQL's query_canceled. */
const CANCELED = '57014';

/** @throws DomainError DeadlineExceeded `list.too_slow` */
export async function queryList<Row>(tx: Transaction, sql: string, values: readonly SqlValue[]): Promise<Row[]> {
  try {
    return await tx.entities.query<Row[]>(sql, [...values]);
  } catch (error) {
    throw sqlState(error).code === CANCELED ? listTooSlow() : error;
  }
}

export function isTooSlow(error: unknown): boolean {
  return error instanceof DomainError && error.reason === TOO_SLOW;
}

export function listTooSlow(): DomainError {
  return new DomainError(
    'DeadlineExceeded',
    TOO_SLOW,
    `The search took longer than ${MAX_SECONDS} s: search for equal texts or prefixes instead of what texts contain, or narrow the search.`,
  );
}
