import type { Request as ExpressRequest, Response as ExpressResponse, NextFunction } from 'express';
import type { RouteTable } from './route-table.js';

/** A path of the protocol without a route: closed paths answer as any unknown path there does. */
const UNKNOWN = '/oauth/unknown';

/**
 * Makes paths unknown that the operator has not turned on, for every method: otherwise the router would answer OPTIONS
 * by itself, and the refusal of other methods would name those that exist.
 */
export function hideClosedPaths(
  routes: RouteTable,
): (request: ExpressRequest, response: ExpressResponse, next: NextFunction) => void {
  return (request, _, next) => {
    if (routes.isClosed(request.path)) request.url = UNKNOWN;
    next();
  };
}
