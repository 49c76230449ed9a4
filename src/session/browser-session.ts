import { secondsAfter } from '../foundation/time/duration.js';
import { loginNameOf, toNameKey } from '../user/user-name.js';
import { type SecondFactorFacts, SessionFactor } from './session-factor.js';

/** An account signed in in this browser, with what is needed to decide the next step. */
export interface BrowserSessionFacts {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly orgDomain: string | null;
  readonly userName: string;
  /** See `loginNameOf`. */
  readonly nameScope: string;
  readonly displayName: string;
  /** A language tag; empty if unknown. */
  readonly preferredLanguage: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly emailMayStayUnverified: boolean;
  readonly passwordChangeRequired: boolean;
  readonly userEpoch: number;
  readonly createdAt: Date;
  readonly passwordCheckedAt: Date | null;
  readonly passwordCheckLifetimeSeconds: number;
  /** Whether there is a password, and the login policy allows it. */
  readonly hasPassword: boolean;
  /** When a provider last authenticated the user, and which one. */
  readonly externalCheckedAt: Date | null;
  readonly externalIdpId: string | null;
  readonly externalCheckLifetimeSeconds: number;
  readonly secondFactor: SecondFactorFacts;
}

export class BrowserSession {
  readonly factor: SessionFactor;

  constructor(private readonly facts: BrowserSessionFacts) {
    this.factor = new SessionFactor(facts.secondFactor);
  }

  get id(): string {
    return this.facts.id;
  }

  get userId(): string {
    return this.facts.userId;
  }

  get orgId(): string {
    return this.facts.orgId;
  }

  get userEpoch(): number {
    return this.facts.userEpoch;
  }

  get createdAt(): Date {
    return this.facts.createdAt;
  }

  get displayName(): string {
    return this.facts.displayName;
  }

  get preferredLanguage(): string {
    return this.facts.preferredLanguage;
  }

  get loginName(): string {
    return loginNameOf(this.facts);
  }

  /** Users verify a typed address before anything is answered, unless an import has said that they need not. */
  get mustProveEmail(): boolean {
    return this.facts.email !== '' && !this.facts.emailVerified && !this.facts.emailMayStayUnverified;
  }

  get email(): string {
    return this.facts.email;
  }

  get hasVerifiedEmail(): boolean {
    return this.facts.email !== '' && this.facts.emailVerified;
  }

  /** A user who came through a provider has not used the password, and need not know it. */
  get mustChangePassword(): boolean {
    return this.facts.passwordChangeRequired && !this.isByProvider;
  }

  /** When the password was last checked here. */
  get passwordCheckedAt(): Date | undefined {
    return this.facts.passwordCheckedAt ?? undefined;
  }

  /** The provider that the user last used, if any. */
  get externalIdpId(): string | undefined {
    return this.facts.externalIdpId ?? undefined;
  }

  /** Whether the user can authenticate again with a password. */
  get hasPassword(): boolean {
    return this.facts.hasPassword;
  }

  /** When the user last authenticated, here or at a provider: the first factor. */
  get firstFactorAt(): Date | undefined {
    const { passwordCheckedAt, externalCheckedAt } = this.facts;
    return (this.isByProvider ? externalCheckedAt : passwordCheckedAt) ?? undefined;
  }

  /** When any factor was last checked (OIDC Core §2, `auth_time`). */
  get authTime(): Date | undefined {
    const {
      firstFactorAt: first,
      factor: { checkedAt: second },
    } = this;
    return first !== undefined && second !== undefined && second > first ? second : first;
  }

  /**
   * RFC 8176: what was actually checked here; the second factor if it still counts or was checked since the request
   * arrived. There is no value for the methods of a provider.
   */
  amrAt(now: Date, since: Date = now): string[] {
    const first = this.facts.passwordCheckedAt && !this.isByProvider ? ['pwd'] : [];
    const { checkedAt } = this.factor;
    const counts = checkedAt !== undefined && (checkedAt >= since || this.factor.isFresh(now));
    return counts ? [...first, 'otp', 'mfa'] : first;
  }

  /** Whether a typed or hinted name denotes this account. */
  answersTo(typed: string): boolean {
    const key = toNameKey(typed.trim());
    // A name that may also exist in other organizations needs its domain.
    if (this.facts.emailVerified && key === toNameKey(this.facts.email)) return true;
    return key === toNameKey(this.loginName) || (this.facts.nameScope === '' && key === toNameKey(this.facts.userName));
  }

  /**
   * Whether the user authenticated recently enough for the login policy. Only the latest authentication counts, as it
   * also determines how the user is signed in: otherwise an older password would count as the provider's
   * authentication, and need no second factor.
   */
  isFresh(now: Date): boolean {
    const { passwordCheckedAt, passwordCheckLifetimeSeconds, externalCheckedAt, externalCheckLifetimeSeconds } =
      this.facts;
    if (this.isByProvider) return counts(externalCheckedAt, externalCheckLifetimeSeconds, now);
    return counts(passwordCheckedAt, passwordCheckLifetimeSeconds, now);
  }

  /** Whether the latest authentication was by a provider. */
  get isByProvider(): boolean {
    const { passwordCheckedAt, externalCheckedAt } = this.facts;
    return externalCheckedAt !== null && (passwordCheckedAt === null || externalCheckedAt > passwordCheckedAt);
  }
}

function counts(checkedAt: Date | null, lifetimeSeconds: number, now: Date): boolean {
  return checkedAt !== null && secondsAfter(checkedAt, lifetimeSeconds) > now;
}
