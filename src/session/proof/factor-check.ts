import { Injectable } from '@nestjs/common';
import { AttemptService } from '../../foundation/attempt/attempt.service.js';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { Logger } from '../../foundation/log/logger.js';
import { EmailCodes } from '../../user/factor/email-codes.js';
import type { SoleFactorKind } from '../../user/factor/factor.entity.js';
import type { FactorOwner } from '../../user/factor/factor-owner.js';
import { RecoveryCodes } from '../../user/factor/recovery-codes.js';
import { TotpService } from '../../user/factor/totp.service.js';
import type { BrowserSession } from '../browser-session.js';
import { SessionService } from '../session.service.js';
import { codeLimits, turnOf } from './limits.js';
import { LockoutService } from './lockout.service.js';
import { RefusedSignIns, type RefusedUser } from './refused-sign-ins.js';

/** A form that has arrived: from where, and when. */
export interface Arriving {
  /** The peer's address, for limits and for the log. */
  readonly address: string;
  readonly now: Date;
}

/** Uses the code up; false if it was used already. */
export type Spending = (tx: Transaction) => Promise<boolean>;

/** Checks the second factor of a session. Every code, whatever its source, is valid once. */
@Injectable()
export class FactorCheck {
  constructor(
    private readonly attempts: AttemptService,
    private readonly database: Database,
    private readonly sessions: SessionService,
    private readonly lockout: LockoutService,
    private readonly totp: TotpService,
    private readonly emailCodes: EmailCodes,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly refused: RefusedSignIns,
    private readonly log: Logger,
  ) {}

  /**
   * Checks a second factor and records it in the session.
   * @throws DomainError ResourceExhausted `attempt.too_many`: counted before the code is checked, so that even the
   * right one is refused
   */
  async check(arriving: Arriving, session: BrowserSession, kind: SoleFactorKind, typed: string): Promise<boolean> {
    const isRight = await this.limited(arriving, session, async () => {
      const spend = await this.matchIn(arriving, session, kind, typed);
      if (spend && (await this.prove(session, kind, spend)) && (await this.lockout.recordGoodCode(session)))
        return true;
      // The same form was sent twice at once, and the other request has used the code up for this very session.
      return this.sessions.hasCheckedFactorSince(session.id, arriving.now);
    });
    if (!isRight) await this.recordFailure(arriving, session, kind);
    return isRight;
  }

  /**
   * Checks a code of the app, or a recovery code, of a user who has opened the link of a mail and is not signed in.
   * Uses the code up; no session records it.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async checkBeforeSession(arriving: Pick<Arriving, 'address'>, owner: RefusedUser, typed: string): Promise<boolean> {
    const isRight = await this.limited(arriving, owner, async () => {
      for (const kind of ['otp', 'recovery_codes'] as const) {
        const spend = await this.match(arriving, owner, kind, typed);
        if (spend && (await this.database.transaction(spend))) return this.lockout.recordGoodCode(owner);
      }
      return false;
    });
    if (!isRight) await this.recordFailure(arriving, owner, 'recovery_codes');
    return isRight;
  }

  /**
   * Checks the first code of a factor that is being set up. `match` returns how to use it up, which activates the
   * factor and records it in the session.
   * @throws DomainError ResourceExhausted `attempt.too_many`
   */
  async confirm(
    arriving: Arriving,
    session: BrowserSession,
    kind: SoleFactorKind,
    match: () => Promise<Spending | undefined>,
  ): Promise<boolean> {
    return this.limited(arriving, session, async () => {
      const spend = await match();
      // Activates the factor only if it is also recorded in the session.
      return (
        spend !== undefined &&
        this.prove(session, kind, async (tx) => (await this.sessions.hold(tx, session)) && spend(tx))
      );
    });
  }

  private async limited(
    arriving: Pick<Arriving, 'address'>,
    session: FactorOwner,
    work: () => Promise<boolean>,
  ): Promise<boolean> {
    const limits = codeLimits(session.userId, arriving.address);
    const isRight = await this.attempts.attempt([limits.account, limits.address], work);
    if (isRight) await this.attempts.forgive([limits.account], [limits.address]);
    return isRight;
  }

  private async prove(session: BrowserSession, kind: SoleFactorKind, spend: Spending): Promise<boolean> {
    return this.database.transaction(
      async (tx) => (await spend(tx)) && this.sessions.recordSecondFactor(tx, session, kind),
    );
  }

  /** Checks codes that are bound to the session to which they were mailed. */
  private async matchIn(
    arriving: Arriving,
    session: BrowserSession,
    kind: SoleFactorKind,
    typed: string,
  ): Promise<Spending | undefined> {
    if (kind !== 'otp_email') return this.match(arriving, session, kind, typed);
    const code = await this.emailCodes.tryCode(session, session.id, typed);
    return code && ((tx) => this.emailCodes.spend(tx, code));
  }

  /** How to use the code up; undefined if it is wrong. Slow work is done before a transaction begins. */
  private async match(
    arriving: Pick<Arriving, 'address'>,
    owner: FactorOwner,
    kind: Exclude<SoleFactorKind, 'otp_email'>,
    typed: string,
  ): Promise<Spending | undefined> {
    switch (kind) {
      case 'otp':
        return (tx) => this.totp.spend(tx, owner, typed);
      case 'recovery_codes': {
        const turn = turnOf(arriving.address, `codes of ${owner.userId}`);
        const hash = await this.recoveryCodes.match(owner, typed, turn);
        return hash === undefined ? undefined : (tx) => this.recoveryCodes.spend(tx, owner, hash);
      }
    }
  }

  private async recordFailure(
    arriving: Pick<Arriving, 'address'>,
    user: RefusedUser,
    kind: SoleFactorKind,
  ): Promise<void> {
    await this.lockout.recordFailedCode(user);
    const { userId } = user;
    await this.refused.record('mfa', user, userId, { factor: kind });
    this.log.warn(
      { reason: 'sign_in.code_wrong', factor: kind, userId, address: arriving.address },
      'second factor refused',
    );
  }
}
