/**
 * @typedef {object} Case what is measured, beside what, and what we want to see
 * @property {string} name the scenario's name in load/scenario.mjs, unless `scenario` says it
 * @property {string} [scenario]
 * @property {number} [clients] virtual clients; as many as `--concurrency` says by default
 * @property {Record<Limit, number>} takes how much of each of the machine's limits one operation needs at least; the
 *   scarcest is its limit
 * @property {number} [aim] multiple of the peer's throughput
 * @property {string} [peerCase] the peer's scenario to compare with, where it has none of that name
 * @property {string} [withoutPeer] why the peer has none
 * @property {string} [keycloak] the scenario that Keycloak answers in this case; without it, it has none
 * @property {number} [keycloakAim] multiple of Keycloak's throughput
 * @property {'ours' | 'withoutWorkFactor' | 'es256' | 'watched' | 'behindProxy' | 'withoutLimits' | 'withName'} [service] which of our processes answers it
 * @property {number} [perSecondAim] operations a second
 * @property {number} [limitAim] share of its limit
 * @property {{ of: string, least: number }} [caseAim] share of the throughput that another of our cases has
 * @property {number} [hashAim] share of the hash in all CPU
 * @property {number} [loopAimMs] how late the event loop is meanwhile, 99 times of 100
 *
 * @typedef {'bare' | 'rs256' | 'es256' | 'argon2id' | 'selects' | 'commits'} Limit
 */

const NO_ADMIN = 'peer has no administrative API';

/** @type {Case[]} */
export const CASES = [
  { name: 'discovery', takes: { bare: 1 }, aim: 2 },
  { name: 'keys', takes: { bare: 1 }, aim: 2 },
  { name: 'client-credentials-opaque', takes: { bare: 1 }, aim: 2, keycloak: 'client-credentials-rs256' },
  {
    name: 'client-credentials-rs256',
    takes: { bare: 1, rs256: 1 },
    aim: 1.3,
    keycloak: 'client-credentials-rs256',
  },
  { name: 'client-credentials-es256', takes: { bare: 1, es256: 1 }, aim: 1.5, service: 'es256' },
  { name: 'jwt-profile', takes: { bare: 1, rs256: 1 }, withoutPeer: 'peer has none' },
  { name: 'introspection-opaque', takes: { bare: 1, selects: 1 }, aim: 2.5, keycloak: 'introspection-jwt' },
  {
    name: 'introspection-one-client',
    scenario: 'introspection-opaque',
    clients: 1,
    takes: { bare: 1, selects: 1 },
    aim: 1.2,
  },
  {
    name: 'introspection-jwt',
    takes: { bare: 1, selects: 1 },
    aim: 2,
    peerCase: 'introspection-opaque',
    withoutPeer: 'peer refuses; beside its opaque',
    keycloak: 'introspection-jwt',
  },
  { name: 'introspection-service', takes: { bare: 1, selects: 1 } },
  { name: 'userinfo', takes: { bare: 1, selects: 1 }, aim: 3.5, keycloak: 'userinfo', keycloakAim: 2 },
  { name: 'refresh', takes: { bare: 1, rs256: 1, commits: 1 }, aim: 2.2, keycloak: 'refresh' },
  { name: 'code-flow', takes: { bare: 2, rs256: 1, commits: 2 }, aim: 2.2, keycloak: 'code-flow' },
  { name: 'code-flow-pushed', takes: { bare: 3, rs256: 1, commits: 2 } },
  { name: 'pushed-request', takes: { bare: 1 } },
  { name: 'pushed-request-by-key', takes: { bare: 1, commits: 1 } },
  { name: 'client-credentials-dpop', takes: { bare: 1 } },
  { name: 'userinfo-dpop', takes: { bare: 1, selects: 1 } },
  { name: 'code-flow-fapi', takes: { bare: 3, es256: 1, commits: 4 } },
  { name: 'device-flow', takes: { bare: 5, rs256: 1, selects: 4, commits: 3 }, service: 'withoutLimits' },
  { name: 'refresh-by-certificate', takes: { bare: 1, rs256: 1, commits: 1 }, service: 'behindProxy' },
  { name: 'token-exchange', takes: { bare: 1, selects: 1 }, withoutPeer: 'peer has none' },
  { name: 'token-exchange-acting', takes: { bare: 1, selects: 2, commits: 1 }, withoutPeer: 'peer has none' },
  {
    name: 'sign-in-without-work-factor',
    takes: { bare: 4, rs256: 1, commits: 2 },
    aim: 1.8,
    service: 'withoutWorkFactor',
  },
  {
    name: 'sign-in',
    takes: { bare: 4, rs256: 1, commits: 2, argon2id: 1 },
    aim: 1.15,
    service: 'watched',
    keycloak: 'sign-in',
    // Everybody behind one company's network signs in side by side.
    caseAim: { of: 'sign-in-many-addresses', least: 0.95 },
    hashAim: 0.65,
    loopAimMs: 50,
  },
  {
    name: 'sign-in-many-addresses',
    takes: { bare: 4, rs256: 1, commits: 2, argon2id: 1 },
    service: 'watched',
    withoutPeer: 'peer has no limits for an address',
  },
  {
    name: 'sign-in-one-client',
    scenario: 'sign-in',
    clients: 1,
    takes: { bare: 4, rs256: 1, commits: 2, argon2id: 1 },
    service: 'watched',
  },
  {
    name: 'sign-in-passkey',
    takes: { bare: 3, rs256: 1, commits: 2 },
    service: 'withName',
    withoutPeer: 'peer has none',
  },
  { name: 'admin-open', takes: { bare: 1 }, withoutPeer: NO_ADMIN },
  { name: 'admin-guard-pat', takes: { bare: 1, selects: 1 }, withoutPeer: NO_ADMIN },
  { name: 'admin-guard-opaque', takes: { bare: 1, selects: 1 }, withoutPeer: NO_ADMIN },
  { name: 'admin-add-project', takes: { bare: 1, selects: 1, commits: 1 }, withoutPeer: NO_ADMIN },
  {
    name: 'admin-add-person',
    takes: { bare: 1, selects: 1, commits: 1 },
    withoutPeer: NO_ADMIN,
    perSecondAim: 800,
  },
  {
    name: 'admin-add-person-with-password',
    takes: { bare: 1, selects: 1, commits: 1, argon2id: 1 },
    withoutPeer: NO_ADMIN,
    limitAim: 0.85,
  },
  { name: 'admin-add-idp', takes: { bare: 1, selects: 1, commits: 1 }, withoutPeer: NO_ADMIN },
];

/** What is wanted of our service beside throughput. */
export const SERVICE_AIMS = { startMs: 700, restMb: 110, loadedMb: 200 };
