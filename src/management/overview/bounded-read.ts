import { type Bind, type Condition, withoutIndex } from '../../foundation/database/condition.js';
import type { Database } from '../../foundation/database/database.js';
import { isTooSlow, queryList, setForList } from '../../foundation/database/listing.js';
import type { SqlValue } from '../../foundation/database/statement.js';

/** The organizations whose things a reader may see. */
export type VisibleOrgs = 'everywhere' | readonly string[];

/** The first ones that were asked for, and whether there are more. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** As many as one looks through on a page. */
export const MOST_SHOWN = 25;

/** How many matches of a search are put in order: those of a text that is nearly everywhere are not worth sorting. */
export const MOST_SORTED = 200;

/** For the first attempt of a search, which takes a few tens of milliseconds unless its plan is wrong. */
const QUICK_MS = 150;
/**
 * What a search costs: to compare a row with a text takes several times as long as the planner believes, and the rows
 * that an index has found are mostly in memory.
 */
const COSTS = `SELECT set_config('cpu_operator_cost', '0.01', true), set_config('random_page_cost', '1.1', true)`;
/** Leaves the planner nothing but to look up all matches of a text by the index of trigrams. */
const BY_TEXT = `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`;

/** SQL of a search, for the planner to choose how it finds its matches; or, in the second attempt, by their texts. */
export type Compose = (bind: Bind, isByText: boolean) => string;

/**
 * Reads by a statement that is composed for what is asked, planned for its values, and bounded in time.
 *
 * Where statistics are older than the rows, or texts depend on each other or on their organization, the planner may
 * expect to come across enough matches soon, and read everything. It is then asked again, to look up all matches.
 * @throws DomainError DeadlineExceeded `list.too_slow`
 */
export async function readBounded<Row>(database: Database, compose: Compose): Promise<Row[]> {
  try {
    return await read(database, compose, false);
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return read(database, compose, true);
  }
}

async function read<Row>(database: Database, compose: Compose, isByText: boolean): Promise<Row[]> {
  return database.transaction(async (tx) => {
    await setForList(tx, isByText ? undefined : QUICK_MS);
    await queryList(tx, isByText ? BY_TEXT : COSTS, []);
    const values: SqlValue[] = [];
    const sql = compose((value) => `$${values.push(value)}`, isByText);
    return queryList<Row>(tx, sql, values);
  });
}

export function cut<Row>(rows: readonly Row[], most = MOST_SHOWN): Found<Row> {
  return { rows: rows.slice(0, most), hasMore: rows.length > most };
}

/** @param isByText whether the rows are found otherwise, and by no index of the column */
export function isWithin(column: string, orgs: VisibleOrgs, isByText = false): Condition {
  const compared = isByText ? withoutIndex(column) : column;
  return (bind) => (orgs === 'everywhere' ? 'true' : `${compared} = ANY (${bind(orgs)})`);
}
