import type { ExportOptions } from './part/part.js';

/** What an export may include on request. */
export type Inclusions = Pick<ExportOptions, 'withPasswords' | 'withOtp' | 'withKeys'>;

const UNLESS_ASKED: Readonly<Record<keyof Inclusions, readonly string[]>> = {
  withKeys: ['app_key', 'machine_user_key'],
  withPasswords: ['password_hash', 'secret_hash', 'idp_client_secret'],
  withOtp: ['otp_seed', 'recovery_code'],
};

/** Belongs to the instance, to its domain or to a moment, and means nothing in another instance. */
const ALWAYS = [
  'instance_policy',
  'instance_idp',
  'instance_member',
  'personal_access_token',
  'passkey',
  'security_key',
  'webhook',
  'session',
];

export interface ExtensionSchema {
  /** `ext_hr` */
  readonly name: string;
}

/** The schemas of extensions that have tables, loaded or not. The ledger of their changes is no data. */
export const EXTENSION_SCHEMAS = `SELECT DISTINCT schemaname AS name
  FROM pg_tables
  WHERE schemaname ~ '^ext_[a-z][a-z0-9]{1,19}$' AND tablename <> 'schema_change'
  ORDER BY 1`;

/**
 * The kinds of things that an export omits. They depend on the request and on the extensions of the database, not on
 * the rows in it, so exporting what was imported lists the same kinds.
 * @param extensionSchemas as `EXTENSION_SCHEMAS` finds them
 */
export function leftOutOf(asked: Inclusions, extensionSchemas: readonly ExtensionSchema[]): string[] {
  const flags: ReadonlyArray<keyof Inclusions> = ['withKeys', 'withPasswords', 'withOtp'];
  return [
    ...flags.filter((flag) => !asked[flag]).flatMap((flag) => UNLESS_ASKED[flag]),
    ...ALWAYS,
    ...extensionSchemas.map(({ name }) => name),
  ];
}
