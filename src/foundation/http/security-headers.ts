import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';

const TWO_YEARS_SECONDS = 63_072_000;

/** Names and values of the headers that every answer has. */
export function securityHeaderList(isHttps: boolean): ReadonlyArray<readonly [string, string]> {
  return [
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Referrer-Policy', 'no-referrer'],
    ['X-Content-Type-Options', 'nosniff'],
    ['X-Frame-Options', 'DENY'],
    ...(isHttps ? ([['Strict-Transport-Security', `max-age=${TWO_YEARS_SECONDS}; includeSubDomains`]] as const) : []),
  ];
}

/**
 * Headers of every answer, errors included. Pages replace the content policy; answers that may be cached set that
 * themselves.
 */
export function securityHeaders(
  isHttps: boolean,
): (request: ExpressRequest, response: ExpressResponse, next: NextFunction) => void {
  const headers = securityHeaderList(isHttps);
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
