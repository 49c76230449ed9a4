import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../../foundation/crypto/random.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import { DomainError, type Kind } from '../../foundation/error/domain-error.js';
import { answerOrDrop } from '../../foundation/http/last-resort.js';
import { addressOf, closeIfUnread } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { refusalFields } from '../../foundation/log/refusal-fields.js';
import type { LoginPage } from '../../page/render.js';
import { EXTERNAL_REFUSALS } from '../external-refusals.js';
import { pageNotFound } from '../login.errors.js';
import { LoginPages } from '../login-pages.js';

interface Answer {
  readonly status: number;
  readonly page: LoginPage;
}

const error = (status: number, reason: Extract<LoginPage, { page: 'error' }>['reason']): Answer => ({
  status,
  page: { page: 'error', reason },
});
const expired = (status: number): Answer => ({ status, page: { page: 'expired' } });

/** The message for the user for each reason. Unknown requests and those of another browser look the same. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  'login.cookie_missing': { status: 400, page: { page: 'cookies' } },
  'login.form_without_cookie': { status: 403, page: { page: 'cookies' } },
  'login.browser_unknown': expired(404),
  'login.client_gone': error(400, 'clientUnknown'),
  'auth_request.redirect_uri_gone': error(400, 'clientUnknown'),
  'auth_request.not_found': expired(404),
  'auth_request.expired': expired(410),
  'auth_request.answered': expired(410),
  'auth_request.pushed_used': {
    status: 410,
    page: {
      page: 'error',
      reason: 'invalidRequest',
      received: 'invalid_request_uri: the request_uri was used already',
    },
  },
  'device.answered': error(410, 'deviceOver'),
  'device.expired': error(410, 'deviceOver'),
  'device.user_not_admitted': error(403, 'accountNotAllowed'),
  'password.busy': error(503, 'unavailable'),
  'database.outcome_unknown': error(503, 'outcomeUnknown'),
  ...Object.fromEntries(
    Object.entries(EXTERNAL_REFUSALS).map(([name, { status, reason }]) => [name, error(status, reason)]),
  ),
};

/** The answers to all other refusals; a kind that is missing here is a defect. */
const ANSWERS_BY_KIND: Partial<Readonly<Record<Kind, Answer>>> = {
  InvalidArgument: error(400, 'invalidRequest'),
  FailedPrecondition: error(400, 'invalidRequest'),
  PermissionDenied: error(403, 'forbidden'),
  NotFound: error(404, 'notFound'),
  ResourceExhausted: error(429, 'tooManyAttempts'),
  Unavailable: error(503, 'unavailable'),
  DeadlineExceeded: error(503, 'unavailable'),
};

/** Errors of the pages are pages: the user learns what to do, the log the reason. */
@Catch()
export class LoginErrorFilter implements ExceptionFilter {
  constructor(
    private readonly pages: LoginPages,
    private readonly log: Logger,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    await answerOrDrop(response, this.log, () => this.answer(toFailure(thrown), http, response));
  }

  private async answer(thrown: unknown, http: ExpressRequest, response: ExpressResponse): Promise<void> {
    const { status, page } = this.answerTo(thrown, http);
    if (thrown instanceof DomainError && thrown.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(thrown.retryAfterSeconds));
    }
    closeIfUnread(http, response);
    await this.pages.send(http, response, page, status);
  }

  private answerTo(thrown: unknown, http: ExpressRequest): Answer {
    const refusal = thrown instanceof HttpException && thrown.getStatus() === 404 ? pageNotFound() : thrown;
    if (refusal instanceof DomainError) {
      const answer = ANSWERS[refusal.reason] ?? ANSWERS_BY_KIND[refusal.kind];
      if (answer) {
        const detail = typeof refusal.cause === 'string' ? { detail: refusal.cause } : {};
        this.log.warn({ ...refusalFields(refusal), ...detail, path: http.path, address: addressOf(http) }, 'refused');
        return withWait(answer, refusal);
      }
    }
    const reference = randomToken(6);
    this.log.error({ err: thrown, path: http.path, reference }, 'defect');
    return { status: 500, page: { page: 'error', reason: 'unexpected', reference } };
  }
}

function withWait({ status, page }: Answer, { retryAfterSeconds }: DomainError): Answer {
  return { status, page: page.page === 'error' ? { ...page, waitSeconds: retryAfterSeconds } : page };
}
