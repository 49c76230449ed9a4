import { PathKey } from '../foundation/http/path-key.js';

export const USER_IN_PATH = new PathKey([
  '_is_unique',
  '_search',
  'authentication_methods',
  'deactivate',
  'human',
  'invite_code',
  'links',
  'lock',
  'machine',
  'mfa_init_skipped',
  'new',
  'otp_email',
  'passkeys',
  'reactivate',
  'recovery_codes',
  'totp',
  'u2f',
  'unlock',
]);
export const MACHINE_KEY_IN_PATH = new PathKey(['_search']);
