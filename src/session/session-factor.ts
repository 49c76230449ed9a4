import { secondsAfter } from '../foundation/time/duration.js';
import type { SecondFactor } from '../policy/login-policy.entity.js';

/**
 * What the decision about a second factor needs: what the user has, what was checked, and what the login policy says.
 */
export interface SecondFactorFacts {
  readonly held: ReadonlyArray<{ readonly kind: SecondFactor; readonly isReady: boolean }>;
  readonly checkedAt: Date | null;
  readonly checkLifetimeSeconds: number;
  /** Those that the login policy lists. */
  readonly listed: readonly SecondFactor[];
  readonly isForced: boolean;
  /** Required only for users who sign in here, not through a provider. */
  readonly isForcedLocally: boolean;
  /** How long a user is not asked again after declining, or after the account was created; 0: never asked. */
  readonly offerPauseSeconds: number;
  /** When the user last declined. */
  readonly declinedAt: Date | null;
  /** When the account was created. */
  readonly accountSince: Date;
  readonly hasVerifiedEmail: boolean;
}

/** Second factors, the preferred one first. Recovery codes substitute for them, and are not listed. */
const ASKABLE_FACTORS = ['otp', 'otp_email'] as const satisfies readonly SecondFactor[];
export type AskableFactor = (typeof ASKABLE_FACTORS)[number];

/** The second factor of one session. */
export class SessionFactor {
  constructor(private readonly facts: SecondFactorFacts) {}

  /** When one was last checked in this session. */
  get checkedAt(): Date | undefined {
    return this.facts.checkedAt ?? undefined;
  }

  /** Those that the user has, the preferred one first. */
  get usable(): AskableFactor[] {
    return ASKABLE_FACTORS.filter((kind) => this.allows(kind) && this.holds(kind, true));
  }

  /** Those that can be set up. */
  get available(): AskableFactor[] {
    return ASKABLE_FACTORS.filter((kind) => this.allows(kind) && !this.holds(kind, true));
  }

  /** The one whose set-up has begun in this session. */
  get begun(): AskableFactor | undefined {
    return this.available.find((kind) => this.isBegun(kind));
  }

  /** Whether the set-up of this one has begun in this session. */
  isBegun(kind: AskableFactor): boolean {
    return this.available.includes(kind) && this.holds(kind, false);
  }

  get hasRecoveryCodes(): boolean {
    return this.holds('recovery_codes', true);
  }

  /** Whether recovery codes must be shown, because the user has set up what they substitute for. */
  get owesRecoveryCodes(): boolean {
    return this.holds('recovery_codes', false);
  }

  /** Whether the policy requires one, depending on how the user signed in. */
  isForced(byProvider: boolean): boolean {
    return this.facts.isForced || (this.facts.isForcedLocally && !byProvider);
  }

  /** Whether the policy accepts the authentication of a provider. */
  isLeftToProvider(byProvider: boolean): boolean {
    return byProvider && this.facts.isForcedLocally && !this.facts.isForced;
  }

  /** Whether the last check is recent enough for the policy. */
  isFresh(now: Date): boolean {
    const { checkedAt, checkLifetimeSeconds } = this.facts;
    return checkedAt !== null && secondsAfter(checkedAt, checkLifetimeSeconds) > now;
  }

  /** Whether to offer setting one up. */
  isOfferDue(now: Date): boolean {
    const { offerPauseSeconds, declinedAt, accountSince } = this.facts;
    return offerPauseSeconds > 0 && secondsAfter(declinedAt ?? accountSince, offerPauseSeconds) <= now;
  }

  wasDeclinedSince(moment: Date): boolean {
    return this.facts.declinedAt !== null && this.facts.declinedAt >= moment;
  }

  /** A code to an unverified address would sign in anyone who reads it. */
  private allows(kind: AskableFactor): boolean {
    return this.facts.listed.includes(kind) && (kind !== 'otp_email' || this.facts.hasVerifiedEmail);
  }

  private holds(kind: SecondFactor, isReady: boolean): boolean {
    return this.facts.held.some((factor) => factor.kind === kind && factor.isReady === isReady);
  }
}
