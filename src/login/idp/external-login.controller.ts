import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { addressOf, readForm, readQuery } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../foundation/page/paths.js';
import type { OidcAnswer } from '../../idp/oidc-sign-in.js';
import { AnswerSender } from '../answer-sender.js';
import { externalUnknown } from '../login.errors.js';
import type { Answer } from '../login.hub.js';
import { LoginErrorFilter } from '../login-error.filter.js';
import type { Visit } from '../visit.js';
import { Visits } from '../visits.js';
import { ExternalLogin } from './external-login.js';
import { EXTERNAL_REFUSALS } from './external-refusals.js';

const FOUND = 302;
const SEE_OTHER = 303;
/** A longer code or state was not made for a query. */
const MAX_CHARACTERS = 4_096;

/**
 * Redirects to identity providers and back. Their administrators have configured these addresses, so they must not
 * change.
 */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class ExternalLoginController {
  constructor(
    private readonly external: ExternalLogin,
    private readonly visits: Visits,
    private readonly answers: AnswerSender,
    private readonly log: Logger,
  ) {}

  @Get(paths.externalStart)
  async start(@Req() http: Request, @Res() response: Response): Promise<void> {
    const query = readQuery(http);
    const visit = await this.visits.open(http, query.find('authRequestID') ?? '');
    await this.within(visit, http, response, async () => {
      const redirectTo = await this.external.leave(
        visit,
        query.find('idpConfigID') ?? '',
        query.find('choose') === 'true',
      );
      return { redirectTo };
    });
  }

  @Get(paths.externalCallback)
  async callback(@Req() http: Request, @Res() response: Response): Promise<void> {
    const answer = readAnswer(readQuery(http));
    const homecoming = await this.external.receive(http, answer.state);
    await this.within(homecoming.visit, http, response, () => this.external.takeOidc(homecoming, answer));
  }

  /**
   * OAuth 2.0 Form Post Response Mode: a cross-site POST, with which browsers do not send our cookie (SameSite), so it
   * is redirected to a GET.
   */
  @Post(paths.externalCallback)
  async callbackForm(@Req() http: Request, @Res() response: Response): Promise<void> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(readAnswer(await readForm(http))))
      if (typeof value === 'string') query.set(name, value);
    response.redirect(SEE_OTHER, `${paths.externalCallback}?${query.toString()}`);
  }

  /** Reached through a proxy that adds the header, possibly under the proxy's host name and without our cookie. */
  @Get(paths.jwtAuthorize)
  async jwtAuthorize(@Req() http: Request, @Res() response: Response): Promise<void> {
    const query = readQuery(http);
    const target = await this.external.proveByHeader(
      query.find('userAgentID') ?? '',
      query.find('authRequestID') ?? '',
      http.headersDistinct,
    );
    response.redirect(FOUND, target);
  }

  @Get(paths.jwtCallback)
  async jwtCallback(@Req() http: Request, @Res() response: Response): Promise<void> {
    const query = readQuery(http);
    const homecoming = await this.external.receive(http, query.find('state') ?? '');
    if (homecoming.login.authRequestId !== query.find('authRequestID')) throw externalUnknown();
    await this.within(homecoming.visit, http, response, () => this.external.takeJwt(homecoming));
  }

  /** After a refusal within a sign-in the user can still choose another way. */
  private async within(visit: Visit, http: Request, response: Response, work: () => Promise<Answer>): Promise<void> {
    await this.answers.send(visit, response, await work().catch((error: unknown) => this.refuse(visit, http, error)));
  }

  private refuse(visit: Visit, http: Request, error: unknown): Answer {
    const refusal = error instanceof DomainError ? EXTERNAL_REFUSALS[error.reason] : undefined;
    if (!(error instanceof DomainError) || !refusal) throw error;
    const detail = typeof error.cause === 'string' ? { detail: error.cause } : {};
    this.log.warn({ reason: error.reason, ...detail, path: http.path, address: addressOf(http) }, 'refused');
    return {
      status: refusal.status,
      page: { page: 'error', reason: refusal.reason, backHref: visit.linkTo(paths.loginName) },
    };
  }
}

/** @throws DomainError FailedPrecondition `login.external_unknown`, also for a repeated parameter */
function readAnswer(form: Form): OidcAnswer {
  const read = (name: string): string | undefined => {
    const value = form.find(name);
    if (form.problemOf(name) !== undefined || (value !== undefined && value.length > MAX_CHARACTERS))
      throw externalUnknown();
    return value;
  };
  const state = read('state');
  if (state === undefined) throw externalUnknown();
  return { state, code: read('code'), iss: read('iss'), error: read('error') };
}
