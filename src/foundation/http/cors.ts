import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';

/** How long a browser may cache a preflight answer. */
const PREFLIGHT_SECONDS = '7200';

/** Headers of an answer to any origin, except preflights. */
export const OPEN_TO_ALL_ORIGINS: ReadonlyArray<readonly [string, string]> = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After, DPoP-Nonce'],
];

/**
 * Lets applications in browsers call some endpoints from any origin, without credentials of the browser: the token in
 * the request is the only authority. `methodsOf` gives `Access-Control-Allow-Methods` by path; what it does not know
 * gets no such header.
 */
export function openToAllOrigins(
  methodsOf: (path: string) => string | undefined,
  others: readonly string[] = [],
): (request: ExpressRequest, response: ExpressResponse, next: NextFunction) => void {
  const headers = ['Authorization', 'Content-Type', 'DPoP', ...others].join(', ');
  return (request, response, next) => {
    const allowed = methodsOf(request.path);
    if (allowed === undefined) {
      next();
      return;
    }
    // Fetch standard, CORS-preflight request: without the header, an OPTIONS is a request like others.
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      for (const [name, value] of OPEN_TO_ALL_ORIGINS) response.setHeader(name, value);
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', allowed);
    response.setHeader('Access-Control-Allow-Headers', headers);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
