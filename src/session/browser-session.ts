import { secondsAfter } from '../time/duration.js';
import { loginNameOf, toNameKey } from '../user/user-name.js';
import { type SecondFactorFacts, SessionFactor } from './second-factor.js';

/** One account signed in in this browser, with what deciding the next step needs. */
export interface BrowserSessionFacts {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly orgDomain: string | null;
  readonly userName: string;
  /** See `loginNameOf`. */
  readonly nameScope: string;
  readonly displayName: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly emailMayStayUnverified: boolean;
  readonly passwordChangeRequired: boolean;
  readonly userEpoch: number;
  readonly createdAt: Date;
  readonly passwordCheckedAt: Date | null;
  readonly passwordCheckLifetimeSeconds: number;
  /** Whether there is a password, and the login policy takes it. */
  readonly hasPassword: boolean;
  /** When a provider last told who it is, and which one. */
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

  get loginName(): string {
    return loginNameOf(this.facts);
  }

  /** People who have given an address prove that it is theirs before anything is answered, unless an import has said that they need not. */
  get mustProveEmail(): boolean {
    return this.facts.email !== '' && !this.facts.emailVerified && !this.facts.emailMayStayUnverified;
  }

  get email(): string {
    return this.facts.email;
  }

  /** Whoever came through a provider has not used the password, and need not know it. */
  get mustChangePassword(): boolean {
    return this.facts.passwordChangeRequired && !this.isByProvider;
  }

  /** When the password was last checked here. */
  get passwordCheckedAt(): Date | undefined {
    return this.facts.passwordCheckedAt ?? undefined;
  }

  /** The provider that the person last came through, if ever. */
  get externalIdpId(): string | undefined {
    return this.facts.externalIdpId ?? undefined;
  }

  /** Whether a password can be asked for to prove once more who it is. */
  get hasPassword(): boolean {
    return this.facts.hasPassword;
  }

  /** When the person last proved who they are, here or to a provider: the first factor. */
  get firstFactorAt(): Date | undefined {
    const { passwordCheckedAt, externalCheckedAt } = this.facts;
    return (this.isByProvider ? externalCheckedAt : passwordCheckedAt) ?? undefined;
  }

  /** When the person last proved anything (OIDC Core §2, `auth_time`). */
  get authTime(): Date | undefined {
    const {
      firstFactorAt: first,
      factor: { checkedAt: second },
    } = this;
    return first !== undefined && second !== undefined && second > first ? second : first;
  }

  /**
   * RFC 8176: what was really checked here, of the second factor as far as it counts now or was checked since the request
   * came. By which means a provider knows somebody, there is no value to say.
   */
  amrAt(now: Date, since: Date = now): string[] {
    const first = this.facts.passwordCheckedAt && !this.isByProvider ? ['pwd'] : [];
    const { checkedAt } = this.factor;
    const counts = checkedAt !== undefined && (checkedAt >= since || this.factor.isFresh(now));
    return counts ? [...first, 'otp', 'mfa'] : first;
  }

  /** Whether what somebody typed or hinted means this account. */
  answersTo(typed: string): boolean {
    const key = toNameKey(typed.trim());
    // A name that others may have elsewhere means nobody without its domain.
    if (this.facts.emailVerified && key === toNameKey(this.facts.email)) return true;
    return key === toNameKey(this.loginName) || (this.facts.nameScope === '' && key === toNameKey(this.facts.userName));
  }

  /**
   * Whether the person proved who they are lately enough by the login policy. The latest proof alone says so, as it alone says
   * how they are signed in: an older password would count as what a provider has said, and need no second factor.
   */
  isFresh(now: Date): boolean {
    const { passwordCheckedAt, passwordCheckLifetimeSeconds, externalCheckedAt, externalCheckLifetimeSeconds } =
      this.facts;
    if (this.isByProvider) return counts(externalCheckedAt, externalCheckLifetimeSeconds, now);
    return counts(passwordCheckedAt, passwordCheckLifetimeSeconds, now);
  }

  /** Whether the latest proof of who it is is that of a provider. */
  get isByProvider(): boolean {
    const { passwordCheckedAt, externalCheckedAt } = this.facts;
    return externalCheckedAt !== null && (passwordCheckedAt === null || externalCheckedAt > passwordCheckedAt);
  }
}

function counts(checkedAt: Date | null, lifetimeSeconds: number, now: Date): boolean {
  return checkedAt !== null && secondsAfter(checkedAt, lifetimeSeconds) > now;
}
