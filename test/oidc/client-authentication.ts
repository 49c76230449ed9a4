import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { paths } from '../support/relying-party.js';
import { expectToken400 } from '../support/verdict.js';
import type { World } from '../support/world.js';

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** Authenticated, the client would hear that this token is not valid. */
export const REFRESH = { grant_type: 'refresh_token', refresh_token: 'gtr_none' };

export async function post(world: World, headers: Headers, body: Parameters = REFRESH): Promise<Reply> {
  return send(world.origin, { method: 'POST', path: paths.token, headers, body });
}

export const expectAuthenticated = (reply: Reply): void => expectToken400(reply, 'invalid_grant');
