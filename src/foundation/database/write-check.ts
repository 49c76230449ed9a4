import type { Database } from './database.js';
import { isUnwritable, toFailure } from './database-failure.js';
import { statement } from './statement.js';

/** A standby, or a server that was set to read-only, as some are while another takes their place. */
export const TAKES_NO_CHANGES = `pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'`;

/** The tables that a sign-in writes. */
const WRITTEN = ['attempt', 'auth_request', 'browser', 'event', 'session', 'token_family'];

const CHECK = statement(
  'write_check.state',
  `SELECT
     NOT (${TAKES_NO_CHANGES}) AND (
       SELECT bool_and(has_table_privilege(name, 'INSERT') AND has_table_privilege(name, 'UPDATE'))
       FROM unnest(:written::text[]) AS name
     ) AS "takesChanges",
     has_database_privilege(current_database(), 'TEMP') AS "makesTables"`,
).rows<{ takesChanges: boolean; makesTables: boolean }>();

/** Beside the tables of the service, where room and disk are the same. */
const HERE = statement('write_check.here', `SELECT set_config('temp_tablespaces', '', true)`);
/** A table needs new blocks on the disk, unlike a row that fits into what is free of another. */
const TRY = statement('write_check.try', `CREATE TEMP TABLE write_check ON COMMIT DROP AS SELECT 1 AS one`);

/** Whether the server says that it takes changes. */
export async function takesChanges(database: Database): Promise<boolean> {
  const [row] = await database.query(CHECK, { written: WRITTEN });
  return row?.takesChanges === true;
}

/**
 * Whether it does, by making one that leaves nothing behind.
 * @throws DomainError Unavailable if it does not answer
 */
export async function canWrite(database: Database): Promise<boolean> {
  const [row] = await database.query(CHECK, { written: WRITTEN });
  if (!row?.makesTables) return row?.takesChanges === true; // there is no harmless way to find out
  try {
    await database.transaction(async (tx) => {
      await tx.query(HERE);
      await tx.query(TRY);
    });
    return true;
  } catch (error) {
    if (isUnwritable(error)) return false;
    throw toFailure(error);
  }
}
