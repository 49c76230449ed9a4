import type { Sql, UserFilter } from 'gatehouse';

/** As many ids as are worth naming one by one. */
const MOST = 500;

/**
 * The same filter, in which selections of a few ids name them: beside other conditions in an `or`, the planner finds
 * users by the index of ids alone, and would try everybody for a selection.
 */
export async function narrowed(sql: Sql, filter: UserFilter): Promise<UserFilter> {
  if ('all' in filter) return { all: await each(sql, filter.all) };
  if ('any' in filter) return { any: await each(sql, filter.any) };
  if ('not' in filter) return { not: await narrowed(sql, filter.not) };
  if (!('idIn' in filter)) return filter;
  const rows = await sql.query<{ id: string }>(`${filter.idIn.sql} LIMIT ${MOST + 1}`, filter.idIn.values);
  return rows.length > MOST ? filter : { field: 'id', in: rows.map(({ id }) => id) };
}

/** One after the other, so that a long filter takes one connection. */
async function each(sql: Sql, filters: readonly UserFilter[]): Promise<readonly UserFilter[]> {
  const narrow: UserFilter[] = [];
  for (const filter of filters) narrow.push(await narrowed(sql, filter));
  return narrow;
}
