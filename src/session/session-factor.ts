import { secondsAfter } from '../foundation/time/duration.js';
import type { SecondFactor } from '../org/policy/login-policy.entity.js';

/** A second factor, or a passkey, that the user has. */
export interface HeldFactorFacts {
  readonly kind: SecondFactor | 'passkey';
  readonly isReady: boolean;
  /** A key that was made in this session, and has not been given a name. */
  readonly isNew?: boolean;
}

/**
 * The facts on which the decision about a second factor depends: what the user has, what was checked, and the policy.
 */
export interface SecondFactorFacts {
  readonly held: readonly HeldFactorFacts[];
  /** Keys that were made for another domain of this service; they are not among `held`. */
  readonly hasKeysElsewhere: boolean;
  readonly checkedAt: Date | null;
  /** Whether the checked factor was a security key, or a passkey in place of one. */
  readonly isKey: boolean;
  /** Whether users may sign in with a passkey alone. */
  readonly arePasskeysAllowed: boolean;
  /** Whether a passkey counts as both factors. */
  readonly isPasskeyEnough: boolean;
  readonly checkLifetimeSeconds: number;
  /** The factors that the login policy lists. */
  readonly listed: readonly SecondFactor[];
  readonly isForced: boolean;
  /** Required only for users who sign in here, not through a provider. */
  readonly isForcedLocally: boolean;
  /** How long a user is not asked again after declining, or after the account was created; 0: never asked. */
  readonly offerPauseSeconds: number;
  /** When the user last declined to set up a second factor. */
  readonly declinedAt: Date | null;
  /** When the account was created. */
  readonly accountSince: Date;
  readonly hasVerifiedEmail: boolean;
}

/** Second factors, the preferred one first. Recovery codes substitute for them, and are not listed. */
const ASKABLE_FACTORS = ['u2f', 'otp', 'otp_email'] as const satisfies readonly SecondFactor[];
export type AskableFactor = (typeof ASKABLE_FACTORS)[number];

/** The second factor of one session. */
export class SessionFactor {
  constructor(private readonly facts: SecondFactorFacts) {}

  /** When a second factor was last checked in this session. */
  get checkedAt(): Date | undefined {
    return this.facts.checkedAt ?? undefined;
  }

  /** Whether the checked factor was a security key, or a passkey in place of one. */
  get isKey(): boolean {
    return this.facts.isKey;
  }

  /**
   * The factors that the user has, the preferred one first. A passkey serves as a security key where one is required. A
   * user who need not have a second factor is not asked for a passkey after the password: they have chosen the password
   * instead.
   */
  usable(isRequired: boolean): AskableFactor[] {
    return ASKABLE_FACTORS.filter(
      (kind) => (this.allows(kind) && this.holds(kind, true)) || (kind === 'u2f' && isRequired && this.canFollow),
    );
  }

  /**
   * Whether the user has something stronger than a first factor: then a change of what signs them in needs it, even
   * where a sign-in does not. A passkey is that if it stands for both factors.
   */
  get isHeld(): boolean {
    return this.usable(this.isPasskeyEnough).length > 0;
  }

  get hasPasskey(): boolean {
    return this.holds('passkey', true);
  }

  /** Whether the user can sign in with a passkey. */
  get canUsePasskey(): boolean {
    return this.facts.arePasskeysAllowed && this.hasPasskey;
  }

  /**
   * Whether a passkey of the user serves as a second factor. One that stands for both factors does so even if the
   * policy lists no security keys: otherwise a password alone could set up another factor, and leave the passkey out.
   */
  private get canFollow(): boolean {
    return (this.allows('u2f') && this.hasPasskey) || (this.isPasskeyEnough && this.canUsePasskey);
  }

  /** Whether users may sign in with passkeys. */
  get allowsPasskeys(): boolean {
    return this.facts.arePasskeysAllowed;
  }

  get allowsSecurityKeys(): boolean {
    return this.allows('u2f');
  }

  /** Whether the user has a passkey or a security key. */
  get hasKey(): boolean {
    return this.hasPasskey || this.holds('u2f', true);
  }

  /** Whether all keys of the user were made for another domain of this service, where no browser uses them. */
  get hasOnlyKeysElsewhere(): boolean {
    return this.facts.hasKeysElsewhere && !this.hasKey;
  }

  /** Whether to offer the first passkey. */
  get canAddPasskey(): boolean {
    return this.facts.arePasskeysAllowed && !this.hasPasskey;
  }

  /** Whether a passkey counts as both factors. */
  get isPasskeyEnough(): boolean {
    return this.facts.isPasskeyEnough;
  }

  /** A key that was made in this session waits for its name. */
  get hasNewKey(): boolean {
    return this.facts.held.some(({ isNew }) => isNew === true);
  }

  /** The factors that the user can set up. */
  get available(): AskableFactor[] {
    return ASKABLE_FACTORS.filter((kind) => this.allows(kind) && !this.holds(kind, true));
  }

  /** The one whose set-up has begun in this session. */
  get begun(): AskableFactor | undefined {
    return this.available.find((kind) => this.isBegun(kind));
  }

  /** Whether the set-up of this one has begun in this session; keys are made at once. */
  isBegun(kind: AskableFactor): boolean {
    return kind !== 'u2f' && this.available.includes(kind) && this.holds(kind, false);
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

  /** For how long a user who declines an offer is not asked again; 0 if nothing is offered at sign-ins. */
  get offerPauseSeconds(): number {
    return this.facts.offerPauseSeconds;
  }

  /** Whether it is time to offer setting up a second factor. */
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

  private holds(kind: SecondFactor | 'passkey', isReady: boolean): boolean {
    return this.facts.held.some((factor) => factor.kind === kind && factor.isReady === isReady);
  }
}
