import type { NextFunction, Request, Response } from 'express';

/** What a browser may keep of a preflight answer. */
const PREFLIGHT_SECONDS = '7200';

/**
 * Lets applications in browsers call an endpoint from any origin, without credentials of the browser: the token in the
 * request is the only authority (decisions §2, CORS). `methods` as in `Access-Control-Allow-Methods`.
 */
export function openToAllOrigins(methods: string): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.method !== 'OPTIONS') {
      response.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, Retry-After');
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', methods);
    response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.status(204).end();
  };
}
