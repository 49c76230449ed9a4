import { PathKey } from '../foundation/http/path-key.js';

/** Keys of metadata, of users as of organizations. */
export const METADATA_IN_PATH = new PathKey(['_bulk', '_search']);
export const ORG_IN_PATH = new PathKey(['_is_unique', '_search', '_setup', 'default']);
