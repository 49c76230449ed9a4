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

/**
 * The kinds of things that an export omits. They depend on the request alone, not on the data, so exporting what was
 * imported lists the same kinds.
 */
export function leftOutOf(asked: Inclusions): string[] {
  const flags: ReadonlyArray<keyof Inclusions> = ['withKeys', 'withPasswords', 'withOtp'];
  return [...flags.filter((flag) => !asked[flag]).flatMap((flag) => UNLESS_ASKED[flag]), ...ALWAYS];
}
