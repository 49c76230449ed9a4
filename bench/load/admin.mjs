import { randomBytes } from 'node:crypto';
import { basic, exchanger, expectJson } from './answer.mjs';
import { get, post, postJson } from './connection.mjs';

const OPEN = '/admin/v1/healthz';
/** Answers from the rights that the guard has read, and so does nothing but what the guard does. */
const GUARDED = '/auth/v1/permissions/service/me/_search';
const SYSTEM_AUDIENCE = 'urn:service:iam:org:project:id:service:aud';

const PASSWORD = 'Benchmark-password-1';
const PROFILE = { firstName: 'Bench', lastName: 'Mark' };

/** What is added, by scenario: where, and a body that nothing before was like. */
const ADDS = {
  'admin-add-project': ['/management/v1/projects', (name) => ({ name })],
  'admin-add-person': [
    '/management/v1/users/human',
    (name) => ({ userName: name, profile: PROFILE, email: { email: `${name}@bench.test`, isEmailVerified: true } }),
  ],
  'admin-add-person-with-password': [
    '/management/v1/users/human',
    (name) => ({
      userName: name,
      profile: PROFILE,
      email: { email: `${name}@bench.test`, isEmailVerified: true },
      initialPassword: PASSWORD,
    }),
  ],
  'admin-add-idp': [
    '/admin/v1/idps/oidc',
    (name) => ({
      name,
      clientId: 'bench',
      clientSecret: 'secret',
      issuer: 'https://accounts.bench.test',
      scopes: ['openid', 'email'],
    }),
  ],
};

/**
 * Operations that add something, each a transaction of its own; and what the guard of the administrative API costs: an operation without it, and one that hardly does anything else.
 * @returns {Record<string, Scenario>}
 */
export function adminScenarios() {
  const guarded = (connection, token) => {
    const message = post(connection.origin, GUARDED, '', { Authorization: `Bearer ${token}` });
    return exchanger(connection, message, (body) => Array.isArray(body.result));
  };
  const adds = Object.entries(ADDS).map(([scenario, [path, bodyOf]]) => [
    scenario,
    { client: async (target, _, connection) => adder(connection, target, path, bodyOf) },
  ]);
  const adder = (connection, target, path, bodyOf) => {
    const headers = { Authorization: `Bearer ${target.administratorToken}` };
    return async () => {
      const body = bodyOf(`bench-${randomBytes(9).toString('hex')}`);
      const { details } = expectJson(await connection.request(postJson(connection.origin, path, body, headers)));
      if (!(Number(details?.sequence) > 0))
        throw new Error(`unexpected details of what was added: ${JSON.stringify(details)}`);
    };
  };
  return {
    ...Object.fromEntries(adds),

    'admin-open': {
      client: async (_target, _, connection) =>
        exchanger(connection, get(connection.origin, OPEN), (body) => body !== undefined),
    },

    'admin-guard-pat': { client: async (target, _, connection) => guarded(connection, target.administratorToken) },

    'admin-guard-opaque': {
      client: async (target, _, connection) => {
        const form = new URLSearchParams({ grant_type: 'client_credentials', scope: SYSTEM_AUDIENCE });
        const message = post(
          connection.origin,
          target.endpoints.token_endpoint,
          form.toString(),
          basic(target.service.opaque),
        );
        return guarded(connection, expectJson(await connection.request(message)).access_token);
      },
    },
  };
}
