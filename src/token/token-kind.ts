import type { Claims } from './claims/user-claims.js';

type Payload = Readonly<Record<string, unknown>>;

/*
 * ID tokens and JWT access tokens are signed by the same keys, and an application may choose `typ: JWT` for its access
 * tokens, which is what every ID token says. So the `typ` does not tell the two apart; claims under the signature do,
 * which every token of the one kind has and no token of the other (ADR 37).
 */

/** RFC 9068 §2.2 demands them of every access token. */
const OF_ACCESS_TOKENS = ['client_id', 'jti', 'scope'] as const;
/** In every ID token of ours: for which client it is (OIDC Core §2). */
const OF_ID_TOKENS = ['azp'] as const;

/** Claims that may stand in an access token beside its own. */
export function withoutIdTokenClaims(claims: Claims): Claims {
  return without(OF_ID_TOKENS, claims);
}

/** Claims that may stand in an ID token beside its own. */
export function withoutAccessTokenClaims(claims: Claims): Claims {
  return without(OF_ACCESS_TOKENS, claims);
}

/** Of a payload under a signature of ours. */
export function isAccessTokenPayload(payload: Payload): boolean {
  return (
    OF_ACCESS_TOKENS.every((name) => typeof payload[name] === 'string') &&
    OF_ID_TOKENS.every((name) => !(name in payload))
  );
}

/** Of a payload under a signature of ours. */
export function isIdTokenPayload(payload: Payload): boolean {
  return OF_ACCESS_TOKENS.every((name) => !(name in payload));
}

function without(names: readonly string[], claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}
