import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import type { Form } from '../foundation/http/form.js';
import { addressOf } from '../foundation/http/request.js';
import { Clock } from '../foundation/time/clock.js';
import type { ServicePath } from '../org/instance/paths.js';
import { PolicyService } from '../org/policy/policy.service.js';
import { PageSettings } from '../page/page-settings.js';
import { BrowserCookie } from '../session/browser-cookie.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { KnownBrowser } from '../session/browser-sessions.js';
import { CsrfTokens, formOf } from '../session/csrf-token.js';
import { SessionService } from '../session/session.service.js';
import { ChosenSession } from './chosen-session.js';
import { SignedInVisit } from './signed-in-visit.js';
import { formMalformed, formNotOurs } from './visit.errors.js';
import { addCookie, VisitProof } from './visit-proof.js';

/** Admits users to pages of this service, by the session of this browser alone. */
@Injectable()
export class SignedInVisits {
  constructor(
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly chosenSession: ChosenSession,
    private readonly csrf: CsrfTokens,
    private readonly proof: VisitProof,
    private readonly settings: PageSettings,
    private readonly policies: PolicyService,
    private readonly clock: Clock,
  ) {}

  /** Undefined if the user is not signed in: the sign-in pages have answered, and lead back here. */
  async open(http: ExpressRequest, response: ExpressResponse, path: ServicePath): Promise<SignedInVisit | undefined> {
    const known = await this.browserOf(http);
    const session = await this.proof.findSession(http, known.browser, this.chosenSession.read(http.headers.cookie));
    if (session) return this.visit(http, known, session);
    if (known.isNew) addCookie(response, this.cookie.toSetCookie(known.cookieValue));
    await this.proof.signIn(http, response, known, { path }, false);
    return undefined;
  }

  /** The browser as it is now, after something has changed. */
  async reread({ browser, cookieValue }: SignedInVisit): Promise<{ browser: KnownBrowser; cookieValue: string }> {
    return { browser: (await this.sessions.findBrowser(cookieValue)) ?? browser, cookieValue };
  }

  /** The user chooses another account of this browser, or signs in to one. */
  async switch(http: ExpressRequest, response: ExpressResponse, path: ServicePath): Promise<void> {
    const known = await this.browserOf(http);
    if (known.isNew) addCookie(response, this.cookie.toSetCookie(known.cookieValue));
    await this.proof.signIn(http, response, known, { path, selectsAccount: true }, false);
  }

  /**
   * Like `open`, for a form, which must have the token of this browser, this page and this user (ACC-001).
   * @throws DomainError `visit.form_malformed`, `visit.form_not_ours`
   */
  async openFor(http: ExpressRequest, form: Form, path: ServicePath): Promise<SignedInVisit> {
    if (form.isTooLong || form.problems.size > 0) throw formMalformed();
    const known = await this.browserOf(http);
    const session = await this.proof.findSession(http, known.browser, this.chosenSession.read(http.headers.cookie));
    const sent = { token: form.find('csrf'), headers: http.headers };
    if (!session || !this.csrf.isValid(sent, known.browser.id, formOf(path, session.userId))) throw formNotOurs();
    return this.visit(http, known, session);
  }

  private async browserOf(
    http: ExpressRequest,
  ): Promise<{ browser: KnownBrowser; cookieValue: string; isNew: boolean }> {
    const cookieValue = this.cookie.read(http.headers.cookie);
    const browser = await this.sessions.findBrowser(cookieValue);
    if (browser && cookieValue !== undefined) return { browser, cookieValue, isNew: false };
    const added = this.sessions.newBrowser();
    return { browser: { id: added.browserId, sessions: [] }, cookieValue: added.cookieValue, isNew: true };
  }

  private async visit(
    http: ExpressRequest,
    { browser, cookieValue }: { readonly browser: KnownBrowser; readonly cookieValue: string },
    session: BrowserSession,
  ): Promise<SignedInVisit> {
    const { preferredLanguage, orgId } = session;
    return new SignedInVisit({
      http,
      browser,
      cookieValue,
      session,
      setting: await this.settings.forReader(http, {
        uiLocales: preferredLanguage === '' ? [] : [preferredLanguage],
        orgId,
      }),
      selfService: await this.policies.effective('selfService', orgId),
      address: addressOf(http),
      now: this.clock.now(),
      csrfFor: (path) => this.csrf.tokenFor(browser.id, formOf(path, session.userId)),
    });
  }
}
