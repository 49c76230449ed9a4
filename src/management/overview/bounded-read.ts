import type { Bind, Condition } from '../../foundation/database/condition.js';
import type { Database } from '../../foundation/database/database.js';
import { queryList, setForList } from '../../foundation/database/listing.js';
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
export const MOST_SORTED = 400;

/**
 * Reads by a statement that is composed for what is asked, planned for its values, and bounded in time.
 * @throws DomainError DeadlineExceeded `list.too_slow`
 */
export async function readBounded<Row>(database: Database, compose: (bind: Bind) => string): Promise<Row[]> {
  return database.transaction(async (tx) => {
    await setForList(tx);
    const values: SqlValue[] = [];
    const sql = compose((value) => `$${values.push(value)}`);
    return queryList<Row>(tx, sql, values);
  });
}

export function cut<Row>(rows: readonly Row[], most = MOST_SHOWN): Found<Row> {
  return { rows: rows.slice(0, most), hasMore: rows.length > most };
}

export function isWithin(column: string, orgs: VisibleOrgs): Condition {
  return (bind) => (orgs === 'everywhere' ? 'true' : `${column} = ANY (${bind(orgs)})`);
}
