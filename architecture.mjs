/*
 * Which room of `src` may import which. `eslint.config.mjs` turns it into rules, `test/architecture/map.spec.ts` refuses an arrow that nothing
 * uses, and `src/README.md` says what the rooms are. Allowing another import takes one word here, and is visible in review.
 */

/**
 * The rooms from the lowest to the highest, each with those that it may import beside itself and the foundation. A room imports only
 * what stands above it in this list.
 */
export const ROOMS = {
  foundation: [],
  schema: [],
  org: [],
  text: ['org'],
  idp: ['org'],
  user: ['org'],
  project: ['org', 'user'],
  session: ['org', 'project', 'user'],
  token: ['org', 'project', 'session', 'user'],
  mail: ['org', 'text', 'user'],
  webhook: ['org', 'user'],
  page: ['org', 'session', 'text', 'user'],
  management: ['idp', 'org', 'project', 'session', 'text', 'token', 'user', 'webhook'],
  migration: ['idp', 'org', 'project', 'text', 'user'],
  oidc: ['org', 'page', 'project', 'session', 'token', 'user'],
  login: ['idp', 'management', 'org', 'page', 'project', 'session', 'token', 'user'],
  account: ['idp', 'management', 'org', 'page', 'project', 'session', 'token', 'user'],
  admin: [
    ...['idp', 'mail', 'management', 'migration', 'org', 'page', 'project', 'session', 'text', 'token', 'user'],
    'webhook',
  ],
  docs: ['admin', 'idp', 'oidc', 'org', 'project', 'token', 'user'],
  process: [
    ...['admin', 'docs', 'idp', 'mail', 'oidc', 'org', 'page', 'project', 'session', 'token', 'user', 'webhook'],
    'app.module.ts',
  ],
  cli: ['idp', 'mail', 'migration', 'org', 'process', 'schema', 'user'],
  extension: [
    ...['admin', 'idp', 'mail', 'migration', 'org', 'page', 'process', 'project', 'schema', 'session', 'token', 'user'],
  ],
};
