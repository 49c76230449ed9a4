import type { Telling } from './part/part.js';

/** What an export may be asked to take along. */
export type Inclusions = Pick<Telling, 'withPasswords' | 'withOtp' | 'withKeys'>;

const UNLESS_ASKED: Readonly<Record<keyof Inclusions, readonly string[]>> = {
  withKeys: ['app_key', 'machine_user_key'],
  withPasswords: ['password_hash', 'secret_hash', 'idp_client_secret'],
  withOtp: ['otp_seed', 'recovery_code'],
};

/** Of the instance, or of a moment: none of it means anything at another one. */
const ALWAYS = ['instance_policy', 'instance_idp', 'instance_member', 'personal_access_token', 'session'];

/**
 * The kinds of things that an export leaves out. They depend on the request alone, not on what there is: so the export of what was imported says
 * the same as the one that it came from.
 */
export function leftOutOf(asked: Inclusions): string[] {
  const flags: ReadonlyArray<keyof Inclusions> = ['withKeys', 'withPasswords', 'withOtp'];
  return [...flags.filter((flag) => !asked[flag]).flatMap((flag) => UNLESS_ASKED[flag]), ...ALWAYS];
}
