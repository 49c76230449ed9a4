import type { Parameters } from './http.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
export const ID_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:id_token';
export const JWT_TYPE = 'urn:ietf:params:oauth:token-type:jwt';
export const USER_ID_TYPE = 'urn:service:params:oauth:token-type:user_id';

/** RFC 8693 §2.1. */
export function exchangeOf(token: string | undefined, over: Parameters = {}): Parameters {
  return { grant_type: TOKEN_EXCHANGE, subject_token: token, subject_token_type: ACCESS_TOKEN_TYPE, ...over };
}

/** With an actor. */
export function actedBy(actorToken: string): Parameters {
  return { actor_token: actorToken, actor_token_type: ACCESS_TOKEN_TYPE };
}
