import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';
import { DomainError } from '../foundation/error/domain-error.js';
import type { Form } from '../foundation/http/form.js';
import { addressOf, readQuery } from '../foundation/http/request.js';
import { Clock } from '../foundation/time/clock.js';
import { chosenLanguage, PageSettings } from '../page/page-settings.js';
import { PROVIDER_NAME } from '../page/part/provider-search.js';
import { ClientService } from '../project/client/client.service.js';
import { SERVICE_PAGES, SERVICE_PAGES_ID } from '../project/client/service-pages.js';
import type { AuthRequest } from '../session/auth-request/auth-request.js';
import { withLanguage } from '../session/auth-request/auth-request.js';
import { AuthRequestService } from '../session/auth-request/auth-request.service.js';
import type { OpenedRequest } from '../session/auth-request/handover.js';
import { SignInDecision } from '../session/auth-request/sign-in-decision.js';
import { SignInPlaces } from '../session/auth-request/sign-in-places.js';
import { BrowserCookie } from '../session/browser-cookie.js';
import { browserIdOf } from '../session/browser-id.js';
import type { KnownBrowser } from '../session/browser-sessions.js';
import { CsrfTokens } from '../session/csrf-token.js';
import { type FoundBrowser, SessionService } from '../session/session.service.js';
import {
  browserUnknown,
  clientGone,
  cookieMissing,
  formMalformed,
  formNotOurs,
  formWithoutCookie,
} from './login.errors.js';
import { Visit } from './visit.js';

interface Sent {
  readonly cookieValue: string;
  readonly isRepeated: boolean;
  /** The languages that the reader has chosen on the page. */
  readonly uiLocales: readonly string[];
  readonly providerName?: string | undefined;
}

/** The facts that a step has learned, and the new cookie value if the user has signed in. */
export interface LearnedInVisit {
  readonly request?: AuthRequest | undefined;
  readonly cookieValue?: string | undefined;
}

/** Gives a browser access to its own pending authorization only. */
@Injectable()
export class Visits {
  constructor(
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly csrf: CsrfTokens,
    private readonly requests: AuthRequestService,
    private readonly decision: SignInDecision,
    private readonly clients: ClientService,
    private readonly places: SignInPlaces,
    private readonly settings: PageSettings,
    private readonly clock: Clock,
  ) {}

  /** A request that has just been checked, in a browser that is already known. */
  async begin(http: ExpressRequest, opened: OpenedRequest & { readonly cookieValue: string }): Promise<Visit> {
    return this.visit(http, opened, { cookieValue: opened.cookieValue, isRepeated: false, uiLocales: [] });
  }

  /**
   * The value alone is not sufficient: the request must belong to the browser that the cookie identifies (AUT-057).
   * @throws DomainError `login.cookie_missing`, `login.browser_unknown`, `login.client_gone`, `auth_request.*`
   */
  async open(http: ExpressRequest, reference: string): Promise<Visit> {
    const cookieValue = this.cookie.read(http.headers.cookie);
    if (cookieValue === undefined) throw cookieMissing();
    const { request, browser } = await this.find(reference, cookieValue);
    if (!browser || browser.isReplaced) throw browserUnknown();
    const uiLocales = readQuery(http).words('ui_locales');
    return this.visit(
      http,
      { request: this.requests.checkPending(request), browser },
      { cookieValue, isRepeated: false, uiLocales },
    );
  }

  /**
   * Like `open`, for our forms, which must contain the token of this browser and this request. The query is never read.
   * @throws DomainError `login.form_malformed`, `login.form_not_ours`, and as `open`
   */
  async openFor(http: ExpressRequest, form: Form): Promise<Visit> {
    const visit = await this.openRepeatable(http, form);
    if (visit.isRepeated) throw browserUnknown();
    return visit;
  }

  /**
   * Like `openFor`, for a form that may be sent twice: the second time it arrives with the cookie value that the first
   * one has replaced (`Visit.isRepeated`). An attacker who planted that value has it, too, with a request and a form
   * token of this browser, so such a visit must lead to no page and to no answer before it has proved who sends it
   * (LOG-004).
   * @throws DomainError as `openFor`
   */
  async openRepeatable(http: ExpressRequest, form: Form): Promise<Visit> {
    if (form.isTooLong || form.problems.size > 0) throw formMalformed();
    const cookieValue = this.cookie.read(http.headers.cookie);
    const reference = form.find('authRequestID');
    if (cookieValue === undefined) throw formWithoutCookie();
    if (reference === undefined) throw formNotOurs();
    const { request, browser } = await this.find(reference, cookieValue);
    const own = { token: form.find('csrf'), headers: http.headers };
    if (!request || !browser || !this.csrf.isValid(own, browser.id, request.id)) throw formNotOurs();
    const sent = {
      cookieValue,
      isRepeated: browser.isReplaced,
      uiLocales: form.words('ui_locales'),
      providerName: form.find(PROVIDER_NAME),
    };
    return this.visit(http, { request: this.requests.checkPending(request), browser }, sent);
  }

  /** Like `open`, where no page depends on the request: undefined if it is over, or another browser's. */
  async findOwn(http: ExpressRequest, reference: string | undefined): Promise<Visit | undefined> {
    if (reference === undefined) return undefined;
    try {
      return await this.open(http, reference);
    } catch (error) {
      if (error instanceof DomainError && (error.kind === 'NotFound' || error.kind === 'FailedPrecondition'))
        return undefined;
      throw error;
    }
  }

  /** The visit with what was learned about its request; browser and sessions stay as they were read. */
  async learn(visit: Visit, request: AuthRequest): Promise<Visit> {
    const { cookieValue } = visit.sentBrowser;
    return this.visit(
      visit.http,
      { request, browser: visit.browser },
      { cookieValue, isRepeated: false, uiLocales: [] },
    );
  }

  /** The visit with what was learned; if the cookie has a new value, the sessions are read again. */
  async goOn(visit: Visit, learned: LearnedInVisit): Promise<Visit> {
    const { request = visit.request, cookieValue = visit.sentBrowser.cookieValue } = learned;
    const browser = await this.sessions.findBrowser(cookieValue);
    if (!browser) throw browserUnknown();
    return this.visit(visit.http, { request, browser }, { cookieValue, isRepeated: false, uiLocales: [] });
  }

  /** Undefined for an unknown browser. */
  async browserOf(http: ExpressRequest): Promise<KnownBrowser | undefined> {
    return this.sessions.findBrowser(this.cookie.read(http.headers.cookie));
  }

  /** The request is left out if it belongs to another browser. */
  private async find(
    reference: string,
    cookieValue: string,
  ): Promise<{ request: AuthRequest | undefined; browser: FoundBrowser | undefined }> {
    const request = await this.requests.find(reference);
    const browser = await this.sessions.findBrowserOfForm(cookieValue, request?.browserId ?? browserIdOf(cookieValue));
    return { browser, request: request?.browserId === browser?.id ? request : undefined };
  }

  private async visit(
    http: ExpressRequest,
    opened: OpenedRequest,
    { cookieValue, isRepeated, uiLocales, providerName }: Sent,
  ): Promise<Visit> {
    const { browser } = opened;
    const { sent, ...pending } = opened.request;
    const language = chosenLanguage(uiLocales);
    const spoken = language === undefined ? pending : withLanguage(pending, language);
    const client =
      spoken.clientId === SERVICE_PAGES_ID ? SERVICE_PAGES : await this.clients.findActive(spoken.clientId);
    if (!client) throw clientGone();
    const now = this.clock.now();
    const verdict = await this.decision.of({ request: spoken, client, http, sessions: browser.sessions, now });
    // What an extension requires holds on the pages as well: they would else offer to go on without it.
    const request = verdict.secondFactorRequired === true ? { ...spoken, secondFactorRequired: true } : spoken;
    const place = await this.places.of({
      request,
      client,
      session: 'session' in verdict ? verdict.session : undefined,
    });
    return new Visit({
      http,
      cookieValue,
      isRepeated,
      browser,
      request,
      sent,
      carry: () => ({
        csrf: this.csrf.tokenFor(browser.id, request.id),
        authRequestId: this.requests.seal(request),
      }),
      seal: (whole) => this.requests.seal(whole),
      client,
      now,
      verdict,
      orgId: place.orgId,
      setting: await this.settings.forReader(http, { uiLocales: request.uiLocales, ...place }),
      address: addressOf(http),
      providerName: providerName ?? sent?.typed[PROVIDER_NAME],
    });
  }
}
