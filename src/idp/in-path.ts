import { PathKey } from '../foundation/http/path-key.js';

export const IDP_IN_PATH = new PathKey(['_search', 'extension', 'generic_jwt', 'generic_oidc', 'jwt', 'oidc']);
