import { PathKey } from '../../foundation/http/path-key.js';

export const USER_GRANT_IN_PATH = new PathKey(['_search']);
