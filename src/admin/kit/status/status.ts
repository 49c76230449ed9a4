import type { Kind } from '../../../foundation/error/domain-error.js';

/** The numbers of google.rpc.Code, and the HTTP status of each. */
export const STATUS: Readonly<Record<Kind, { readonly code: number; readonly http: number }>> = {
  InvalidArgument: { code: 3, http: 400 },
  DeadlineExceeded: { code: 4, http: 504 },
  NotFound: { code: 5, http: 404 },
  AlreadyExists: { code: 6, http: 409 },
  PermissionDenied: { code: 7, http: 403 },
  ResourceExhausted: { code: 8, http: 429 },
  FailedPrecondition: { code: 9, http: 400 },
  Aborted: { code: 10, http: 409 },
  Internal: { code: 13, http: 500 },
  Unavailable: { code: 14, http: 503 },
  Unauthenticated: { code: 16, http: 401 },
};

/** For the HTTP edge alone: a method that a path does not have. */
export const UNIMPLEMENTED = 12;
