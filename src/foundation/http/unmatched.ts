import { HttpException, NotFoundException } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { RouteTable } from './route-table.js';

/** A request without a route: unknown path, or another method. */
export type Unmatched = { readonly status: 404 } | { readonly status: 405; readonly allow: string };

/**
 * Recognizes such a request by the router's exception; undefined for any other error. Rules never throw these: they
 * throw a DomainError.
 */
export function findUnmatched(error: unknown, request: ExpressRequest, routes: RouteTable): Unmatched | undefined {
  if (!(error instanceof NotFoundException)) return undefined;
  const allowed = routes.allowedMethods(request.path);
  // A route whose resource, such as a file, does not exist throws the same.
  const isKnown = allowed.length > 0 && !allowed.includes(request.method);
  return isKnown ? { status: 405, allow: allowed.join(', ') } : { status: 404 };
}

/** RFC 9110 §15.5.6: 405 lists the supported methods. */
export function setAllow(response: ExpressResponse, unmatched: Unmatched): void {
  if (unmatched.status === 405) response.setHeader('Allow', unmatched.allow);
}

/** Whether the router could not read the request, such as a path with an invalid escape. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof HttpException && error.getStatus() === 400;
}
