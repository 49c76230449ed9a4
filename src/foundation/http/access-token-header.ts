import type { Request as ExpressRequest } from 'express';

/** How a caller uses an access token: by itself (RFC 6750 §2.1), or with a proof of its key (RFC 9449 §7.1). */
export type AccessTokenScheme = 'Bearer' | 'DPoP';

export interface SentAccessToken {
  readonly scheme: AccessTokenScheme;
  readonly token: string;
}

/** `token68` of RFC 9110 §11.2, with the scheme in any case (RFC 9110 §11.1). */
const CREDENTIALS = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*)$/i;
const IS_OURS = /^(?:Bearer|DPoP)(?:\s|$)/i;

/**
 * The access token in the `Authorization` header. `missing` without a header or with another scheme, which is not an
 * attempt (RFC 6750 §3.1); `malformed` if it is not a token, or if the header was sent twice.
 */
export function readAccessToken(
  request: Pick<ExpressRequest, 'headersDistinct'>,
): SentAccessToken | 'missing' | 'malformed' {
  const values = request.headersDistinct['authorization'] ?? [];
  const [value] = values;
  if (value === undefined || (values.length === 1 && !IS_OURS.test(value))) return 'missing';
  const [, scheme, token] = (values.length === 1 ? CREDENTIALS.exec(value) : undefined) ?? [];
  if (scheme === undefined || token === undefined) return 'malformed';
  return { scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer', token };
}
