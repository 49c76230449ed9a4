import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DomainError } from '../../error/domain-error.js';
import { Open } from '../../http/access.js';
import type { Form } from '../../http/form.js';
import { addressOf, readForm, readQuery } from '../../http/request.js';
import type { OidcAnswer } from '../../idp/oidc-sign-in.service.js';
import { Logger } from '../../log/logger.js';
import { paths } from '../../page/paths.js';
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
/** A code or a state that is longer was not made for a query. */
const MAX_CHARACTERS = 4_096;

/** To identity providers, and back. Their administrators know these addresses: they do not change. */
@ApiExcludeController()
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
   * OAuth 2.0 Form Post Response Mode: a form of the provider's site, with which browsers send no cookie of ours (SameSite). So it is
   * turned into a question, with which they do.
   */
  @Post(paths.externalCallback)
  async callbackForm(@Req() http: Request, @Res() response: Response): Promise<void> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(readAnswer(await readForm(http))))
      if (typeof value === 'string') query.set(name, value);
    response.redirect(SEE_OTHER, `${paths.externalCallback}?${query.toString()}`);
  }

  /** Reached by way of a proxy, which adds the header; maybe under its name, and without our cookie. */
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

  /** A refusal of something that belongs to a sign-in leaves the way open to try another one. */
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

/** @throws DomainError FailedPrecondition `login.external_unknown`, also where one of them was sent twice */
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
