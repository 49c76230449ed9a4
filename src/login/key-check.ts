import { Injectable } from '@nestjs/common';
import { AttemptService } from '../foundation/attempt/attempt.service.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { Logger } from '../foundation/log/logger.js';
import { SignInChanges } from '../management/user/sign-in-changes.js';
import type { FormErrorReason } from '../page/part/form-error.js';
import type { BrowserSession } from '../session/browser-session.js';
import { type PasskeyLimits, passkeyLimits } from '../session/proof/limits.js';
import { RefusedSignIns } from '../session/proof/refused-sign-ins.js';
import { SessionService } from '../session/session.service.js';
import { PasskeyService, type UsedKey } from '../user/factor/passkey.service.js';
import { CHALLENGE_LIFETIME_SECONDS, keysThatFollow, secondFactorPlace } from './passkey-forms.js';
import type { Visit } from './visit.js';

/** The message for each reason; a key of another user is as wrong as an answer that proves nothing. */
const SAID: Readonly<Record<string, FormErrorReason>> = {
  'passkey.challenge_expired': 'formStale',
  'passkey.challenge_spent': 'formStale',
  'passkey.counter_back': 'passkeyUnusable',
};

/** Checks a key as the second factor of a session. */
@Injectable()
export class KeyCheck {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly attempts: AttemptService,
    private readonly changes: SignInChanges,
    private readonly sessions: SessionService,
    private readonly refused: RefusedSignIns,
    private readonly log: Logger,
  ) {}

  /**
   * Records the factor in the session; otherwise what is wrong. Nobody can guess an answer, so that a wrong one does
   * not count towards locking the account.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async check(visit: Visit, session: BrowserSession, answer: string): Promise<FormErrorReason | undefined> {
    const limits = passkeyLimits(session.userId, visit.address);
    return this.attempts.attempt([limits.account, limits.address], async (isLimited) =>
      isLimited ? this.refuse(visit, session, 'passkey.limited') : this.checkUnlimited(visit, session, answer, limits),
    );
  }

  private async checkUnlimited(
    visit: Visit,
    session: BrowserSession,
    answer: string,
    limits: PasskeyLimits,
  ): Promise<FormErrorReason | undefined> {
    try {
      const used = await this.passkeys.check(
        session.userId,
        keysThatFollow(session),
        answer,
        secondFactorPlace(visit, session),
        CHALLENGE_LIFETIME_SECONDS,
      );
      if (!(await this.prove(session, used))) return await this.refuse(visit, session, 'passkey.account_not_active');
      await this.attempts.forgive([limits.account], [limits.address]);
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'Unavailable') throw error;
      // The same form was sent twice at once, and the other request has used the answer up for this very session.
      const isRepeated =
        error.reason === 'passkey.challenge_spent' &&
        (await this.sessions.hasCheckedFactorSince(session.id, visit.now));
      return isRepeated ? undefined : this.refuse(visit, session, error.reason, error);
    }
  }

  private async prove(session: BrowserSession, used: UsedKey): Promise<boolean> {
    try {
      return await this.changes.useKey(session, used);
    } catch (error) {
      if (error instanceof DomainError && error.reason === 'passkey.counter_back')
        await this.passkeys.recordCopied(session.userId, used.key);
      throw error;
    }
  }

  private async refuse(
    visit: Visit,
    session: BrowserSession,
    reason: string,
    error?: DomainError,
  ): Promise<FormErrorReason> {
    const { userId } = session;
    await this.refused.record('mfa', session, userId, { factor: 'u2f', reason });
    const detail = typeof error?.cause === 'string' ? { detail: error.cause } : {};
    this.log.warn({ reason, ...detail, factor: 'u2f', userId, address: visit.address }, 'second factor refused');
    return SAID[reason] ?? 'securityKeyWrong';
  }
}
