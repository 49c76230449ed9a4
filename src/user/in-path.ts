import { PathKey } from '../foundation/http/path-key.js';

export const USER_IN_PATH = new PathKey([
  '_is_unique',
  '_search',
  'deactivate',
  'email',
  'human',
  'keys',
  'lock',
  'machine',
  'metadata',
  'new',
  'password',
  'password_reset',
  'pats',
  'phone',
  'reactivate',
  'secret',
  'unlock',
]);
export const MACHINE_KEY_IN_PATH = new PathKey(['_search']);
