import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AuthRequestService, type OpenedRequest } from '../auth-request/auth-request.service.js';
import { nextStep } from '../auth-request/next-step.js';
import { ClientService } from '../client/client.service.js';
import { DomainError } from '../foundation/error/domain-error.js';
import type { Form } from '../foundation/http/form.js';
import { addressOf } from '../foundation/http/request.js';
import { chosenLanguage, PageSettings } from '../foundation/page/page-settings.js';
import { Clock } from '../foundation/time/clock.js';
import { BrowserCookie } from '../session/browser-cookie.js';
import type { KnownBrowser } from '../session/browser-sessions.js';
import { CsrfTokens } from '../session/csrf-token.js';
import { SessionService } from '../session/session.service.js';
import { browserUnknown, clientGone, cookieMissing, formMalformed, formNotOurs } from './login.errors.js';
import { SignInPlaces } from './sign-in-places.js';
import { Visit, type VisitFacts } from './visit.js';

/** Gives a browser access to its own pending authorization only. */
@Injectable()
export class Visits {
  constructor(
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly csrf: CsrfTokens,
    private readonly requests: AuthRequestService,
    private readonly clients: ClientService,
    private readonly places: SignInPlaces,
    private readonly settings: PageSettings,
    private readonly clock: Clock,
  ) {}

  /**
   * The id alone is not sufficient: the request must belong to the browser that the cookie identifies (AUT-057).
   * @throws DomainError `login.cookie_missing`, `login.browser_unknown`, `login.client_gone`, `auth_request.*`
   */
  async open(http: Request, authRequestId: string): Promise<Visit> {
    const cookieValue = this.cookie.read(http.headers.cookie);
    if (cookieValue === undefined) throw cookieMissing();
    const opened = await this.requests.open(cookieValue, authRequestId);
    if (!opened) throw browserUnknown();
    return this.visit(http, opened, { cookieValue, isRepeated: false });
  }

  /**
   * The same for our forms, which must contain the token of this browser and this request. The query is never read. A
   * form that is sent twice arrives the second time with the cookie value that the first one has replaced:
   * `Visit.isRepeated`.
   * @throws DomainError `login.form_malformed`, `login.form_not_ours`, and as `open`
   */
  async openFor(http: Request, form: Form): Promise<Visit> {
    if (form.isTooLong || form.problems.size > 0) throw formMalformed();
    const cookieValue = this.cookie.read(http.headers.cookie);
    const authRequestId = form.find('authRequestID');
    if (cookieValue === undefined || authRequestId === undefined) throw formNotOurs();
    const current = await this.requests.open(cookieValue, authRequestId);
    const opened = current ?? (await this.requests.openRepeated(cookieValue, authRequestId));
    if (!opened || !this.csrf.isValid(form.find('csrf'), opened.browser.id, authRequestId)) throw formNotOurs();
    return this.visit(http, opened, { cookieValue, isRepeated: current === undefined });
  }

  /** Like `open`, if no page depends on it: undefined for a request that is over, or another browser's. */
  async find(http: Request, authRequestId: string | undefined): Promise<Visit | undefined> {
    if (authRequestId === undefined) return undefined;
    try {
      return await this.open(http, authRequestId);
    } catch (error) {
      if (error instanceof DomainError && (error.kind === 'NotFound' || error.kind === 'FailedPrecondition'))
        return undefined;
      throw error;
    }
  }

  /** Undefined for an unknown browser. */
  async browserOf(http: Request): Promise<KnownBrowser | undefined> {
    return this.sessions.findBrowser(this.cookie.read(http.headers.cookie));
  }

  private async visit(
    http: Request,
    { browser, request: stored }: OpenedRequest,
    sent: Pick<VisitFacts, 'cookieValue' | 'isRepeated'>,
  ): Promise<Visit> {
    const request = this.requests.checkPending(stored);
    const client = await this.clients.findActive(request.clientId);
    if (!client) throw clientGone();
    const now = this.clock.now();
    const verdict = nextStep({ request, client, sessions: browser.sessions, now });
    const place = await this.places.of({
      request,
      client,
      session: 'session' in verdict ? verdict.session : undefined,
    });
    const language = chosenLanguage(http);
    if (language !== undefined && language !== request.uiLocales[0]) await this.requests.setLanguage(request, language);
    return new Visit({
      ...sent,
      browser,
      request,
      client,
      now,
      verdict,
      orgId: place.orgId,
      csrf: this.csrf.tokenFor(browser.id, request.id),
      setting: await this.settings.forReader(http, { uiLocales: request.uiLocales, ...place }),
      address: addressOf(http),
    });
  }
}
