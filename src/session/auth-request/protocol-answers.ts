import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { DomainError } from '../../foundation/error/domain-error.js';
import { PartCalls, PartFailed } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import type { JsonObject } from '../../foundation/outbound/outbound-client.js';
import { Clock } from '../../foundation/time/clock.js';
import type { Client } from '../../project/client/client.js';
import { BrowserCookie } from '../browser-cookie.js';
import { BrowserEntry } from '../browser-entry.js';
import { requestTooLong } from './auth-request.errors.js';
import type { AuthRequest, NewAuthRequest } from './auth-request.js';
import { AuthRequestService } from './auth-request.service.js';
import { PROTOCOL, type ProtocolTurn, type SignInProtocol, type SignInRefusal } from './ext-protocol.js';
import { type ApplicationAnswers, Handover, type OpenedRequest, type RequestOfClient } from './handover.js';
import { isSignedOut, type Verdict } from './next-step.js';
import { SignInDecision } from './sign-in-decision.js';
import { SignedInUsers } from './signed-in.js';

const LIMIT_MS = 10_000;

/** What an extension asks of a sign-in. */
export type ProtocolWish = Pick<
  NewAuthRequest,
  'prompts' | 'maxAgeSeconds' | 'loginHint' | 'uiLocales' | 'secondFactorRequired'
> & {
  /** `{extension}/{name}` of the protocol that answers. */
  readonly by: string;
  readonly state: JsonObject;
  /** Where the answer goes: pages say so, and their forms may lead there. */
  readonly returnUri: string;
};

/** Answers applications that speak a protocol of an extension, by the same decision as all others. */
@Injectable()
export class ProtocolAnswers implements ApplicationAnswers, OnModuleInit {
  constructor(
    @Inject(PROTOCOL.token) private readonly protocols: ReadonlyArray<Filled<SignInProtocol>>,
    private readonly calls: PartCalls,
    private readonly entry: BrowserEntry,
    private readonly cookie: BrowserCookie,
    private readonly requests: AuthRequestService,
    private readonly decision: SignInDecision,
    private readonly users: SignedInUsers,
    private readonly handover: Handover,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.handover.registerProtocols(this);
  }

  /** @throws Error for a protocol that the extension does not fill PROTOCOL with */
  checkKnown(by: string): void {
    this.protocolOf(by);
  }

  /**
   * Answers at once where nothing is missing, or nothing that a page may change; otherwise shows the pages.
   * @throws DomainError InvalidArgument `auth_request.too_long`
   */
  async begin(
    http: ExpressRequest,
    response: ExpressResponse,
    client: Client,
    { by, state, returnUri, ...wish }: ProtocolWish,
  ): Promise<void> {
    const { browser, cookieValue, isNew } = await this.entry.enter(http.headers.cookie);
    const wanted: NewAuthRequest = {
      ...wish,
      clientId: client.id,
      redirectUri: returnUri,
      responseType: 'none',
      responseMode: 'query',
      scopes: [],
      state: undefined,
      nonce: undefined,
      codeChallenge: undefined,
      acrValues: [],
      claims: undefined,
      requiredOrgId: undefined,
      requiredUserId: undefined,
      protocol: { by, state },
    };
    const request = this.requests.begin(wanted, browser.id, this.clock.now());
    const verdict = await this.decide(http, { request, client, browser });
    if (isPageDue(verdict, request)) {
      if (this.requests.isTooLong(request)) throw requestTooLong();
      if (isNew) response.setHeader('Set-Cookie', this.cookie.toSetCookie(cookieValue));
      await this.handover.pages.begin(http, response, { request, browser, cookieValue });
    } else await this.tell(http, response, { request, client }, verdict);
  }

  async finish(
    http: ExpressRequest,
    response: ExpressResponse,
    opened: OpenedRequest & RequestOfClient,
  ): Promise<void> {
    const verdict = await this.decide(http, opened);
    if (verdict.kind !== 'step') return this.tell(http, response, opened, verdict);
    const cookieValue = this.cookie.read(http.headers.cookie) ?? '';
    await this.handover.pages.begin(http, response, { ...opened, cookieValue });
  }

  /** There is no code. */
  takesCodeAtOnce(): boolean {
    return false;
  }

  /** @throws Error always: `takesCodeAtOnce` says so */
  async sendCode(): Promise<void> {
    throw new Error('A protocol of an extension has no code.');
  }

  async decline(http: ExpressRequest, response: ExpressResponse, refused: RequestOfClient): Promise<void> {
    await this.answer(http, response, refused, { kind: 'refused', reason: 'declined' });
  }

  private decide(
    http: ExpressRequest,
    { request, client, browser }: OpenedRequest & RequestOfClient,
  ): Promise<Verdict> {
    return this.decision.of({ request, client, http, sessions: browser.sessions, now: this.clock.now() });
  }

  private async tell(
    http: ExpressRequest,
    response: ExpressResponse,
    asked: RequestOfClient,
    verdict: Verdict,
  ): Promise<void> {
    await this.answer(http, response, asked, await this.outcomeOf(asked, verdict));
  }

  private async outcomeOf({ request, client }: RequestOfClient, verdict: Verdict): Promise<ProtocolTurn['outcome']> {
    if (verdict.kind !== 'ready') return { kind: 'refused', reason: refusalOf(verdict) };
    const { project } = client;
    const signedIn = await this.users.of(verdict.session, request, project.id, this.clock.now());
    if (!signedIn) return { kind: 'refused', reason: 'login-required' };
    // A project may admit only users who have one of its roles.
    if (project.projectRoleCheck && signedIn.roles.length === 0) return { kind: 'refused', reason: 'not-admitted' };
    return { kind: 'signed-in', signedIn };
  }

  /** @throws DomainError Unavailable `extension.protocol_unavailable` if the extension fails before it has answered */
  private async answer(
    http: ExpressRequest,
    response: ExpressResponse,
    { request, client }: RequestOfClient,
    outcome: ProtocolTurn['outcome'],
  ): Promise<void> {
    const { by, state } = request.protocol!;
    const of = this.protocolOf(by);
    const { id, name, project } = client;
    const turn = { application: { id, name, projectId: project.id, orgId: project.orgId }, state, outcome };
    try {
      await this.calls.call({ seam: PROTOCOL, of, limitMs: LIMIT_MS }, async (part, signal) => {
        await part.answer(turn, http, response, signal);
        if (!response.headersSent) throw new Error('It has answered nothing.');
      });
    } catch (error) {
      if (!(error instanceof PartFailed)) throw error;
      throw protocolUnavailable(error);
    }
  }

  private protocolOf(by: string): Filled<SignInProtocol> {
    const found = this.protocols.find(({ extension, part }) => `${extension}/${part.name}` === by);
    if (!found) throw protocolUnavailable(new Error(`No extension that is loaded fills PROTOCOL with ${by}.`));
    return found;
  }
}

/** Whether the user has something to do that the application allows a page for. */
function isPageDue(verdict: Verdict, { prompts }: AuthRequest): boolean {
  return verdict.kind === 'step' && !prompts.includes('none');
}

function refusalOf(verdict: Exclude<Verdict, { kind: 'ready' }>): SignInRefusal {
  if (verdict.kind === 'not-admitted' || verdict.kind === 'acr-unmet') return verdict.kind;
  if (verdict.kind === 'wrong-user') return 'login-required';
  if (verdict.step === 'consent') return 'consent-required';
  return isSignedOut(verdict.step) ? 'login-required' : 'interaction-required';
}

function protocolUnavailable(cause: Error): DomainError {
  return new DomainError(
    'Unavailable',
    'extension.protocol_unavailable',
    'The application cannot be answered at the moment. Try again later.',
    { cause },
  );
}
