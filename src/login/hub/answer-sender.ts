import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { paths } from '../../org/instance/paths.js';
import { Handover } from '../../session/auth-request/handover.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { LoginPages } from '../login-pages.js';
import { ParkedVisits } from '../parked-visits.js';
import { showsSuccess, toCallback } from '../way-out.js';
import type { Answer } from './login.hub.js';

const FOUND = 302;
const SEE_OTHER = 303;

/** Sends what the hub has decided, or a step with a route of its own. */
@Injectable()
export class AnswerSender {
  constructor(
    private readonly pages: LoginPages,
    private readonly parked: ParkedVisits,
    private readonly handover: Handover,
    private readonly cookie: BrowserCookie,
  ) {}

  async send(http: ExpressRequest, response: ExpressResponse, answer: Answer): Promise<void> {
    const { visit, cookieValue, setCookie } = answer;
    const cookies = [cookieValue === undefined ? undefined : this.cookie.toSetCookie(cookieValue), setCookie];
    const set = cookies.filter((cookie) => cookie !== undefined);
    if (set.length > 0) response.setHeader('Set-Cookie', set);
    switch (answer.kind) {
      case 'page':
        if (answer.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(answer.retryAfterSeconds));
        return this.pages.sendWithin(visit, response, answer.page, answer.status);
      case 'see-other':
        response.status(SEE_OTHER).setHeader('Location', `${paths.hub}?authRequestID=${answer.reference}`);
        response.end();
        return;
      case 'leaving':
        return this.leave(http, response, answer);
      case 'declined':
        return this.handover.answersTo(visit.request).decline(http, response, visit);
      case 'answered':
        return this.handover.answersTo(visit.request).sendCode(http, response, visit.request, answer.code);
      case 'finished':
        if (showsSuccess(visit)) return this.sendSuccess(response, answer);
        return this.handover.answersTo(visit.request).finish(http, response, visit);
    }
  }

  /**
   * Leads the browser on. After a form, browsers follow no redirect to a site that the page did not list (CSP Level 3,
   * form-action): a page that continues by itself takes its place.
   */
  private async leave(
    http: ExpressRequest,
    response: ExpressResponse,
    { visit, to, provider }: Answer & { kind: 'leaving' },
  ): Promise<void> {
    if (typeof to !== 'string') return this.pages.sendForm(http, response, to);
    if (http.method === 'GET') {
      response.status(FOUND).setHeader('Location', to);
      response.end();
      return;
    }
    const loginName = visit.request.loginName ?? visit.session?.loginName;
    await this.pages.sendWithin(
      visit,
      response,
      { page: 'onward', provider, href: to, loginName, otherAccountHref: paths.loginName },
      200,
    );
  }

  /** The page opens the application by itself, and stays open. */
  private async sendSuccess(response: ExpressResponse, { visit }: Answer): Promise<void> {
    await this.parked.of(visit);
    const page = { page: 'success', clientName: visit.clientName, continueHref: toCallback(visit) } as const;
    await this.pages.sendWithin(visit, response, page, 200);
  }
}
