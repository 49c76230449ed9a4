import { takeLockOn } from '../foundation/database/advisory-lock.js';
import { isThere } from '../foundation/database/is-there.js';
import { type Queryable, statement } from '../foundation/database/statement.js';
import { isOfKind, toNameKey } from './user-name.js';

/*
 * A service user is a client too: its user name or id is the `client_id` and an `aud` of its tokens. If an application
 * had the same id, tokens of one would pass as the other's at introspection, userinfo and revocation (RFC 9700 §4.15).
 * So neither kind may have a name of the other.
 */

const FIND_APPLICATION = statement(
  'user.application_of_name',
  `SELECT id FROM client WHERE client_id = ANY(:names::text[])
   UNION ALL
   SELECT id FROM client WHERE id = ANY(:names::text[])
   LIMIT 1`,
);

/** Looks for the normalized name, which is indexed, and then compares exactly: that is how tokens contain it. */
const FIND_SERVICE_USER = statement(
  'user.service_of_name',
  `SELECT id
   FROM user_account
   WHERE ${isOfKind('user_account', 'service')} AND name_scope = ''
     AND user_name_key = ANY(:nameKeys::text[]) AND user_name = ANY(:names::text[])
   UNION ALL
   SELECT id FROM user_account WHERE ${isOfKind('user_account', 'service')} AND id = ANY(:names::text[])
   LIMIT 1`,
);

/** Looks for the normalized name only: names are compared regardless of case, ids exactly. */
const FIND_DOUBLE = statement(
  'user.service_double',
  `SELECT id FROM user_account WHERE kind = 'service' AND id = :userName AND id <> :id
   UNION ALL
   SELECT id FROM user_account WHERE kind = 'service' AND name_scope = '' AND user_name_key = :idKey AND id <> :id
   LIMIT 1`,
).rows<{ id: string }>();

/** Whether an application has one of these as its client id or id. Locks the names until the transaction ends. */
export async function isApplication(tx: Queryable, names: readonly string[]): Promise<boolean> {
  await hold(tx, names);
  return (await tx.query(FIND_APPLICATION, { names })).length > 0;
}

/**
 * Whether a service user, in any state, has one of these as its name or id. Locks the names until the transaction ends.
 */
export async function isServiceUser(tx: Queryable, names: readonly string[]): Promise<boolean> {
  await hold(tx, names);
  return (await tx.query(FIND_SERVICE_USER, { names, nameKeys: names.map(toNameKey) })).length > 0;
}

/**
 * Finds another service user whose id is this one's name, or whose name is this one's id. A client id would be
 * ambiguous, and the newer user would shut out the older one. Locks both until the transaction ends.
 */
export async function findDouble(
  tx: Queryable,
  { id, userName }: { readonly id: string; readonly userName: string },
): Promise<'id' | 'name' | undefined> {
  await hold(tx, [id, userName]);
  const [double] = await tx.query(FIND_DOUBLE, { id, userName, idKey: toNameKey(id) });
  if (!double) return undefined;
  return double.id === userName ? 'name' : 'id';
}

/*
 * Whether names of sets are taken, as SQL over a table of applications or users, stored or staged, and a column of
 * names. `key` is the column with the name as `toNameKey` returns it: only TypeScript can compute that.
 */

export function isApplicationIn(clients: string, name: string): string {
  return `(${isThere(`${clients} c`, `c.client_id = ${name}`)}
    OR ${isThere(`${clients} c`, `c.id = ${name}`)})`;
}

export function isServiceUserIn(users: string, name: string, key: string): string {
  const service = isOfKind('u', 'service');
  return `(${isThere(`${users} u`, `${service} AND u.name_scope = '' AND u.user_name_key = ${key} AND u.user_name = ${name}`)}
    OR ${isThere(`${users} u`, `${service} AND u.id = ${name}`)})`;
}

export function hasDoubleIn(users: string, { id, idKey, name }: Record<'id' | 'idKey' | 'name', string>): string {
  const another = `${isOfKind('d', 'service')} AND d.id <> ${id}`;
  return `(${isThere(`${users} d`, `${another} AND d.id = ${name}`)}
    OR ${isThere(`${users} d`, `${another} AND d.name_scope = '' AND d.user_name_key = ${idKey}`)})`;
}

/** Prevents concurrent use of the same name; locks in sorted order to avoid deadlocks. */
async function hold(tx: Queryable, names: readonly string[]): Promise<void> {
  for (const name of [...names].sort()) await takeLockOn(tx, `client-id:${name}`);
}
