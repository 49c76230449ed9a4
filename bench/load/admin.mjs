import { get, post } from './connection.mjs';

const OPEN = '/admin/v1/healthz';
/** Answers from the rights that the guard has read, and so does nothing but what the guard does. */
const GUARDED = '/auth/v1/permissions/service/me/_search';
const SYSTEM_AUDIENCE = 'urn:service:iam:org:project:id:service:aud';

/**
 * What the guard of the administrative API costs: an operation without it, and one that hardly does anything else.
 * @param {(connection: Connection, message: string, isExpected: (body: object) => boolean) => () => Promise<void>} exchanger
 * @returns {Record<string, Scenario>}
 */
export function adminScenarios(exchanger, expectJson, basic) {
  const guarded = (connection, token) => {
    const message = post(connection.origin, GUARDED, '', { Authorization: `Bearer ${token}` });
    return exchanger(connection, message, (body) => Array.isArray(body.result));
  };
  return {
    'admin-open': { client: async (_target, _, connection) => exchanger(connection, get(connection.origin, OPEN), (body) => body !== undefined) },

    'admin-guard-pat': { client: async (target, _, connection) => guarded(connection, target.administratorToken) },

    'admin-guard-opaque': {
      client: async (target, _, connection) => {
        const form = new URLSearchParams({ grant_type: 'client_credentials', scope: SYSTEM_AUDIENCE });
        const message = post(connection.origin, target.endpoints.token_endpoint, form.toString(), basic(target.service.opaque));
        return guarded(connection, expectJson(await connection.request(message)).access_token);
      },
    },
  };
}
