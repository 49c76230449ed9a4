import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { randomToken } from '../../foundation/crypto/random.js';
import { toFailure } from '../../foundation/database/database-failure.js';
import { DomainError, type Kind } from '../../foundation/error/domain-error.js';
import { answerOrDrop } from '../../foundation/http/last-resort.js';
import { addressOf, closeIfUnread } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { refusalFields } from '../../foundation/log/refusal-fields.js';
import { PageRenderer } from '../../page/page-renderer.js';
import { PageSettings } from '../../page/page-settings.js';
import type { LoginPage } from '../../page/render.js';
import { PageRefusal } from './page-refusal.js';

interface Shown {
  readonly page: LoginPage;
  readonly status: number;
}

/** Errors of the endpoints that users visit with their browser. */
@Catch()
export class AuthorizeErrorFilter implements ExceptionFilter {
  constructor(
    private readonly pages: PageRenderer,
    private readonly settings: PageSettings,
    private readonly log: Logger,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    await answerOrDrop(response, this.log, () => this.answer(toFailure(thrown), request, response));
  }

  private async answer(thrown: unknown, request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const { page, status } = this.toShown(thrown, request);
    if (thrown instanceof DomainError && thrown.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(thrown.retryAfterSeconds));
    }
    const waitSeconds = thrown instanceof DomainError ? thrown.retryAfterSeconds : undefined;
    const shown = page.page === 'error' ? { ...page, waitSeconds } : page;
    this.pages.send(response, shown, { ...(await this.settings.forReader(request)), status });
    closeIfUnread(request, response);
  }

  private toShown(thrown: unknown, request: ExpressRequest): Shown {
    if (thrown instanceof DomainError && thrown.kind !== 'Internal') {
      const facts = thrown instanceof PageRefusal ? { ...thrown.facts, received: thrown.received } : {};
      this.log.warn({ ...refusalFields(thrown), path: request.path, address: addressOf(request), ...facts }, 'refused');
      if (thrown instanceof PageRefusal) return { page: toPage(thrown), status: 400 };
      return (
        BY_REASON[thrown.reason] ??
        BY_KIND[thrown.kind] ?? { page: { page: 'error', reason: 'invalidRequest' }, status: 400 }
      );
    }
    const reference = randomToken(6);
    this.log.error({ err: thrown, path: request.path, reference }, 'defect');
    return { page: { page: 'error', reason: 'unexpected', reference }, status: 500 };
  }
}

function toPage({ page, received, stillSignedIn }: PageRefusal): LoginPage {
  return page === 'cookies' ? { page } : { page: 'error', reason: page, received, stillSignedIn };
}

const BY_REASON: Readonly<Record<string, Shown>> = {
  'auth_request.redirect_uri_gone': { page: { page: 'error', reason: 'clientUnknown' }, status: 400 },
  'auth_request.not_found': { page: { page: 'expired' }, status: 403 },
  'auth_request.expired': { page: { page: 'expired' }, status: 410 },
  'auth_request.answered': { page: { page: 'expired' }, status: 410 },
  'auth_request.pushed_used': {
    status: 410,
    page: {
      page: 'error',
      reason: 'invalidRequest',
      received: 'invalid_request_uri: the request_uri was used already',
    },
  },
  'database.outcome_unknown': { page: { page: 'error', reason: 'outcomeUnknown' }, status: 503 },
  'body.too_large': { page: { page: 'error', reason: 'invalidRequest' }, status: 413 },
};

const BY_KIND: Partial<Record<Kind, Shown>> = {
  PermissionDenied: { page: { page: 'error', reason: 'forbidden' }, status: 403 },
  ResourceExhausted: { page: { page: 'error', reason: 'tooManyAttempts' }, status: 429 },
  Unavailable: { page: { page: 'error', reason: 'unavailable' }, status: 503 },
};
