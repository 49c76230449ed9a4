import type { Request } from 'express';

/** RFC 6750 §2.1, with the scheme in any case (RFC 9110 §11.1). */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

const IS_BEARER = /^Bearer(?:\s|$)/i;

/**
 * The bearer token in the `Authorization` header. `missing` without a header or with another scheme, which is not an
 * attempt (RFC 6750 §3.1); `malformed` if it is not a token, or if the header was sent twice.
 */
export function readBearer(
  request: Pick<Request, 'headersDistinct'>,
): { readonly token: string } | 'missing' | 'malformed' {
  const values = request.headersDistinct['authorization'] ?? [];
  const [value] = values;
  if (value === undefined || (values.length === 1 && !IS_BEARER.test(value))) return 'missing';
  const token = values.length === 1 ? BEARER.exec(value)?.[1] : undefined;
  return token === undefined ? 'malformed' : { token };
}
