/*
 * The drawing of the house: which folder of src may import which. `eslint.config.mjs` makes rules of it, and `src/README.md` is the same
 * as text. A folder may import itself, what its own line names, and whatever those may import in turn; every folder may import the
 * foundations. A new arrow is one word here, and is seen in review.
 */

/** Describe the edges, or ask them over the wire. Nobody imports them. */
export const OUTERMOST = ['docs', 'cli'];

/** Each knows a wire. They never import one another, and may import everything below. */
export const EDGES = ['oidc', 'admin', 'login'];

/** Change several nouns at once. They never import one another, and may import everything below. */
export const USE_CASES = [
  'tenancy',
  'user-management',
  'project-management',
  'migration',
  'mail',
  'branding',
  'setup',
  'demo',
  'housekeeping',
];

/** The nouns and their rules, each with the nouns that it may import. */
export const DOMAIN = {
  'auth-request': ['client', 'session', 'user'],
  token: ['auth-request', 'key', 'client', 'session', 'user-grant', 'permission', 'user'],
  'user-grant': ['user', 'project'],
  session: ['user'],
  factor: ['user'],
  client: ['project', 'user'],
  project: ['org'],
  permission: ['user', 'org'],
  user: ['org', 'policy'],
  policy: ['org'],
  idp: ['org'],
  text: ['org'],
  org: ['instance'],
  key: ['instance'],
  instance: [],
};

/** Stand in `src/foundation` and know nothing of what stands above it. */
export const FOUNDATIONS = [
  'config',
  'database',
  'event',
  'crypto',
  'error',
  'time',
  'http',
  'log',
  'attempt',
  'language',
  'color',
  'page',
  'health',
  'metrics',
  'outbound',
  'outbox',
];
