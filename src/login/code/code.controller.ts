import { All, Controller, Get, Inject, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { DomainError } from '../../foundation/error/domain-error.js';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { readForm } from '../../foundation/http/request.js';
import { Logger } from '../../foundation/log/logger.js';
import { paths } from '../../org/instance/paths.js';
import { tooManyAttempts } from '../../page/part/too-many-attempts.js';
import { SHOW } from '../../page/part/way.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { AnswerSender } from '../hub/answer-sender.js';
import { LoginHub } from '../hub/login.hub.js';
import { LoginErrorFilter } from '../hub/login-error.filter.js';
import { pageNotFound } from '../login.errors.js';
import { LoginPages } from '../login-pages.js';
import type { Retry } from '../login-step.js';
import { CODE_JOURNEYS, type CodeJourney, type JourneyOutcome } from './code-journey.js';
import type { Guest } from './guest.js';
import { Guests } from './guests.js';

const PATHS = [
  paths.userInit,
  paths.mailVerification,
  paths.passwordReset,
  paths.passwordInit,
  paths.passkeyLink,
  paths.accountTakeBack,
];
const SEE_OTHER = 303;
const AGAIN = 400;
const REFUSED = 403;
const LIMITED = 429;

/** Where the links of mails lead. Manuals and other services know these paths and their queries. */
@Open()
@UseFilters(LoginErrorFilter)
@Controller()
export class CodeController {
  constructor(
    @Inject(CODE_JOURNEYS) private readonly journeys: readonly CodeJourney[],
    private readonly guests: Guests,
    private readonly hub: LoginHub,
    private readonly answers: AnswerSender,
    private readonly pages: LoginPages,
    private readonly cookie: BrowserCookie,
    private readonly log: Logger,
  ) {}

  @Get(PATHS)
  async open(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const guest = await this.guests.open(http);
    if (guest.newCookieValue !== undefined)
      response.setHeader('Set-Cookie', this.cookie.toSetCookie(guest.newCookieValue));
    await this.show(this.journeyAt(http.path), guest, response);
  }

  @Post(PATHS)
  async take(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    const journey = this.journeyAt(http.path);
    const form = await readForm(http);
    if (form.hasField(SHOW)) return this.show(journey, await this.guests.openWithin(http, form), response);
    const guest = await this.guests.openFor(http, form);
    try {
      await this.answer(journey, guest, form, response, await journey.submit(guest, form));
    } catch (error) {
      if (!(error instanceof DomainError) || error.reason !== 'attempt.too_many') throw error;
      this.log.warn({ reason: error.reason, path: http.path, address: guest.address }, 'limited');
      if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
      await this.show(journey, guest, response, { form, errors: [tooManyAttempts(error, guest.setting)] }, LIMITED);
    }
  }

  @All(PATHS)
  async otherMethod(@Req() http: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    response.setHeader('Allow', 'GET, HEAD, POST');
    await this.pages.send(http, response, { page: 'error', reason: 'notFound' }, 405);
  }

  private async answer(
    journey: CodeJourney,
    guest: Guest,
    form: Form,
    response: ExpressResponse,
    outcome: JourneyOutcome,
  ): Promise<void> {
    switch (outcome.kind) {
      case 'again':
        return this.show(journey, guest, response, { form, errors: outcome.errors });
      case 'page':
        return this.pages.sendAs(guest.setting, response, outcome.page, {
          status: outcome.status ?? 200,
          formTarget: guest.formTarget,
          request: guest.visit?.carried,
        });
      case 'done':
        return this.goOn(guest, response, outcome);
    }
  }

  private async goOn(
    { visit, setting }: Guest,
    response: ExpressResponse,
    { what, otherWays, request, cookieValue }: JourneyOutcome & { kind: 'done' },
  ): Promise<void> {
    if (visit) return this.answers.send(visit.http, response, await this.hub.goOn(visit, { request, cookieValue }));
    if (cookieValue !== undefined) response.setHeader('Set-Cookie', this.cookie.toSetCookie(cookieValue));
    // 303: the browser continues with GET and never forwards a password (RFC 9700 §4.12).
    if (cookieValue !== undefined) response.redirect(SEE_OTHER, paths.hub);
    else this.pages.sendAs(setting, response, { page: 'done', what, otherWays });
  }

  private async show(
    journey: CodeJourney,
    guest: Guest,
    response: ExpressResponse,
    retry?: Retry,
    status?: number,
  ): Promise<void> {
    const page = await journey.page(guest, retry);
    const usual = page.page === 'error' ? REFUSED : retry?.errors.length ? AGAIN : 200;
    this.pages.sendAs(guest.setting, response, page, {
      status: status ?? usual,
      formTarget: guest.formTarget,
      request: guest.visit?.carried,
    });
  }

  private journeyAt(path: string): CodeJourney {
    const journey = this.journeys.find((each) => each.path === path);
    if (!journey) throw pageNotFound();
    return journey;
  }
}
