import { Injectable } from '@nestjs/common';
import { TokenConfig } from '../foundation/config/config.js';
import { newId } from '../foundation/crypto/id.js';
import { TokenSeal } from '../foundation/crypto/token-seal.js';
import { Database, type Transaction } from '../foundation/database/database.js';
import type { Purge } from '../foundation/database/purge.js';
import type { Queryable } from '../foundation/database/statement.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { InstanceService } from '../instance/instance.service.js';
import type { BrowserSession } from '../session/browser-session.js';
import type { IssuedBrowser } from '../session/session.service.js';
import { requestAnswered, requestExpired, requestNotFound } from './auth-request.errors.js';
import { type AuthRequest, isCodeFlow, type NewAuthRequest } from './auth-request.js';
import { AuthRequestRepository } from './auth-request.repository.js';
import type { Answer, OpenedRequest, RequestTimes } from './stored-request.js';

export type { OpenedRequest };

/** How long a user may take on our pages. */
const REQUEST_LIFETIME_SECONDS = seconds.perHour;
/**
 * A second use of a code ends the tokens of the first: its access tokens are valid for hours, and later its id still
 * identifies the family.
 */
const KEEP_SECONDS = 2 * seconds.perDay;
/** An unanswered request is only kept so that a user who returns is told that it has expired. */
const KEEP_UNANSWERED_SECONDS = seconds.perHour;
/** A form that arrives again within this time was sent twice, by a double click or after a lost answer. */
const REPEAT_SECONDS = 10;

/** Pending authorizations and their codes. */
@Injectable()
export class AuthRequestService implements Purge {
  constructor(
    private readonly requests: AuthRequestRepository,
    private readonly database: Database,
    private readonly tokenSeal: TokenSeal,
    private readonly instances: InstanceService,
    private readonly config: TokenConfig,
    private readonly clock: Clock,
  ) {}

  /** Stores a request that needs our pages, and returns its id. */
  async begin(request: NewAuthRequest, browserId: string, createdAt: Date): Promise<string> {
    const times = pendingFrom(createdAt, browserId);
    await this.requests.add(request, times);
    return times.id;
  }

  /** The same with its browser, which is new. */
  async beginInNewBrowser(request: NewAuthRequest, browser: IssuedBrowser, createdAt: Date): Promise<string> {
    const times = pendingFrom(createdAt, browser.browserId);
    await this.requests.addWithBrowser(request, times, browser.cookieValue);
    return times.id;
  }

  /** A code for a user who is signed in already: stored as answered, in one statement. */
  async beginAnswered(request: NewAuthRequest, browserId: string, session: BrowserSession, now: Date): Promise<string> {
    const id = newId();
    const times = { id, browserId, createdAt: now, expiresAt: now };
    await this.requests.add(request, times, this.toAnswer(request, session, now));
    return this.codeFor(id);
  }

  /**
   * The browser of this cookie and its request, in any state; undefined for an unknown browser. One statement, since
   * every page begins with it.
   */
  async open(cookieValue: string, id: string): Promise<OpenedRequest | undefined> {
    const instance = await this.instances.get();
    return this.requests.open(cookieValue, id, instance.id);
  }

  /**
   * The same by the cookie value that a sign-in has just replaced. It proves less than the new one: its holder may only
   * repeat what has just been done.
   */
  async openRepeated(cookieValue: string, id: string): Promise<OpenedRequest | undefined> {
    const instance = await this.instances.get();
    return this.requests.openByPrevious(cookieValue, id, instance.id, secondsAfter(this.clock.now(), -REPEAT_SECONDS));
  }

  /**
   * The request, if it can still be answered.
   * @throws DomainError NotFound `auth_request.not_found`; FailedPrecondition `auth_request.expired`,
   * `auth_request.answered`
   */
  checkPending(request: AuthRequest | undefined): AuthRequest {
    if (!request) throw requestNotFound();
    if (request.answeredAt) throw requestAnswered();
    if (request.expiresAt <= this.clock.now()) throw requestExpired();
    return request;
  }

  /**
   * Answers the request with this session, and returns the code; undefined for the implicit flow.
   * @throws DomainError FailedPrecondition `auth_request.answered` if another request was faster
   */
  async answer(request: AuthRequest, session: BrowserSession): Promise<string | undefined> {
    const answered = await this.requests.answer(
      this.database,
      request.id,
      this.toAnswer(request, session, this.clock.now(), request.createdAt),
    );
    if (!answered) throw requestAnswered();
    return isCodeFlow(request) ? this.codeFor(request.id) : undefined;
  }

  async setLoginName(request: AuthRequest, loginName: string): Promise<void> {
    await this.requests.setLoginName(request.id, loginName);
  }

  /** The user who continues with the request: chosen from the browser's accounts, registered, or just signed in. */
  async setUser(tx: Transaction | Database, request: AuthRequest, userId: string, loginName: string): Promise<void> {
    await this.requests.setUser(tx, request.id, userId, loginName);
  }

  /** A user returned from a provider of this organization and is not linked yet; the `idp_login` says who it is. */
  async setExternal(request: AuthRequest, loginId: string, orgId: string): Promise<void> {
    await this.requests.setExternal(request.id, loginId, orgId, this.clock.now());
  }

  /** The user has an account here and signs in to it first. */
  async goOnLocally(request: AuthRequest): Promise<void> {
    await this.requests.goOnLocally(request.id);
  }

  /** The account is linked now, or the user does not want to link it. */
  async clearExternal(tx: Transaction | Database, request: AuthRequest): Promise<void> {
    await this.requests.clearExternal(tx, request.id);
  }

  /** A user has registered; the registration says who it is, if anybody. */
  async setRegistration(tx: Transaction, request: AuthRequest, registrationId: string): Promise<void> {
    await this.requests.setRegistration(tx, request.id, registrationId);
  }

  /** The user who has just signed in is to be warned that the password expires. */
  async warnOfExpiry(request: AuthRequest, passwordExpiresAt: Date): Promise<void> {
    await this.requests.warnOfExpiry(request.id, passwordExpiresAt);
  }

  /** The user was warned, and wants a new password now or not. */
  async acknowledgeExpiry(tx: Transaction | Database, request: AuthRequest, wantsChange: boolean): Promise<void> {
    await this.requests.acknowledgeExpiry(tx, request.id, wantsChange);
  }

  /** The reader's own choice, which overrides the application's. */
  async setLanguage(request: AuthRequest, language: string): Promise<void> {
    await this.requests.setLanguage(request.id, language);
  }

  /** Applies to this user only. */
  async giveConsent(request: AuthRequest, userId: string): Promise<void> {
    await this.requests.giveConsent(request.id, userId);
  }

  /** The id of the request to which a code belongs; undefined if it is not one of our codes. */
  openCode(code: string): string | undefined {
    return this.tokenSeal.open('code', code)?.toString();
  }

  async purge(on: Queryable, now: Date): Promise<number> {
    const old = await this.requests.purgeCreatedBefore(on, secondsAfter(now, -KEEP_SECONDS));
    return old + (await this.requests.purgeUnanswered(on, secondsAfter(now, -KEEP_UNANSWERED_SECONDS)));
  }

  private codeFor(id: string): string {
    return this.tokenSeal.seal('code', Buffer.from(id));
  }

  private toAnswer(
    request: Pick<NewAuthRequest, 'responseType'>,
    session: BrowserSession,
    now: Date,
    since = now,
  ): Answer {
    return {
      userId: session.userId,
      sessionId: session.id,
      authTime: session.authTime ?? now,
      amr: session.amrAt(now, since),
      tokenEpoch: session.userEpoch,
      answeredAt: now,
      codeExpiresAt: isCodeFlow(request) ? secondsAfter(now, this.config.codeSeconds) : null,
    };
  }
}

function pendingFrom(createdAt: Date, browserId: string): RequestTimes {
  return { id: newId(), browserId, createdAt, expiresAt: secondsAfter(createdAt, REQUEST_LIFETIME_SECONDS) };
}
