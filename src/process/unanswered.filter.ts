import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { AdminErrorFilter } from '../admin/kit/status/admin-error.filter.js';
import { randomToken } from '../foundation/crypto/random.js';
import { toFailure } from '../foundation/database/database-failure.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { answerOrDrop } from '../foundation/http/last-resort.js';
import { closeIfUnread } from '../foundation/http/request.js';
import { RouteTable } from '../foundation/http/route-table.js';
import { findUnmatched, isUnreadable, setAllow } from '../foundation/http/unmatched.js';
import { Logger } from '../foundation/log/logger.js';
import { refusalFields } from '../foundation/log/refusal-fields.js';
import type { ErrorReason } from '../page/error.page.js';
import { PageRenderer } from '../page/page-renderer.js';
import { PageSettings } from '../page/page-settings.js';

const ADMIN = /^\/(admin|management|auth|assets|v2)(\/|$)/i;
const PROTOCOL = /^\/(oauth|oidc|\.well-known)(\/|$)/i;

/**
 * Answers what no edge has answered, in the form of the edge that the path belongs to: unknown paths, known paths with
 * another method, unreadable requests, and errors that escaped an edge's own filter.
 */
@Catch()
export class UnansweredFilter implements ExceptionFilter {
  constructor(
    private readonly admin: AdminErrorFilter,
    private readonly routes: RouteTable,
    private readonly pages: PageRenderer,
    private readonly settings: PageSettings,
    private readonly log: Logger,
    private readonly loaded: LoadedExtensions,
  ) {}

  async catch(thrown: unknown, host: ArgumentsHost): Promise<void> {
    const request = host.switchToHttp().getRequest<ExpressRequest>();
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    await answerOrDrop(response, this.log, () => this.answer(toFailure(thrown), host, request, response));
  }

  private async answer(
    thrown: unknown,
    host: ArgumentsHost,
    request: ExpressRequest,
    response: ExpressResponse,
  ): Promise<void> {
    if (ADMIN.test(request.path) || (this.loaded.ownerOf(request.path) !== undefined && !wantsPage(request)))
      return this.admin.catch(thrown, host);
    if (response.headersSent) return void response.destroy();
    const problem = this.toProblem(thrown, request, response);
    closeIfUnread(request, response);
    if (PROTOCOL.test(request.path)) sendProtocolError(response, problem);
    else await this.sendPage(request, response, problem);
  }

  private toProblem(thrown: unknown, request: ExpressRequest, response: ExpressResponse): Problem {
    const unmatched = findUnmatched(thrown, request, this.routes);
    if (unmatched) {
      setAllow(response, unmatched);
      return unmatched.status === 404
        ? { status: 404, page: 'notFound', description: 'No endpoint exists at this path.' }
        : { status: 405, page: 'invalidRequest', description: `This endpoint only supports ${unmatched.allow}.` };
    }
    if (isUnreadable(thrown))
      return { status: 400, page: 'invalidRequest', description: 'The request could not be read.' };
    if (thrown instanceof DomainError && thrown.kind === 'Unavailable') {
      this.log.warn({ ...refusalFields(thrown), method: request.method, path: request.path }, 'refused');
      response.setHeader('Retry-After', String(thrown.retryAfterSeconds ?? 1));
      return { status: 503, page: 'unavailable', description: thrown.message };
    }
    const reference = randomToken(6);
    this.log.error({ err: thrown, method: request.method, path: request.path, reference }, 'defect');
    return { status: 500, page: 'unexpected', description: `The service failed. Reference ${reference}`, reference };
  }

  private async sendPage(
    request: ExpressRequest,
    response: ExpressResponse,
    { status, page, reference }: Problem,
  ): Promise<void> {
    this.pages.send(
      response,
      { page: 'error', reason: page, reference },
      { status, ...(await this.settings.forReader(request)) },
    );
  }
}

/** Whether a person has asked, in a browser, for what a route of an extension refuses. */
function wantsPage({ headers }: ExpressRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

interface Problem {
  readonly status: number;
  readonly page: ErrorReason;
  readonly description: string;
  readonly reference?: string;
}

/** RFC 6749 §4.1.2.1. For all others it has no code, and `invalid_request` is the nearest. */
const PROTOCOL_ERRORS: Readonly<Record<number, string>> = { 500: 'server_error', 503: 'temporarily_unavailable' };

function sendProtocolError(response: ExpressResponse, { status, description }: Problem): void {
  response.status(status).json({ error: PROTOCOL_ERRORS[status] ?? 'invalid_request', error_description: description });
}
