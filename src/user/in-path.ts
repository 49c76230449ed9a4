import { PathKey } from '../foundation/http/path-key.js';

export const USER_IN_PATH = new PathKey([
  '_is_unique',
  '_search',
  'deactivate',
  'human',
  'lock',
  'machine',
  'new',
  'reactivate',
  'unlock',
]);
export const MACHINE_KEY_IN_PATH = new PathKey(['_search']);
