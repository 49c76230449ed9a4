import type { NextFunction, Request, Response } from 'express';

/** What a browser may keep of a preflight answer. */
const PREFLIGHT_SECONDS = '7200';

/** What an answer to any origin says, preflights aside. */
export const OPEN_TO_ALL_ORIGINS: ReadonlyArray<readonly [string, string]> = [
  ['Access-Control-Allow-Origin', '*'],
  ['Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After'],
];

/**
 * Lets applications in browsers call some endpoints from any origin, without credentials of the browser: the token in the
 * request is the only authority. `methods` says by exact path what `Access-Control-Allow-Methods`
 * answers; a path that is not in it gets no header at all.
 */
export function openToAllOrigins(
  methods: ReadonlyMap<string, string>,
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    const allowed = methods.get(request.path);
    if (allowed === undefined) {
      next();
      return;
    }
    if (request.method !== 'OPTIONS') {
      for (const [name, value] of OPEN_TO_ALL_ORIGINS) response.setHeader(name, value);
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Methods', allowed);
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
