import { takeLockOn } from '../database/advisory-lock.js';
import { type Queryable, statement } from '../database/statement.js';
import { toNameKey } from './user-name.js';

/*
 * A service user is a client too: its user name, or its id, is the `client_id` and an `aud` of its tokens. If an application
 * were called the same, tokens of the one would pass as the other's at introspection, userinfo and revocation
 * (RFC 9700 §4.15). So nobody gets a name that the other kind has.
 */

const FIND_APPLICATION = statement(
  'user.application_of_name',
  `SELECT id FROM client WHERE client_id = ANY($1::text[])
   UNION ALL SELECT id FROM client WHERE id = ANY($1::text[]) LIMIT 1`,
);

/** By the key, which has an index, and then as it is written: that is how tokens name it. */
const FIND_SERVICE_USER = statement(
  'user.service_of_name',
  `SELECT id FROM user_account WHERE kind = 'service' AND name_scope = '' AND user_name_key = ANY($2::text[]) AND user_name = ANY($1::text[])
   UNION ALL SELECT id FROM user_account WHERE kind = 'service' AND id = ANY($1::text[]) LIMIT 1`,
);

/** By the whole key: a name is looked for without case, an id as it is written. */
const FIND_DOUBLE = statement(
  'user.service_double',
  `SELECT id FROM user_account WHERE kind = 'service' AND id = $2 AND id <> $1
   UNION ALL SELECT id FROM user_account WHERE kind = 'service' AND name_scope = '' AND user_name_key = $3 AND id <> $1 LIMIT 1`,
);

/** Whether an application has one of these as its client id or id. Holds the names until the transaction ends. */
export async function isApplication(tx: Queryable, names: readonly string[]): Promise<boolean> {
  await hold(tx, names);
  return (await tx.query(FIND_APPLICATION, [names])).length > 0;
}

/** Whether a service user, in any state, has one of these as its name or id. Holds the names until the transaction ends. */
export async function isServiceUser(tx: Queryable, names: readonly string[]): Promise<boolean> {
  await hold(tx, names);
  return (await tx.query(FIND_SERVICE_USER, [names, names.map(toNameKey)])).length > 0;
}

/**
 * What of a service user another one answers to: its name is the other's id, or its id the other's name. A client id would
 * mean two, and whoever comes later would shut the first one out. Holds both until the transaction ends.
 */
export async function findDouble(
  tx: Queryable,
  { id, userName }: { readonly id: string; readonly userName: string },
): Promise<'id' | 'name' | undefined> {
  await hold(tx, [id, userName]);
  const [double] = await tx.query<{ id: string }>(FIND_DOUBLE, [id, userName, toNameKey(id)]);
  if (!double) return undefined;
  return double.id === userName ? 'name' : 'id';
}

/** Nobody can give the same name at the same moment; in one order, so that two do not wait for each other. */
async function hold(tx: Queryable, names: readonly string[]): Promise<void> {
  for (const name of [...names].sort()) await takeLockOn(tx, `client-id:${name}`);
}
