import { PathKey } from '../foundation/http/path-key.js';

export const USER_IN_PATH = new PathKey(['_is_unique', '_search', 'human', 'machine']);
export const MACHINE_KEY_IN_PATH = new PathKey(['_search']);
