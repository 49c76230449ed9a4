import { PathKey } from '../foundation/http/path-key.js';

export const PROJECT_IN_PATH = new PathKey(['_search', 'members']);
export const PROJECT_GRANT_IN_PATH = new PathKey(['_search']);
export const ROLE_IN_PATH = new PathKey(['_bulk', '_search']);
