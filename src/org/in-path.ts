import { PathKey } from '../foundation/http/path-key.js';

export const ORG_IN_PATH = new PathKey(['_is_unique', '_search', '_setup', 'default']);
