import type { MovedPart } from './moved/moved.part.js';
import type { ExportOptions } from './part/part.js';

/** What an export may include on request. */
export type Inclusions = Pick<ExportOptions, 'withPasswords' | 'withOtp' | 'withKeys' | 'withPasskeys'>;

/** Secrets in tables of extensions, if some of them move. */
const EXTENSION_SECRET = 'extension_secret';

const UNLESS_ASKED: Readonly<Record<keyof Inclusions, readonly string[]>> = {
  withKeys: ['app_key', 'machine_user_key'],
  withPasswords: ['password_hash', 'secret_hash', 'idp_client_secret', EXTENSION_SECRET],
  withOtp: ['otp_seed', 'recovery_code'],
  withPasskeys: ['passkey', 'security_key'],
};

/** Belongs to the instance or to a moment, and means nothing in another instance. */
const ALWAYS = ['instance_policy', 'instance_idp', 'instance_member', 'personal_access_token', 'webhook', 'session'];

/** A table of an extension. */
export interface ExtensionTable {
  /** `ext_hr` */
  readonly schema: string;
  readonly name: string;
}

/** The tables of extensions, loaded or not. The ledger of their changes is no data. */
export const EXTENSION_TABLES = `SELECT schemaname AS schema, tablename AS name
  FROM pg_tables
  WHERE schemaname ~ '^ext_[a-z][a-z0-9]{1,19}$' AND tablename <> 'schema_change'
  ORDER BY 1, 2`;

/**
 * The kinds of things that an export omits. They depend on the request and on the extensions of the database, not on
 * the rows in it, so exporting what was imported lists the same kinds.
 * @param tables as `EXTENSION_TABLES` finds them
 * @param moved the tables of extensions that move
 */
export function leftOutOf(asked: Inclusions, tables: readonly ExtensionTable[], moved: readonly MovedPart[]): string[] {
  const flags: ReadonlyArray<keyof Inclusions> = ['withKeys', 'withPasswords', 'withOtp', 'withPasskeys'];
  const hasSecrets = moved.some(({ secrets }) => secrets.length > 0);
  return [
    ...flags
      .filter((flag) => !asked[flag])
      .flatMap((flag) => UNLESS_ASKED[flag])
      .filter((kind) => kind !== EXTENSION_SECRET || hasSecrets),
    ...ALWAYS,
    ...new Set(tables.flatMap((table) => namesOf(table, moved))),
  ];
}

/** The schema of an extension of which nothing moves, or else the table if it stays. */
function namesOf({ schema, name }: ExtensionTable, moved: readonly MovedPart[]): string[] {
  const own = moved.filter(({ kind }) => kind.startsWith(`${schema}.`));
  if (own.length === 0) return [schema];
  return own.some(({ table }) => table === name) ? [] : [`${schema}.${name}`];
}
