import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../foundation/crypto/random.js';
import { toFailure } from '../foundation/database/database-failure.js';
import { DomainError, type Kind } from '../foundation/error/domain-error.js';
import { answerOrDrop } from '../foundation/http/last-resort.js';
import { addressOf, closeIfUnread } from '../foundation/http/request.js';
import { Logger } from '../foundation/log/logger.js';
import { refusalFields } from '../foundation/log/refusal-fields.js';
import type { ErrorProps, ErrorReason } from '../page/error.page.js';
import { PageRenderer } from '../page/page-renderer.js';
import { PageSettings } from '../page/page-settings.js';
import { pageNotFound } from './visit.errors.js';

/** A kind that is missing here is a defect. */
const ANSWERS: Partial<Readonly<Record<Kind, readonly [status: number, reason: ErrorReason]>>> = {
  InvalidArgument: [400, 'invalidRequest'],
  FailedPrecondition: [400, 'invalidRequest'],
  AlreadyExists: [409, 'forbidden'],
  PermissionDenied: [403, 'forbidden'],
  NotFound: [404, 'notFound'],
  ResourceExhausted: [429, 'tooManyAttempts'],
  Unavailable: [503, 'unavailable'],
  DeadlineExceeded: [503, 'unavailable'],
};

function answerTo({ kind, reason }: DomainError): readonly [status: number, reason: ErrorReason] | undefined {
  return reason === 'database.outcome_unknown' ? [503, 'outcomeUnknown'] : ANSWERS[kind];
}

/** Errors on pages are pages: the user learns what to do, the log the reason. */
@Catch()
export abstract class VisitErrorFilter implements ExceptionFilter {
  /** The part of the service that the pages are of. */
  protected abstract readonly place: Pick<ErrorProps, 'backHref' | 'isIn'>;

  constructor(
    private readonly renderer: PageRenderer,
    private readonly settings: PageSettings,
    private readonly log: Logger,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const http = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    await answerOrDrop(response, this.log, () => this.answer(toFailure(thrown), http, response));
  }

  private async answer(thrown: unknown, http: ExpressRequest, response: ExpressResponse): Promise<void> {
    const refusal = thrown instanceof HttpException && thrown.getStatus() === 404 ? pageNotFound() : thrown;
    const answer = refusal instanceof DomainError ? answerTo(refusal) : undefined;
    closeIfUnread(http, response);
    const setting = await this.settings.forReader(http);
    if (!(refusal instanceof DomainError) || !answer) {
      const reference = randomToken(6);
      this.log.error({ err: thrown, path: http.path, reference }, 'defect');
      this.renderer.send(
        response,
        { page: 'error', reason: 'unexpected', reference, ...this.place },
        { ...setting, status: 500 },
      );
      return;
    }
    this.log.warn({ ...refusalFields(refusal), path: http.path, address: addressOf(http) }, 'refused');
    if (refusal.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(refusal.retryAfterSeconds));
    const [status, reason] = answer;
    this.renderer.send(
      response,
      { page: 'error', reason, waitSeconds: refusal.retryAfterSeconds, ...this.place },
      { ...setting, status },
    );
  }
}
