import { randomToken } from '../../foundation/crypto/random.js';

/** The token expires soon, so that it cannot be kept and used against a later session (Back-Channel Logout 1.0 §4). */
const LIFETIME_SECONDS = 120;

/** The member that says what the token is for; its value is an empty object (Back-Channel Logout 1.0 §2.4). */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * The `typ` keeps a logout token from being taken for another kind of token (Back-Channel Logout 1.0 §2.4, RFC 8725
 * §3.11).
 */
export const LOGOUT_TOKEN_TYPE = 'logout+jwt';

/** What a logout token says: whose session has ended, and for whom. */
export interface EndedSession {
  readonly issuer: string;
  readonly clientId: string;
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * The claims of a logout token (Back-Channel Logout 1.0 §2.4). `iss`, `sub` and `sid` are those of the ID token. There
 * is no `nonce`, which is prohibited, since it would make an ID token of it.
 */
export function logoutClaims(
  { issuer, clientId, userId, sessionId }: EndedSession,
  nowSeconds: number,
): Readonly<Record<string, unknown>> {
  return {
    iss: issuer,
    sub: userId,
    aud: clientId,
    iat: nowSeconds,
    exp: nowSeconds + LIFETIME_SECONDS,
    jti: randomToken(),
    events: { [EVENT]: {} },
    sid: sessionId,
  };
}
