import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Open } from '../../foundation/http/access.js';
import type { Form } from '../../foundation/http/form.js';
import { readForm, readQuery } from '../../foundation/http/request.js';
import { paths } from '../../org/instance/paths.js';
import { PageRenderer } from '../../page/page-renderer.js';
import { PageSettings } from '../../page/page-settings.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import type { KnownBrowser } from '../../session/browser-sessions.js';
import { CsrfTokens, type SentForm } from '../../session/csrf-token.js';
import { SessionService } from '../../session/session.service.js';
import { AuthorizeErrorFilter } from '../authorize/authorize-error.filter.js';
import { redirect } from '../authorize/authorize-response.js';
import { PageRefusal } from '../authorize/page-refusal.js';
import { EndSessionEndpoint, type SignOutDecision, type SignOutRequest } from './end-session.endpoint.js';

/** RP-Initiated Logout §2: what an application sends, and no page of ours. */
const OF_APPLICATION = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const;
/** The parameters that the confirmation page must return. */
const KEPT = [...OF_APPLICATION, 'ui_locales'] as const;
const ABOUT = 'sign-out';
/** Set by the page itself to show the question in another language; not an answer. */
const ASK_AGAIN = 'ask';

@Controller()
@Open()
@UseFilters(AuthorizeErrorFilter)
export class EndSessionController {
  constructor(
    private readonly endpoint: EndSessionEndpoint,
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly csrf: CsrfTokens,
    private readonly pages: PageRenderer,
    private readonly settings: PageSettings,
  ) {}

  @Get('oidc/v1/end_session')
  async get(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.signOut(readQuery(request), request, response);
  }

  /** From an application, or from our confirmation page. */
  @Post('oidc/v1/end_session')
  async post(@Req() request: ExpressRequest, @Res() response: ExpressResponse): Promise<void> {
    await this.signOut(await readForm(request), request, response);
  }

  private async signOut(form: Form, request: ExpressRequest, response: ExpressResponse): Promise<void> {
    const browser = await this.sessions.findBrowser(this.cookie.read(request.headers.cookie));
    const wanted = await this.read(form, browser);
    const confirmed = request.method === 'POST' && form.hasField('csrf');
    if (confirmed) this.checkToken({ token: form.find('csrf'), headers: request.headers }, browser);
    if (confirmed && form.find('decision') !== 'sign-out') {
      redirect(request, response, paths.hub);
      return;
    }
    const decision = this.endpoint.decide(wanted, browser, {
      confirmed,
      fromOurPage: isSameOrigin(request) && ![ASK_AGAIN, ...OF_APPLICATION].some((name) => form.isGiven(name)),
    });
    if (decision.kind === 'ask') {
      await this.ask(form, request, response, { wanted, browser, decision });
      return;
    }
    await this.endpoint.end(decision.sessionIds);
    redirect(request, response, wanted.returnTo ?? paths.signedOut);
  }

  /** A refused user must learn whether they are still signed in. */
  private async read(form: Form, browser: KnownBrowser | undefined): Promise<SignOutRequest> {
    try {
      return await this.endpoint.read(form);
    } catch (error) {
      const isSignedIn = browser !== undefined && browser.sessions.length > 0;
      throw error instanceof PageRefusal ? new PageRefusal(error.page, error.received, isSignedIn) : error;
    }
  }

  private checkToken(sent: SentForm, browser: KnownBrowser | undefined): void {
    if (!browser || !this.csrf.isValid(sent, browser.id, ABOUT)) throw new PageRefusal('forbidden', undefined);
  }

  private async ask(
    form: Form,
    request: ExpressRequest,
    response: ExpressResponse,
    asked: { wanted: SignOutRequest; browser: KnownBrowser | undefined; decision: SignOutDecision & { kind: 'ask' } },
  ): Promise<void> {
    const kept = KEPT.map((name) => [name, form.find(name)] as const).filter(
      (entry): entry is [(typeof KEPT)[number], string] => entry[1] !== undefined,
    );
    const setting = await this.settings.forReader(request, { uiLocales: form.words('ui_locales') });
    const { languageSwitch } = setting;
    this.pages.send(
      response,
      {
        page: 'signOut',
        form: {
          action: paths.endSession,
          csrf: this.csrf.tokenFor(asked.browser?.id ?? '', ABOUT),
          fields: Object.fromEntries(kept),
        },
        people: asked.decision.people,
        clientName: asked.wanted.client?.name,
      },
      {
        ...setting,
        formTarget: asked.wanted.returnTo,
        languageSwitch: languageSwitch && { ...languageSwitch, fields: { ...languageSwitch.fields, [ASK_AGAIN]: '1' } },
      },
    );
  }
}

/**
 * Fetch Metadata. A missing header proves nothing, and `none` can be a typed address or a link outside of the browser.
 */
function isSameOrigin(request: ExpressRequest): boolean {
  return request.headers['sec-fetch-site'] === 'same-origin';
}
