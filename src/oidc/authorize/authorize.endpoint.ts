import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { UserGrantService } from '../../project/user-grant/user-grant.service.js';
import { type AuthRequest, isCodeFlow, type NewAuthRequest } from '../../session/auth-request/auth-request.js';
import { AuthRequestService } from '../../session/auth-request/auth-request.service.js';
import { Handover, type OpenedRequest } from '../../session/auth-request/handover.js';
import { isSignedOut, type Verdict } from '../../session/auth-request/next-step.js';
import { type Lacking, RequestDemands } from '../../session/auth-request/request-demands.js';
import { SignInDecision } from '../../session/auth-request/sign-in-decision.js';
import { BrowserCookie } from '../../session/browser-cookie.js';
import { BrowserEntry } from '../../session/browser-entry.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { type OAuthError, refusal } from '../oidc.errors.js';
import { AuthorizeResponse, type ResponseParameters } from './authorize-response.js';
import { ImplicitAnswerer } from './implicit-answerer.js';
import type { Delivery, ReturnAddress } from './return-address.js';

/** Refusals for settings that became stricter during the sign-in; they are those of a request that arrives now. */
const REFUSED_SINCE: Readonly<Record<Lacking, () => OAuthError>> = {
  push: refusal.requestNotPushed,
  signature: refusal.requestUnsigned,
  challenge: refusal.challengeMissing,
  'response-type': refusal.responseTypeNotAllowed,
};

/** OIDC Core §3.1.2: a checked request is answered at once, refused, or handed to the login pages. */
@Injectable()
export class AuthorizeEndpoint {
  constructor(
    private readonly entry: BrowserEntry,
    private readonly cookie: BrowserCookie,
    private readonly requests: AuthRequestService,
    private readonly decision: SignInDecision,
    private readonly demands: RequestDemands,
    private readonly userGrants: UserGrantService,
    private readonly implicit: ImplicitAnswerer,
    private readonly answer: AuthorizeResponse,
    private readonly handover: Handover,
    private readonly clock: Clock,
  ) {}

  /** @throws OAuthError when the request must be refused */
  async authorize(
    http: ExpressRequest,
    response: ExpressResponse,
    wanted: NewAuthRequest,
    address: ReturnAddress,
  ): Promise<void> {
    const now = this.clock.now();
    const { browser, cookieValue, isNew } = await this.entry.enter(http.headers.cookie);
    const request = this.requests.begin(wanted, browser.id, now);
    const { client } = address;
    const verdict = await this.decision.of({ request, client, http, sessions: browser.sessions, now });
    if (verdict.kind === 'ready') {
      const { session } = verdict;
      await this.checkRole(session, client);
      // Tokens that are issued here leave no row, unless the request was pushed: its row says that it is answered.
      const parameters = isCodeFlow(request)
        ? { code: await this.requests.answer(request, session, { isForm: false }) }
        : await this.answerImplicitly(request, client, session);
      await this.answer.succeed(http, response, deliveryOf(request), parameters);
      return;
    }
    if (verdict.kind === 'not-admitted' || verdict.kind === 'acr-unmet' || wanted.prompts.includes('none'))
      throw refusalOf(verdict);
    if (this.requests.isTooLong(request)) throw refusal.requestTooLong();
    if (isNew) response.setHeader('Set-Cookie', this.cookie.toSetCookie(cookieValue));
    await this.handover.pages.begin(http, response, { request, browser, cookieValue });
  }

  /**
   * The login pages have finished. The outcome is checked again here, from the facts alone, and the request against
   * what its client must send today.
   * @throws OAuthError login_required when another user than the hinted one signed in
   */
  async finish(
    http: ExpressRequest,
    response: ExpressResponse,
    { request, client, browser }: OpenedRequest & { readonly client: Client },
  ): Promise<void> {
    const lacking = this.demands.lacking(client, request);
    if (lacking !== undefined) throw REFUSED_SINCE[lacking]();
    const now = this.clock.now();
    const verdict = await this.decision.of({ request, client, http, sessions: browser.sessions, now });
    if (verdict.kind === 'step') {
      const cookieValue = this.cookie.read(http.headers.cookie) ?? '';
      await this.handover.pages.begin(http, response, { request, browser, cookieValue });
      return;
    }
    if (verdict.kind !== 'ready') throw refusalOf(verdict);
    await this.checkRole(verdict.session, client);
    const code = await this.requests.answer(request, verdict.session, { isForm: http.method === 'POST' });
    const parameters = code === undefined ? await this.tokensFor(request, client, verdict.session) : { code };
    await this.answer.succeed(http, response, deliveryOf(request), parameters);
  }

  /** A project may admit only users who have one of its roles. */
  private async checkRole(session: BrowserSession, client: Client): Promise<void> {
    if (!client.project.projectRoleCheck) return;
    if (!(await this.userGrants.holdsRole(session.userId, client.project.id)))
      throw refusal.userNotAdmitted(session.userId);
  }

  private async answerImplicitly(
    request: AuthRequest,
    client: Client,
    session: BrowserSession,
  ): Promise<ResponseParameters> {
    if (request.pushedId !== undefined) await this.requests.answer(request, session, { isForm: false });
    return this.tokensFor(request, client, session);
  }

  /** OIDC Core §3.2. */
  private async tokensFor(request: AuthRequest, client: Client, session: BrowserSession): Promise<ResponseParameters> {
    return this.implicit.answer(request, client, session, session.amrAt(this.clock.now(), request.createdAt));
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

/**
 * The error for a request that cannot be answered (OIDC Core §3.1.2.6). For a user whom the project does not admit,
 * because of a missing role or another organization, it is access_denied (RFC 6749 §4.1.2.1): a page of ours would not
 * help, and the client may try again with `prompt=select_account`.
 */
function refusalOf(verdict: Verdict): OAuthError {
  if (verdict.kind === 'not-admitted')
    return refusal.userNotAdmitted(verdict.session.userId, verdict.by === undefined ? undefined : 'refused_by_step');
  if (verdict.kind === 'acr-unmet') return refusal.acrUnmet();
  if (verdict.kind !== 'step') return refusal.loginRequired();
  if (verdict.step === 'consent') return refusal.consentRequired();
  return isSignedOut(verdict.step) ? refusal.loginRequired() : refusal.interactionRequired();
}
