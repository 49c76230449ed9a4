import type { Sql, UserFilter } from 'gatehouse';

/** As many ids as are worth naming one by one. */
const MOST = 500;

type Selection = Extract<UserFilter, { idIn: unknown }>;

/** How users are looked up beforehand. */
export interface LookUp {
  readonly sql: Sql;
  /** The ids of all users whom the filter finds; undefined if they are more than `most`. */
  readonly idsOf: (where: UserFilter, most: number) => Promise<readonly string[] | undefined>;
}

/**
 * A filter that finds the same users as `filter`. A selection in which few users matter is replaced by their ids.
 * Without this, the planner would have only the index of ids for a selection within an `or`: it would try every user,
 * and make a list of everything that the selection contains.
 */
export async function narrowed(look: LookUp, filter: UserFilter): Promise<UserFilter> {
  if ('all' in filter) return { all: await beside(look, await each(look, filter.all)) };
  if ('any' in filter) return { any: await each(look, filter.any) };
  if ('not' in filter) return { not: await narrowed(look, filter.not) };
  if (!('idIn' in filter)) return filter;
  const rows = await look.sql.query<{ id: string }>(`${filter.idIn.sql} LIMIT ${MOST + 1}`, filter.idIn.values);
  return rows.length > MOST ? filter : { field: 'id', in: rows.map(({ id }) => id) };
}

/** One after the other, so that a long filter takes one connection. */
async function each(look: LookUp, filters: readonly UserFilter[]): Promise<readonly UserFilter[]> {
  const narrow: UserFilter[] = [];
  for (const filter of filters) narrow.push(await narrowed(look, filter));
  return narrow;
}

/** Of a wide selection beside an exact name or address, only who has that matters. */
async function beside(look: LookUp, filters: readonly UserFilter[]): Promise<readonly UserFilter[]> {
  const exact = filters.filter(isExact);
  if (exact.length === 0 || !filters.some(isSelection)) return filters;
  const ids = await look.idsOf({ all: exact }, MOST);
  if (!ids) return filters;
  const narrow: UserFilter[] = [];
  for (const filter of filters) narrow.push(isSelection(filter) ? await among(look.sql, filter, ids) : filter);
  return narrow;
}

async function among(sql: Sql, { idIn }: Selection, among: readonly string[]): Promise<UserFilter> {
  const text = `SELECT id FROM (${idIn.sql}) AS selected WHERE id = ANY (:among)`;
  const rows = await sql.query<{ id: string }>(text, { ...idIn.values, among });
  return { field: 'id', in: rows.map(({ id }) => id) };
}

function isSelection(filter: UserFilter): filter is Selection {
  return 'idIn' in filter;
}

function isExact(filter: UserFilter): boolean {
  return 'field' in filter && (filter.field === 'email' || filter.field === 'userName') && filter.is === 'equal';
}
