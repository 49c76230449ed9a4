import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../../../foundation/config/config.js';
import { randomToken } from '../../../foundation/crypto/random.js';
import { toFailure } from '../../../foundation/database/database-failure.js';
import { DomainError } from '../../../foundation/error/domain-error.js';
import { addressOf, closeIfUnread } from '../../../foundation/http/request.js';
import { RouteTable } from '../../../foundation/http/route-table.js';
import { findUnmatched, isUnreadable, setAllow, type Unmatched } from '../../../foundation/http/unmatched.js';
import { Logger } from '../../../foundation/log/logger.js';
import { refusalFields } from '../../../foundation/log/refusal-fields.js';
import { CHALLENGE_WITHOUT_TOKEN, challengeOf, schemeOf } from '../../../token/proof/challenge.js';
import { ProofRefused } from '../../../token/proof/proof-refused.js';
import { findActor } from '../guard/actor-of-request.js';
import { type ErrorBody, toErrorBody } from './error-body.js';
import { STATUS, UNIMPLEMENTED } from './status.js';
import { stepUpChallenge } from './step-up.js';

/** The one place where an error becomes a response of the administrative API. */
@Catch()
export class AdminErrorFilter implements ExceptionFilter {
  constructor(
    private readonly routes: RouteTable,
    private readonly log: Logger,
    private readonly issuer: IssuerConfig,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    if (response.headersSent) return void response.destroy();
    closeIfUnread(request, response);
    const unmatched = findUnmatched(thrown, request, this.routes);
    if (unmatched) this.answerUnmatched(response, unmatched);
    else this.answer(request, response, this.toDomainError(toFailure(thrown), request));
  }

  private answer(request: ExpressRequest, response: ExpressResponse, error: DomainError): void {
    const status = STATUS[error.kind].http;
    if (error.kind !== 'Internal') {
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
    if (error.kind === 'Unauthenticated')
      response.setHeader('WWW-Authenticate', challengeFor(error, request.headers.authorization));
    if (error instanceof ProofRefused && error.freshNonce !== undefined)
      response.setHeader('DPoP-Nonce', error.freshNonce); // RFC 9449 §9
    if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
    send(response, status, toErrorBody(error, this.issuer.urnWord));
  }

  private answerUnmatched(response: ExpressResponse, unmatched: Unmatched): void {
    setAllow(response, unmatched);
    const [code, message] =
      unmatched.status === 404 ? [STATUS.NotFound.code, 'Not Found'] : [UNIMPLEMENTED, 'Method Not Allowed'];
    send(response, unmatched.status, { code, message, details: [] });
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

function challengeFor(error: DomainError, authorization: string | undefined): string {
  if (error.reason === 'token.missing') return CHALLENGE_WITHOUT_TOKEN;
  const scheme = schemeOf(authorization);
  const isProof = error instanceof ProofRefused;
  return stepUpChallenge(error, scheme) ?? challengeOf(scheme, isProof ? error.error : 'invalid_token');
}

function send(response: ExpressResponse, status: number, body: ErrorBody): void {
  response.status(status).json(body);
}
