import { Injectable } from '@nestjs/common';
import { AttemptService } from '../foundation/attempt/attempt.service.js';
import { DomainError } from '../foundation/error/domain-error.js';
import { SYSTEM } from '../foundation/event/journal.js';
import { Logger } from '../foundation/log/logger.js';
import type { FormErrorReason } from '../page/part/form-error.js';
import { type AuthRequest, withPasskeyHereOffer, withUser } from '../session/auth-request/auth-request.js';
import type { Candidate } from '../session/candidate.js';
import { type PasskeyLimits, passkeyLimits } from '../session/proof/limits.js';
import { RefusedSignIns } from '../session/proof/refused-sign-ins.js';
import { type PasskeyCandidate, type RefusedSignIn, SessionService } from '../session/session.service.js';
import type { PasskeyProof } from '../session/sign-in-sql.js';
import { PasskeyService } from '../user/factor/passkey.service.js';
import { loginNameOf } from '../user/user-name.js';
import { PasskeyHereCookie } from './passkey-here-cookie.js';
import type { Visit } from './visit.js';

/** A user whose passkey has signed, and who is not signed in yet. */
export interface ProvedPasskey {
  readonly kind: 'proved';
  readonly candidate: Candidate;
  readonly proof: PasskeyProof;
  readonly limits: PasskeyLimits;
  /** The passkey is on another device, such as a phone, so that the user may want one here; false for security keys. */
  readonly isElsewhere: boolean;
}

export interface RefusedPasskey {
  readonly kind: 'refused';
  readonly because: FormErrorReason;
  /** The id of a passkey that is not known here: the browser may forget it. */
  readonly unknownKey?: string;
}

/** Checks the passkey of a sign-in: one sentence for every reason for which a right one may not be used. */
@Injectable()
export class PasskeyCheck {
  constructor(
    private readonly passkeys: PasskeyService,
    private readonly sessions: SessionService,
    private readonly attempts: AttemptService,
    private readonly refusedSignIns: RefusedSignIns,
    private readonly declined: PasskeyHereCookie,
    private readonly log: Logger,
  ) {}

  /** @throws DomainError ResourceExhausted `attempt.too_many`: counted before the answer is checked */
  async prove(visit: Visit, answer: string): Promise<ProvedPasskey | RefusedPasskey> {
    const parsed = this.parse(answer);
    const found = parsed && (await this.sessions.findPasskeyCandidate(parsed.id, visit.browser.id));
    const limits = passkeyLimits(found?.candidate.account.userId, visit.address);
    return this.attempts.attempt([limits.account, limits.address], async (isLimited) => {
      if (!parsed) return this.refuse(visit, undefined, 'passkey.not_found');
      if (found) return this.check(visit, parsed, found, { limits, isLimited });
      // The key is known: its organization may be inactive today, or it is a security key. No browser may forget it for
      // that.
      return (await this.passkeys.isKnown(parsed.id))
        ? this.refuse(visit, undefined, 'passkey.account_not_active')
        : this.refuse(visit, undefined, 'passkey.not_found', parsed.id);
    });
  }

  private async check(
    visit: Visit,
    parsed: ReturnType<PasskeyService['parse']>,
    { candidate, key }: PasskeyCandidate,
    { limits, isLimited }: { readonly limits: PasskeyLimits; readonly isLimited: boolean },
  ): Promise<ProvedPasskey | RefusedPasskey> {
    const { browser, request } = visit;
    const { userId, orgId } = candidate.account;
    try {
      const place = { purpose: 'sign-in', browserId: browser.id, about: request.id } as const;
      const { challenge, ...use } = await this.passkeys.checkSignIn(parsed, key, userId, place);
      const problem = isLimited ? 'passkey.limited' : problemOf(candidate, request);
      if (problem !== undefined) return await this.refuse(visit, candidate, problem);
      const clearedAttempts = this.attempts.keysOf([limits.account]);
      const { signCount, backupEligible, backedUp } = use;
      const signature = { factorId: key.factorId, challenge, signCount, backupEligible, backedUp };
      const proof = { kind: 'passkey', userId, orgId, ...signature, clearedAttempts } as const;
      const isElsewhere = parsed.authenticatorAttachment === 'cross-platform' && backupEligible;
      return { kind: 'proved', candidate, proof, limits, isElsewhere };
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind === 'Unavailable') throw error;
      return this.refuse(visit, candidate, error.reason, undefined, error);
    }
  }

  /** The request as its user goes on with it: a user who needed another device is offered a passkey for this one. */
  requestOf({ request, http }: Visit, { candidate: { account }, isElsewhere }: ProvedPasskey): AuthRequest {
    const own = withUser(request, account.userId, loginNameOf(account));
    return isElsewhere && !this.declined.isIn(http.headers.cookie) ? withPasskeyHereOffer(own) : own;
  }

  /** The user is signed in: the statement that did so has settled what the account needs. */
  giveBack({ limits }: ProvedPasskey): void {
    this.attempts.giveBack(limits.address);
  }

  /** The answer was right, and yet no session has begun. */
  async overtaken(visit: Visit, proved: ProvedPasskey, { refusal }: RefusedSignIn): Promise<RefusedPasskey> {
    const { candidate, proof } = proved;
    if (refusal === 'key_refused')
      await this.passkeys.recordCopied(proof.userId, { id: proof.factorId, kind: 'passkey' });
    return this.refuse(visit, candidate, REFUSED[refusal]);
  }

  /**
   * Refuses without journaling or logging any part of the answer; the page gets the id of a passkey that only the
   * browser still has.
   */
  private async refuse(
    { address }: Visit,
    candidate: Candidate | undefined,
    reason: string,
    unknownKey?: string,
    error?: DomainError,
  ): Promise<RefusedPasskey> {
    await this.refusedSignIns.record('passkey', candidate?.account, SYSTEM, { reason });
    const detail = typeof error?.cause === 'string' ? { detail: error.cause } : {};
    const userId = candidate?.account.userId ?? null;
    this.log.warn({ reason, ...detail, userId, address }, 'sign-in refused');
    return {
      kind: 'refused',
      because: SAID[reason] ?? 'passkeyUnusable',
      ...(unknownKey === undefined ? {} : { unknownKey }),
    };
  }

  private parse(answer: string): ReturnType<PasskeyService['parse']> | undefined {
    try {
      return this.passkeys.parse(answer);
    } catch (error) {
      if (error instanceof DomainError) return undefined;
      throw error;
    }
  }
}

const REFUSED: Readonly<Record<RefusedSignIn['refusal'], string>> = {
  account_changed: 'passkey.account_not_active',
  browser_replaced: 'passkey.browser_replaced',
  challenge_spent: 'passkey.challenge_spent',
  key_refused: 'passkey.counter_back',
};

/** The message for each reason; all reasons about the account share one sentence. */
const SAID: Readonly<Record<string, FormErrorReason>> = {
  'passkey.not_found': 'passkeyUnknown',
  'passkey.user_not_verified': 'passkeyUnverified',
  'passkey.challenge_expired': 'formStale',
  'passkey.challenge_spent': 'formStale',
  'passkey.browser_replaced': 'formStale',
};

/** Why a right passkey may not be used for this request: it is only known now, since nobody was named before. */
function problemOf(candidate: Candidate, request: AuthRequest): string | undefined {
  const { state, userId, orgId } = candidate.account;
  if (state !== 'active') return 'passkey.account_not_active';
  if (!candidate.mayUsePasskeys) return 'passkey.not_allowed';
  if (request.requiredUserId !== undefined && request.requiredUserId !== userId) return 'passkey.other_user';
  if (request.requiredOrgId !== undefined && request.requiredOrgId !== orgId) return 'passkey.other_org';
  return undefined;
}
