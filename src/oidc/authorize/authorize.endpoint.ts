import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { type AuthRequest, isCodeFlow, type NewAuthRequest } from '../../auth-request/auth-request.js';
import { AuthRequestService } from '../../auth-request/auth-request.service.js';
import { nextStep, type PendingRequest, type Verdict } from '../../auth-request/next-step.js';
import type { Client } from '../../client/client.js';
import { paths } from '../../foundation/page/paths.js';
import { Clock } from '../../foundation/time/clock.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { KnownBrowser } from '../../session/browser-sessions.js';
import { SessionService } from '../../session/session.service.js';
import { UserGrantService } from '../../user-grant/user-grant.service.js';
import { type OAuthError, refusal } from '../oidc.errors.js';
import { AuthorizeResponse, type ResponseParameters, redirect } from './authorize-response.js';
import { ImplicitAnswerer } from './implicit-answerer.js';
import type { Delivery, ReturnAddress } from './return-address.js';

/** The destination of a browser whose request needs our pages. */
function hubOf(requestId: string): string {
  return `${paths.hub}?authRequestID=${encodeURIComponent(requestId)}`;
}

/** OIDC Core §3.1.2: a checked request is answered at once, refused, or handed to the login pages. */
@Injectable()
export class AuthorizeEndpoint {
  constructor(
    private readonly sessions: SessionService,
    private readonly cookie: BrowserCookie,
    private readonly requests: AuthRequestService,
    private readonly userGrants: UserGrantService,
    private readonly implicit: ImplicitAnswerer,
    private readonly answer: AuthorizeResponse,
    private readonly clock: Clock,
  ) {}

  /** @throws OAuthError when the request must be refused */
  async authorize(request: Request, response: Response, wanted: NewAuthRequest, address: ReturnAddress): Promise<void> {
    const now = this.clock.now();
    const browser = await this.sessions.findBrowser(this.cookie.read(request.headers.cookie));
    const pending = toPending(wanted, now);
    const verdict = nextStep({ request: pending, client: address.client, sessions: browser?.sessions ?? [], now });
    if (verdict.kind === 'ready' && browser) {
      await this.checkRole(verdict.session, address.client);
      const parameters = await this.answerAtOnce(wanted, address.client, browser, verdict.session, now);
      await this.answer.succeed(request, response, deliveryOf(wanted), parameters);
      return;
    }
    if (verdict.kind === 'not-admitted' || verdict.kind === 'acr-unmet' || wanted.prompts.includes('none'))
      throw refusalOf(verdict);
    redirect(request, response, hubOf(await this.store(response, wanted, browser, now)));
  }

  /**
   * The login pages have finished. The outcome is checked again here, from the facts alone.
   * @throws OAuthError login_required when another user than the hinted one signed in
   */
  async finish(
    request: Request,
    response: Response,
    stored: AuthRequest,
    client: Client,
    browser: KnownBrowser,
  ): Promise<void> {
    const verdict = nextStep({ request: stored, client, sessions: browser.sessions, now: this.clock.now() });
    if (verdict.kind === 'step') {
      redirect(request, response, hubOf(stored.id));
      return;
    }
    if (verdict.kind !== 'ready') throw refusalOf(verdict);
    await this.checkRole(verdict.session, client);
    const code = await this.requests.answer(stored, verdict.session);
    const parameters =
      code === undefined
        ? await this.implicit.answer(
            stored,
            client,
            verdict.session,
            verdict.session.amrAt(this.clock.now(), stored.createdAt),
          )
        : { code };
    await this.answer.succeed(request, response, deliveryOf(stored), parameters);
  }

  /** A project may admit only users who have one of its roles. */
  private async checkRole(session: BrowserSession, client: Client): Promise<void> {
    if (!client.project.projectRoleCheck) return;
    if (!(await this.userGrants.holdsRole(session.userId, client.project.id)))
      throw refusal.userNotAdmitted(session.userId);
  }

  private async answerAtOnce(
    wanted: NewAuthRequest,
    client: Client,
    browser: KnownBrowser,
    session: BrowserSession,
    now: Date,
  ): Promise<ResponseParameters> {
    if (!isCodeFlow(wanted)) return this.implicit.answer(wanted, client, session, session.amrAt(now));
    return { code: await this.requests.beginAnswered(wanted, browser.id, session, now) };
  }

  private async store(
    response: Response,
    wanted: NewAuthRequest,
    browser: KnownBrowser | undefined,
    now: Date,
  ): Promise<string> {
    if (browser) return this.requests.begin(wanted, browser.id, now);
    const added = this.sessions.newBrowser();
    const id = await this.requests.beginInNewBrowser(wanted, added, now);
    response.setHeader('Set-Cookie', this.cookie.toSetCookie(added.cookieValue));
    return id;
  }
}

export function deliveryOf(
  request: Pick<NewAuthRequest, 'clientId' | 'redirectUri' | 'responseMode' | 'state'>,
): Delivery {
  return {
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    mode: request.responseMode,
    state: request.state,
  };
}

function toPending(wanted: NewAuthRequest, now: Date): PendingRequest {
  return {
    ...wanted,
    createdAt: now,
    loginName: wanted.loginHint,
    userId: undefined,
    accountChosen: false,
    consentGiven: false,
    externalLoginId: undefined,
    externalProvedAt: undefined,
    registrationId: undefined,
    passwordExpiresAt: undefined,
    passwordChangeWanted: false,
  };
}

/**
 * The error for a request that cannot be answered (OIDC Core §3.1.2.6). For a user whom the project does not admit, because of
 * a missing role or another organization, it is access_denied (RFC 6749 §4.1.2.1): a page of ours would not help, and the
 * client may try again with `prompt=select_account`.
 */
function refusalOf(verdict: Verdict): OAuthError {
  if (verdict.kind === 'not-admitted') return refusal.userNotAdmitted(verdict.session.userId);
  if (verdict.kind === 'acr-unmet') return refusal.acrUnmet();
  if (verdict.kind !== 'step') return refusal.loginRequired();
  const isSignedOut = ['login-name', 'password', 'register', 'external-login'].includes(verdict.step);
  return isSignedOut ? refusal.loginRequired() : refusal.interactionRequired();
}
