import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../../foundation/config/config.js';
import { newId } from '../../foundation/crypto/id.js';
import { TokenSeal } from '../../foundation/crypto/token-seal.js';
import type { Purge } from '../../foundation/database/purge.js';
import type { Queryable } from '../../foundation/database/statement.js';
import type { DomainError } from '../../foundation/error/domain-error.js';
import { Clock } from '../../foundation/time/clock.js';
import { seconds, secondsAfter } from '../../foundation/time/duration.js';
import type { BrowserSession } from '../browser-session.js';
import {
  type BegunSession,
  REPEAT_SECONDS,
  type RefusedSignIn,
  type SentBrowser,
  SessionService,
} from '../session.service.js';
import type { PasskeyProof, PasswordProof } from '../sign-in-sql.js';
import { pushedRequestUsed, requestAnswered, requestExpired, requestNotFound } from './auth-request.errors.js';
import { type AuthRequest, beginRequest, isCodeFlow, type NewAuthRequest } from './auth-request.js';
import { type Answer, AuthRequestRepository } from './auth-request.repository.js';
import { isProvedFor } from './proof-age.js';
import { RequestSeal } from './request-seal.js';

/** How long a user may take on our pages. */
const REQUEST_LIFETIME_SECONDS = seconds.perHour;
/**
 * A second use of a code ends the tokens of the first: its access tokens are valid for hours, and later its id still
 * identifies the family.
 */
const KEEP_SECONDS = 2 * seconds.perDay;
/**
 * A parked request is kept a little longer than it is valid, so that a user who returns is told that it has expired.
 */
const KEEP_PARKED_SECONDS = seconds.perHour;

/** Pending authorizations, which travel sealed with the pages, and their codes. */
@Injectable()
export class AuthRequestService implements Purge {
  constructor(
    private readonly requests: AuthRequestRepository,
    private readonly requestSeal: RequestSeal,
    private readonly tokenSeal: TokenSeal,
    private readonly sessions: SessionService,
    private readonly config: TokenConfig,
    private readonly clock: Clock,
  ) {}

  /** A request that needs our pages. Nothing is stored. */
  begin(request: NewAuthRequest, browserId: string, createdAt: Date): AuthRequest {
    const expiresAt = secondsAfter(createdAt, REQUEST_LIFETIME_SECONDS);
    return beginRequest(request, { id: newId(), browserId, createdAt, expiresAt });
  }

  /** Whether the request is too long for the pages; it can still be answered at once. */
  isTooLong(request: AuthRequest): boolean {
    return this.requestSeal.isTooLong(request);
  }

  seal(request: AuthRequest): string {
    return this.requestSeal.seal(request);
  }

  /** Finds a request by what pages carry, or by the id of a parked one. The caller compares the browser. */
  async find(reference: string): Promise<AuthRequest | undefined> {
    const request = this.requestSeal.open(reference);
    if (request) return request;
    const parked = await this.requests.findParked(reference);
    return parked === undefined ? undefined : this.requestSeal.open(parked);
  }

  /** Stores the request as it is now, so that its id leads back to it for as long as it is valid. */
  async park(on: Queryable, request: AuthRequest): Promise<void> {
    await this.requests.park(on, request.id, this.seal(request), request.expiresAt);
  }

  /**
   * The request, if it can still be answered.
   * @throws DomainError NotFound `auth_request.not_found`; FailedPrecondition `auth_request.expired`
   */
  checkPending(request: AuthRequest | undefined): AuthRequest {
    if (!request) throw requestNotFound();
    if (request.expiresAt <= this.clock.now()) throw requestExpired();
    return request;
  }

  /**
   * Answers the request with this session, and returns the code; undefined for the implicit flow. A form that is sent
   * twice (`isForm`) gets the same code again for a moment, since the browser keeps only one of the two answers.
   * @throws DomainError FailedPrecondition `auth_request.answered`, `auth_request.pushed_used`
   */
  async answer(
    request: AuthRequest,
    session: BrowserSession,
    { isForm }: { isForm: boolean },
  ): Promise<string | undefined> {
    const now = this.clock.now();
    if (!(await this.requests.add(this.toAnswer(request, session, now)))) {
      if (!isForm) throw answeredBefore(request);
      await this.checkRepeated(request, session, now);
    }
    return isCodeFlow(request) ? this.codeOf(request) : undefined;
  }

  /**
   * Signs a user in and answers the request in one statement, if `session` is what the session will be, and nothing
   * else is missing. `code` is absent if anything else has changed meanwhile, or the request was answered before.
   */
  async signInAndAnswer(
    request: AuthRequest,
    session: BrowserSession,
    browser: SentBrowser,
    proof: (PasswordProof | PasskeyProof) & { readonly userSequence: string },
  ): Promise<(BegunSession & { readonly code?: string }) | RefusedSignIn> {
    const { userSequence } = proof;
    const at = session.firstFactorAt ?? this.clock.now();
    const answer = this.toAnswer(request, session, at);
    if (proof.kind === 'passkey') {
      const { values, cookieValue } = this.sessions.toPasskeySignIn(browser, { ...proof, at });
      const result = await this.requests.passkeySignInAndAdd(values, answer, userSequence);
      return this.answered(request, result, await this.sessions.conclude(result, browser, proof, cookieValue));
    }
    const { values, cookieValue } = this.sessions.toPasswordSignIn(browser, { ...proof, at });
    const result = await this.requests.signInAndAdd(values, answer, userSequence);
    return this.answered(request, result, await this.sessions.conclude(result, browser, proof, cookieValue));
  }

  /** The id of the request to which a code belongs; undefined if it is not one of our codes. */
  openCode(code: string): string | undefined {
    return this.tokenSeal.open('code', code)?.toString();
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    return this.requests.purge(on, secondsAfter(now, -KEEP_SECONDS), secondsAfter(now, -KEEP_PARKED_SECONDS));
  }

  private answered(
    request: AuthRequest,
    { isAnswered }: { readonly isAnswered: boolean },
    begun: BegunSession | RefusedSignIn,
  ): (BegunSession & { readonly code?: string }) | RefusedSignIn {
    return isAnswered ? { ...begun, code: this.codeOf(request) } : begun;
  }

  private codeOf({ id }: AuthRequest): string {
    return this.tokenSeal.seal('code', Buffer.from(id));
  }

  private async checkRepeated(request: AuthRequest, session: BrowserSession, now: Date): Promise<void> {
    const answer = await this.requests.findAnswer(request.id);
    const isRepeated =
      answer?.sessionId === session.id &&
      answer.redeemedAt === null &&
      answer.answeredAt > secondsAfter(now, -REPEAT_SECONDS);
    if (!isRepeated) throw answeredBefore(request);
  }

  private codeSecondsFor({ codeSeconds }: AuthRequest): number {
    return Math.min(this.config.codeSeconds, codeSeconds ?? Number.POSITIVE_INFINITY);
  }

  private toAnswer(request: AuthRequest, session: BrowserSession, now: Date): Answer {
    return {
      id: request.id,
      clientId: request.clientId,
      redirectUri: request.redirectUri,
      scopes: [...request.scopes],
      resources: [...(request.resources ?? [])],
      nonce: request.nonce ?? null,
      codeChallenge: request.codeChallenge ?? null,
      dpopJkt: request.dpopJkt ?? null,
      acrValues: [...request.acrValues],
      claims: request.claims ?? null,
      userId: session.userId,
      sessionId: session.id,
      authTime: session.authTime ?? now,
      amr: session.amrAt(now, request.createdAt),
      isProved: isProvedFor(session, request),
      tokenEpoch: session.userEpoch,
      answeredAt: now,
      codeExpiresAt: isCodeFlow(request) ? secondsAfter(now, this.codeSecondsFor(request)) : null,
      pushedId: request.pushedId ?? null,
      isSigned: request.isSigned ?? true,
    };
  }
}

/** Another answer to the same pushed request is the application's mistake, not that of a user who was slow. */
function answeredBefore({ pushedId }: AuthRequest): DomainError {
  return pushedId === undefined || pushedId === null ? requestAnswered() : pushedRequestUsed();
}
