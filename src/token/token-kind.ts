import { LEFT_OUT } from './claims/fitting-claims.js';
import type { Claims } from './claims/user-claims.js';

type Payload = Readonly<Record<string, unknown>>;

/*
 * ID tokens, JWT access tokens and userinfo responses are signed with the same keys, and an application may choose
 * `typ: JWT` for its access tokens, which every ID token has. So the `typ` does not distinguish them; signed claims do,
 * which every token of one kind has and nothing else that is signed (ADR 37).
 */

/** RFC 9068 §2.2 requires them in every access token. */
const OF_ACCESS_TOKENS = ['client_id', 'jti', 'scope'] as const;
/** All our ID tokens contain it: the client that they are for (OIDC Core §2). */
const OF_ID_TOKENS = ['azp'] as const;

/** How the user authenticated, which only the service itself says. */
const OF_SIGN_INS = ['auth_time', 'acr', 'amr', 'direct'] as const;

/** Every claim by which a kind of token is told from another: no extension may make one. */
export const TELLING_CLAIMS = [...OF_ACCESS_TOKENS, ...OF_ID_TOKENS, ...OF_SIGN_INS] as const;

/** Claims that may be added to an access token. */
export function withoutIdTokenClaims(claims: Claims): Claims {
  return without([...OF_ID_TOKENS, ...OF_SIGN_INS, LEFT_OUT], claims);
}

/** Claims that may be added to an ID token. */
export function withoutAccessTokenClaims(claims: Claims): Claims {
  return without([...OF_ACCESS_TOKENS, LEFT_OUT], claims);
}

/** Claims of a signed userinfo response, which must pass as neither (OIDC Core §5.3.2). */
export function withoutTokenClaims(claims: Claims): Claims {
  return without([...OF_ACCESS_TOKENS, ...OF_ID_TOKENS, LEFT_OUT], claims);
}

/** Distinguishes the access tokens among payloads that we have signed. */
export function isAccessTokenPayload(payload: Payload): boolean {
  return (
    OF_ACCESS_TOKENS.every((name) => typeof payload[name] === 'string') &&
    OF_ID_TOKENS.every((name) => !(name in payload))
  );
}

/** Distinguishes the ID tokens among payloads that we have signed. */
export function isIdTokenPayload(payload: Payload): boolean {
  return (
    OF_ID_TOKENS.every((name) => typeof payload[name] === 'string') &&
    OF_ACCESS_TOKENS.every((name) => !(name in payload))
  );
}

function without(names: readonly string[], claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}
