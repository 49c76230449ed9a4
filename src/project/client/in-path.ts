import { PathKey } from '../../foundation/http/path-key.js';

export const APP_IN_PATH = new PathKey(['_search', 'api', 'oidc']);
/** The client ID in the address at which an application manages its registration (RFC 7592 §2). */
export const CLIENT_ID_IN_PATH = new PathKey([]);
export const APP_KEY_IN_PATH = new PathKey(['_search']);
