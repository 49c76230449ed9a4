import { PathKey } from '../../foundation/http/path-key.js';

export const GROUP_IN_PATH = new PathKey(['_search']);
/** Of the grants of a group. */
export const GROUP_GRANT_IN_PATH = new PathKey(['_search']);
