/*
 * Which folder of src may import which. `eslint.config.mjs` turns it into rules, and `src/README.md` describes the same as text. A folder
 * may import itself, the folders in its own line, and everything that those may import; every folder may import the foundations. Allowing
 * another import takes one word here, and is visible in review.
 */

/**
 * Describe the edges, ask them over the wire, or prepare what is sent there; each with those beside it that it may
 * import. They are not part of the service, which never imports them.
 */
export const OUTERMOST = {
  docs: [],
  cli: ['convert', 'extended-services.ts', 'start-extensions.ts'],
  convert: [],
  facade: [],
  entry: ['facade', 'testing', 'gatehouse.ts', 'gatehouse-options.ts'],
  testing: ['facade', 'application.ts', 'extension-rules.ts'],
};

/** Each implements a protocol. They never import one another, and may import everything below. */
export const EDGES = ['oidc', 'admin', 'login', 'account'];

/** Change several nouns at once. They never import one another, and may import everything below. */
export const USE_CASES = [
  'tenancy',
  'user-management',
  'project-management',
  'registration',
  'migration',
  'mail',
  'logout',
  'proof',
  'branding',
  'setup',
  'demo',
  'housekeeping',
];

/** The nouns and their rules, each with the nouns that it may import. */
export const DOMAIN = {
  'auth-request': ['client', 'session', 'user'],
  token: ['auth-request', 'key', 'client', 'session', 'user-grant', 'permission', 'user'],
  device: ['auth-request', 'token'],
  'user-grant': ['user', 'project'],
  session: ['user', 'factor'],
  factor: ['user'],
  client: ['project', 'user'],
  project: ['org'],
  permission: ['user', 'org'],
  user: ['org', 'policy'],
  policy: ['org'],
  idp: ['org'],
  'mail-server': ['policy'],
  webhook: ['instance'],
  text: ['org'],
  org: ['instance'],
  key: ['instance'],
  instance: [],
};

/** In `src/foundation`; they know nothing of the layers above. */
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
  'worker',
  'outbound',
  'jwk-set',
  'outbox',
  'extension',
];
