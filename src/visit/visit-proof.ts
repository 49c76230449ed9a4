import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { IssuerConfig } from '../foundation/config/config.js';
import { Clock } from '../foundation/time/clock.js';
import { secondsAfter } from '../foundation/time/duration.js';
import { frontOf, paths, type ServicePath } from '../org/instance/paths.js';
import type { AccountDone } from '../page/account/account-layout.js';
import type { ErrorProps } from '../page/error.page.js';
import { PageRenderer } from '../page/page-renderer.js';
import { PageSettings } from '../page/page-settings.js';
import { SERVICE_PAGES, SERVICE_PAGES_ID } from '../project/client/service-pages.js';
import type { AuthRequest, NewAuthRequest } from '../session/auth-request/auth-request.js';
import { withUser, withWantedKey } from '../session/auth-request/auth-request.js';
import { AuthRequestService } from '../session/auth-request/auth-request.service.js';
import {
  type ApplicationAnswers,
  Handover,
  type OpenedRequest,
  type RequestOfClient,
} from '../session/auth-request/handover.js';
import type { Verdict } from '../session/auth-request/next-step.js';
import { PROOF_SECONDS } from '../session/auth-request/proof-age.js';
import { SignInDecision } from '../session/auth-request/sign-in-decision.js';
import { BrowserCookie } from '../session/browser-cookie.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { KnownBrowser } from '../session/browser-sessions.js';
import type { AskableFactor } from '../session/session-factor.js';
import { ChosenSession } from './chosen-session.js';

const FOUND = 302;
const SEE_OTHER = 303;
const REFUSED = 403;

/** The place to which the user returns. */
export interface Return {
  readonly path: ServicePath;
  /** The typed values, sealed (`Drafts`). */
  readonly draft?: string | undefined;
}

interface ProofWanted extends Return {
  /** The user who must prove it; undefined for anyone who may sign in. */
  readonly session?: BrowserSession | undefined;
  readonly factorWanted?: AskableFactor | undefined;
  readonly keyWanted?: 'passkey' | 'u2f' | undefined;
  readonly idpWanted?: string | undefined;
  readonly selectsAccount?: boolean;
}

/**
 * Leads users through the sign-in pages and back to where they were: to sign in, to prove again who they are, or to set
 * up a second factor. The same decision as for applications says what is missing (`SignInDecision`).
 */
@Injectable()
export class VisitProof implements ApplicationAnswers, OnModuleInit {
  constructor(
    private readonly requests: AuthRequestService,
    private readonly decision: SignInDecision,
    private readonly handover: Handover,
    private readonly cookie: BrowserCookie,
    private readonly chosenSession: ChosenSession,
    private readonly renderer: PageRenderer,
    private readonly settings: PageSettings,
    private readonly issuer: IssuerConfig,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.handover.registerOwnPages(SERVICE_PAGES_ID, this);
  }

  /** The session of this browser that the pages are about; undefined if the user has to sign in or to choose first. */
  async findSession(
    http: ExpressRequest,
    browser: KnownBrowser,
    sessionId: string | undefined,
  ): Promise<BrowserSession | undefined> {
    const chosen = browser.sessions.find(({ id }) => id === sessionId);
    const request = this.toRequest(browser, { path: paths.account, session: chosen }, false);
    const verdict = await this.decide(http, request, browser);
    return verdict.kind === 'ready' ? verdict.session : undefined;
  }

  /** Whether the user has proved every factor that they hold, within the last minutes. */
  async isProved(http: ExpressRequest, browser: KnownBrowser, session: BrowserSession): Promise<boolean> {
    const request = this.toRequest(browser, { path: paths.account, session }, true);
    const verdict = await this.decide(http, request, browser);
    return verdict.kind === 'ready';
  }

  /** Like `isProved`, but without the first factor, which a form is about to prove by the current password. */
  async isProvedBesidesPassword(
    http: ExpressRequest,
    browser: KnownBrowser,
    session: BrowserSession,
  ): Promise<boolean> {
    if (!session.hasPassword) return this.isProved(http, browser, session);
    if (!session.factor.isHeld) return true;
    const now = this.clock.now();
    const since = secondsAfter(now, -PROOF_SECONDS);
    const passkeyAt = session.hasFreshPasskey(now) ? session.passkeyCheckedAt : undefined;
    return [session.factor.checkedAt, passkeyAt].some((at) => at !== undefined && at >= since);
  }

  /** Sends the user to the sign-in pages, with the session or without. */
  async signIn(
    http: ExpressRequest,
    response: ExpressResponse,
    { browser, cookieValue }: { readonly browser: KnownBrowser; readonly cookieValue: string },
    wanted: ProofWanted,
    isProof: boolean,
  ): Promise<void> {
    await this.handover.pages.begin(http, response, {
      request: this.toRequest(browser, wanted, isProof),
      browser,
      cookieValue,
    });
  }

  async finish(
    http: ExpressRequest,
    response: ExpressResponse,
    { request, browser }: OpenedRequest & RequestOfClient,
  ): Promise<void> {
    const verdict = await this.decide(http, request, browser);
    switch (verdict.kind) {
      case 'ready':
        this.keepChoice(response, browser, verdict.session);
        return redirect(http, response, toReturn(request, verdict.session));
      case 'step': {
        const cookieValue = this.cookie.read(http.headers.cookie) ?? '';
        return this.handover.pages.begin(http, response, { request, browser, cookieValue });
      }
      case 'acr-unmet':
        return this.refuse(http, response, {
          reason: 'secondFactorUnavailable',
          backHref: frontOf(request.redirectUri),
        });
      case 'not-admitted': // by a step of an extension: the pages are those of no project
        return this.refuse(http, response, { reason: 'accountUnavailable' });
      // Another user has signed in than the one who was to prove something.
      case 'wrong-user':
        addCookie(response, this.chosenSession.toRemoval());
        return redirect(http, response, frontOf(request.redirectUri));
    }
  }

  private async refuse(
    http: ExpressRequest,
    response: ExpressResponse,
    why: Pick<ErrorProps, 'reason' | 'backHref'>,
  ): Promise<void> {
    const setting = await this.settings.forReader(http);
    this.renderer.send(response, { page: 'error', ...why }, { ...setting, status: REFUSED });
  }

  /** The answer needs what only `finish` decides. */
  takesCodeAtOnce(): boolean {
    return false;
  }

  async sendCode(http: ExpressRequest, response: ExpressResponse, request: AuthRequest): Promise<void> {
    redirect(http, response, toReturn(request));
  }

  async decline(http: ExpressRequest, response: ExpressResponse, { request }: RequestOfClient): Promise<void> {
    redirect(http, response, frontOf(request.redirectUri));
  }

  private async decide(http: ExpressRequest, request: AuthRequest, { sessions }: KnownBrowser): Promise<Verdict> {
    return this.decision.of({ request, client: SERVICE_PAGES, http, sessions, now: this.clock.now() });
  }

  /** Remembers the chosen session, unless there is only one. */
  private keepChoice(response: ExpressResponse, browser: KnownBrowser, session: BrowserSession): void {
    if (browser.sessions.length > 1) addCookie(response, this.chosenSession.toSetCookie(session.id));
  }

  private toRequest(
    browser: KnownBrowser,
    { path, draft, session, factorWanted, idpWanted, keyWanted, selectsAccount = false }: ProofWanted,
    isProof: boolean,
  ): AuthRequest {
    const wanted: NewAuthRequest = {
      clientId: SERVICE_PAGES_ID,
      redirectUri: `${this.issuer.publicUrl}${path}`,
      responseType: 'none',
      responseMode: 'query',
      scopes: ['openid'],
      state: draft,
      nonce: undefined,
      codeChallenge: undefined,
      prompts: selectsAccount ? ['select_account'] : [],
      maxAgeSeconds: isProof ? PROOF_SECONDS : undefined,
      loginHint: undefined,
      uiLocales: [],
      acrValues: [],
      secondFactorRequired: isProof && session?.factor.isHeld === true,
      claims: undefined,
      requiredOrgId: undefined,
      requiredUserId: session?.userId,
      factorWanted,
      addsKey: keyWanted !== undefined,
      idpWanted,
    };
    const request = withWantedKey(this.requests.begin(wanted, browser.id, this.clock.now()), keyWanted);
    return session ? withUser(request, session.userId, session.loginName) : request;
  }
}

/** The path was sealed by us, so that no other site can be named (ACC-014). */
function toReturn(
  request: Pick<AuthRequest, 'redirectUri' | 'state' | 'factorWanted' | 'changed'>,
  session?: BrowserSession,
): ServicePath {
  const { pathname, searchParams } = new URL(request.redirectUri);
  if (request.state !== undefined) searchParams.set('draft', request.state);
  const done = doneOn(request, session);
  if (done !== undefined) searchParams.set('done', done);
  return `${pathname}${searchParams.size === 0 ? '' : `?${searchParams}`}` as ServicePath;
}

const CHANGES = { password: 'password', key: 'keyAdded', link: 'linkAdded' } as const satisfies Record<
  NonNullable<AuthRequest['changed']>,
  AccountDone
>;

/** The change that the user made on the way. A user who turned back made none, and returns by the same path. */
function doneOn(
  { factorWanted, changed }: Pick<AuthRequest, 'factorWanted' | 'changed'>,
  session: BrowserSession | undefined,
): AccountDone | undefined {
  if (factorWanted !== undefined && session?.factor.usable(true).includes(factorWanted)) return 'factorAdded';
  return changed && CHANGES[changed];
}

/** 303 after a POST, so that no browser repeats the form (RFC 9110 §15.4.4). */
export function redirect(http: ExpressRequest, response: ExpressResponse, to: ServicePath): void {
  response.status(http.method === 'POST' ? SEE_OTHER : FOUND).setHeader('Location', to);
  response.end();
}

/** Besides one that the answer has already. */
export function addCookie(response: ExpressResponse, line: string): void {
  const set = response.getHeader('Set-Cookie');
  const lines = set === undefined ? [] : Array.isArray(set) ? set : [String(set)];
  response.setHeader('Set-Cookie', [...lines, line]);
}
