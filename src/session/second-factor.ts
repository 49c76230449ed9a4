import type { SecondFactor } from '../policy/login-policy.entity.js';
import { secondsAfter } from '../time/duration.js';

/** What deciding about a second factor takes: what the person holds, what was checked, and what the login policy says. */
export interface SecondFactorFacts {
  readonly held: ReadonlyArray<{ readonly kind: SecondFactor; readonly isReady: boolean }>;
  readonly checkedAt: Date | null;
  readonly checkLifetimeSeconds: number;
  /** Those that the login policy lists. */
  readonly listed: readonly SecondFactor[];
  readonly isForced: boolean;
  /** Forced for those who sign in here, not for those whom a provider vouches for. */
  readonly isForcedLocally: boolean;
  /** For how long nobody is asked to set one up after saying "not now", or with a new account; 0: never asked. */
  readonly offerPauseSeconds: number;
  /** When the person last said "not now". */
  readonly declinedAt: Date | null;
  /** When the account was made. */
  readonly accountSince: Date;
  readonly hasVerifiedEmail: boolean;
}

/** Those that can be asked for here, the preferred one first. Recovery codes stand in for them, and are none by themselves. */
export const ASKABLE_FACTORS = ['otp', 'otp_email'] as const satisfies readonly SecondFactor[];
export type AskableFactor = (typeof ASKABLE_FACTORS)[number];

/** The second factor of one session. */
export class SessionFactor {
  constructor(private readonly facts: SecondFactorFacts) {}

  /** When one was last checked in this session. */
  get checkedAt(): Date | undefined {
    return this.facts.checkedAt ?? undefined;
  }

  /** Those with which the person can prove themselves, the preferred one first. */
  get usable(): AskableFactor[] {
    return ASKABLE_FACTORS.filter((kind) => this.allows(kind) && this.holds(kind, true));
  }

  /** Those that can be set up. */
  get available(): AskableFactor[] {
    return ASKABLE_FACTORS.filter((kind) => this.allows(kind) && !this.holds(kind, true));
  }

  /** What was begun to be set up in this session. */
  get begun(): AskableFactor | undefined {
    return this.available.find((kind) => this.holds(kind, false));
  }

  get hasRecoveryCodes(): boolean {
    return this.holds('recovery_codes', true);
  }

  /** Recovery codes are to be shown to the person, who has set up what they stand in for. */
  get owesRecoveryCodes(): boolean {
    return this.holds('recovery_codes', false);
  }

  /** Whether the policy demands one of somebody who has proved themselves here, or to a provider. */
  isForced(byProvider: boolean): boolean {
    return this.facts.isForced || (this.facts.isForcedLocally && !byProvider);
  }

  /** Whether the policy is content with what a provider says. */
  isLeftToProvider(byProvider: boolean): boolean {
    return byProvider && this.facts.isForcedLocally && !this.facts.isForced;
  }

  /** Whether the last check is young enough for the policy. */
  isFresh(now: Date): boolean {
    const { checkedAt, checkLifetimeSeconds } = this.facts;
    return checkedAt !== null && secondsAfter(checkedAt, checkLifetimeSeconds) > now;
  }

  /** Whether the person is to be asked whether they want one. */
  isOfferDue(now: Date): boolean {
    const { offerPauseSeconds, declinedAt, accountSince } = this.facts;
    return offerPauseSeconds > 0 && secondsAfter(declinedAt ?? accountSince, offerPauseSeconds) <= now;
  }

  wasDeclinedSince(moment: Date): boolean {
    return this.facts.declinedAt !== null && this.facts.declinedAt >= moment;
  }

  /** A code that goes to an address which nobody has proved would let in whoever reads it. */
  private allows(kind: AskableFactor): boolean {
    return this.facts.listed.includes(kind) && (kind !== 'otp_email' || this.facts.hasVerifiedEmail);
  }

  private holds(kind: SecondFactor, isReady: boolean): boolean {
    return this.facts.held.some((factor) => factor.kind === kind && factor.isReady === isReady);
  }
}
