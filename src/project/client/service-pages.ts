import { Client, NO_EPOCH } from './client.js';
import { DEFAULT_SETTINGS } from './client-settings.js';

/** No registered application can have this client id: neither a form nor the database takes a NUL. */
export const SERVICE_PAGES_ID = '\u0000own pages';

/**
 * The pages of this service that need a user who has signed in. They take the place of an application within a sign-in,
 * but not in the protocol: it has no row, no redirect URI and no grant, and no endpoint finds it by its id.
 */
export const SERVICE_PAGES = new Client(
  {
    ...DEFAULT_SETTINGS,
    id: SERVICE_PAGES_ID,
    clientId: SERVICE_PAGES_ID,
    clientEpoch: NO_EPOCH,
    kind: 'oidc',
    name: '',
    authMethod: 'none',
    secretHash: null,
  },
  {
    id: '',
    orgId: '',
    projectRoleAssertion: false,
    projectRoleCheck: false,
    hasProjectCheck: false,
    privateLabelingSetting: 'unspecified',
    roleKeys: [],
    grantedOrgIds: [],
  },
  [],
);
