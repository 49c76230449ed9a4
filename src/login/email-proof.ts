import { Injectable } from '@nestjs/common';
import type { Transaction } from '../foundation/database/database.js';
import { Logger } from '../foundation/log/logger.js';
import { SignInChanges } from '../management/user/sign-in-changes.js';
import { type AuthRequest, withUser } from '../session/auth-request/auth-request.js';
import { SessionService } from '../session/session.service.js';
import { AccountCodes } from '../user/account-codes.js';
import { type PendingRegistration, Registrations } from '../user/registrations.js';
import type { CheckedCode } from '../user/user-codes.js';
import { MailedCodes } from './mailed-codes.js';
import { newCookieOf } from './new-cookie.js';
import type { Visit } from './visit.js';

/** Verifies an e-mail address with a code, during a sign-in or through the link of the mail. */
@Injectable()
export class EmailProof {
  constructor(
    private readonly codes: AccountCodes,
    private readonly registrations: Registrations,
    private readonly sessions: SessionService,
    private readonly mailed: MailedCodes,
    private readonly changes: SignInChanges,
    private readonly log: Logger,
  ) {}

  /**
   * The code if it is the user's; it is not used up yet.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async check(userId: string | undefined, typed: string, address: string): Promise<CheckedCode | undefined> {
    const code = await this.mailed.check(address, async () =>
      userId === undefined ? undefined : this.codes.check(userId, 'email', typed),
    );
    if (!code) this.refuse(userId, address);
    return code;
  }

  /** Marks the address as verified and uses the code up. False if the code was used already. */
  async take(code: CheckedCode, address: string): Promise<boolean> {
    const isDone = await this.changes.verifyEmail(code);
    if (!isDone) this.refuse(code.userId, address);
    return isDone;
  }

  /** Like `take`, within the transaction of the caller. */
  async takeWithin(tx: Transaction, code: CheckedCode): Promise<boolean> {
    return this.changes.verifyEmailWithin(tx, code);
  }

  /** Whether the user has registered without a password, and has yet to make the passkey that replaces it. */
  async needsKey(userId: string): Promise<boolean> {
    return this.registrations.isWithoutPassword(userId);
  }

  /** The registration that is pending in this visit. */
  async findRegistration({ request }: Visit): Promise<PendingRegistration | undefined> {
    return request.registrationId === undefined ? undefined : this.registrations.find(request.registrationId);
  }

  /**
   * Signs in a user who registered in this visit, with the password typed here, and has now verified the address.
   * Returns what the sign-in continues with.
   */
  async finishRegistration(
    visit: Visit,
    { userId, orgId, email }: { userId: string; orgId: string; email: string },
  ): Promise<{ readonly request: AuthRequest; readonly cookieValue: string }> {
    const cookieValue = newCookieOf(
      await this.sessions.signIn(visit.sentBrowser, { kind: 'mailed_code', userId, orgId }),
    );
    return { request: withUser(visit.request, userId, email), cookieValue };
  }

  private refuse(userId: string | undefined, address: string): void {
    this.log.warn({ reason: 'code.email_wrong', userId, address }, 'code refused');
  }
}
