import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../../../foundation/crypto/random.js';
import { toFailure } from '../../../foundation/database/database-failure.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { addressOf, closeIfUnread } from '../../../foundation/http/request.js';
import { RouteTable } from '../../../foundation/http/route-table.js';
import { findUnmatched, isUnreadable, setAllow } from '../../../foundation/http/unmatched.js';
import { Logger } from '../../../foundation/log/logger.js';
import { refusalFields } from '../../../foundation/log/refusal-fields.js';
import { CHALLENGE_WITHOUT_TOKEN, challengeOf, schemeOf } from '../../../token/proof/challenge.js';
import { ProofRefused } from '../../../token/proof/proof-refused.js';
import { findActor } from '../guard/actor-of-request.js';
import { STATUS } from './status.js';
import { stepUpChallenge } from './step-up.js';

/** How a request is refused: by a rule, or by the router, which knows no such path or method. */
export type Refused =
  | { readonly status: number; readonly error: DomainError }
  | { readonly status: 404 | 405; readonly error: undefined };

/** Makes of whatever was thrown a refusal whose status and headers are set, and of which the log knows. */
@Injectable()
export class Refusals {
  constructor(
    private readonly routes: RouteTable,
    private readonly log: Logger,
  ) {}

  /** The refusal, of which the body is still to be sent; undefined if an answer had begun, which is then cut off. */
  begin(thrown: unknown, request: ExpressRequest, response: ExpressResponse): Refused | undefined {
    if (response.headersSent) {
      response.destroy();
      return undefined;
    }
    closeIfUnread(request, response);
    const unmatched = findUnmatched(thrown, request, this.routes);
    if (unmatched) {
      setAllow(response, unmatched);
      response.status(unmatched.status);
      return { status: unmatched.status, error: undefined };
    }
    const error = this.toDomainError(toFailure(thrown), request);
    const { http: status } = STATUS[error.kind];
    if (error.kind !== 'Internal') this.note(error, status, request);
    setHeaders(error, request, response);
    response.status(status);
    return { status, error };
  }

  private note(error: DomainError, status: number, request: ExpressRequest): void {
    const { method, path } = request;
    this.log.warn(
      {
        ...refusalFields(error),
        status,
        method,
        path,
        address: addressOf(request),
        userId: findActor(request)?.userId,
      },
      'refused',
    );
  }

  /** Any other error is a defect: the caller gets a reference number, the log gets the details. */
  private toDomainError(thrown: unknown, request: ExpressRequest): DomainError {
    if (thrown instanceof DomainError && thrown.kind !== 'Internal') return thrown;
    if (isUnreadable(thrown))
      return new DomainError('InvalidArgument', 'request.unreadable', 'The request could not be read.', {
        cause: thrown,
      });
    const reference = randomToken(6);
    this.log.error({ err: thrown, method: request.method, path: request.path, reference }, 'defect');
    return new DomainError('Internal', 'internal', `The service failed. Reference ${reference}`);
  }
}

function setHeaders(error: DomainError, request: ExpressRequest, response: ExpressResponse): void {
  if (error.kind === 'Unauthenticated')
    response.setHeader('WWW-Authenticate', challengeFor(error, request.headers.authorization));
  if (error instanceof ProofRefused && error.freshNonce !== undefined)
    response.setHeader('DPoP-Nonce', error.freshNonce); // RFC 9449 §9
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
}

function challengeFor(error: DomainError, authorization: string | undefined): string {
  if (error.reason === 'token.missing') return CHALLENGE_WITHOUT_TOKEN;
  const scheme = schemeOf(authorization);
  const isProof = error instanceof ProofRefused;
  return stepUpChallenge(error, scheme) ?? challengeOf(scheme, isProof ? error.error : 'invalid_token');
}
