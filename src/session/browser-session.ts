import { secondsAfter } from '../foundation/time/duration.js';
import { loginNameOf, toNameKey } from '../user/user-name.js';
import { type AskableFactor, type SecondFactorFacts, SessionFactor } from './session-factor.js';

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
  /** When a provider last signed the user in, and which one. */
  readonly externalCheckedAt: Date | null;
  readonly externalIdpId: string | null;
  /** When the user last proved there who they are; null if no proof counts (`momentOfProof`). */
  readonly externalProvedAt: Date | null;
  readonly externalCheckLifetimeSeconds: number;
  /** When the user last signed in with a passkey. */
  readonly passkeyCheckedAt: Date | null;
  readonly passkeyCheckLifetimeSeconds: number;
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

  /** The session as it would be if these facts were so: for explaining a sign-in that has not happened. */
  supposing(change: (facts: BrowserSessionFacts) => Partial<BrowserSessionFacts>): BrowserSession {
    return new BrowserSession({ ...this.facts, ...change(this.facts) });
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

  get userName(): string {
    return this.facts.userName;
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

  /** A user who came through a provider or with a passkey has not used the password, and need not know it. */
  get mustChangePassword(): boolean {
    return this.facts.passwordChangeRequired && this.latestProof === 'password';
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

  /** When a passkey was last used here. */
  get passkeyCheckedAt(): Date | undefined {
    return this.facts.passkeyCheckedAt ?? undefined;
  }

  /** The method by which the user last authenticated; of two at the same time, the password. */
  get latestProof(): 'password' | 'provider' | 'passkey' {
    const { passwordCheckedAt: password, externalCheckedAt: provider, passkeyCheckedAt: passkey } = this.facts;
    if (passkey !== null && isLater(passkey, password) && isLater(passkey, provider)) return 'passkey';
    return provider !== null && isLater(provider, password) ? 'provider' : 'password';
  }

  /** When the user last authenticated, here or at a provider: the first factor. */
  get firstFactorAt(): Date | undefined {
    return this.checkOf(this.latestProof).at ?? undefined;
  }

  /**
   * When the user last proved the first factor, for what needs a new proof: a provider may sign users in without one,
   * from a session of its own, so that this is earlier than `firstFactorAt`, or never (ACC-018).
   */
  get provedAt(): Date | undefined {
    return this.isByProvider ? (this.facts.externalProvedAt ?? undefined) : this.firstFactorAt;
  }

  /** The second factors that this sign-in can use, the preferred one first: a passkey does not follow itself. */
  usableFactors(isRequired: boolean): AskableFactor[] {
    return this.factor.usable(isRequired && this.latestProof !== 'passkey');
  }

  /** Whether the last use of a passkey stands for both factors, by the login policy and its age. */
  hasFreshPasskey(now: Date): boolean {
    const { at, lifetimeSeconds } = this.checkOf('passkey');
    return this.factor.isPasskeyEnough && counts(at, lifetimeSeconds, now);
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
    const first = this.facts.passwordCheckedAt && this.latestProof === 'password' ? ['pwd'] : [];
    const { checkedAt, isKey } = this.factor;
    const isTwice = checkedAt !== undefined && (checkedAt >= since || this.factor.isFresh(now));
    const { passkeyCheckedAt } = this;
    const isByPasskey =
      passkeyCheckedAt !== undefined &&
      (this.latestProof === 'passkey' || passkeyCheckedAt >= since || this.hasFreshPasskey(now));
    const user = isByPasskey || (isTwice && isKey) ? ['user'] : [];
    const otp = isTwice && !isKey ? ['otp'] : [];
    const mfa = isTwice || (isByPasskey && this.factor.isPasskeyEnough) ? ['mfa'] : [];
    return [...first, ...user, ...otp, ...mfa];
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
    const { at, lifetimeSeconds } = this.checkOf(this.latestProof);
    return counts(at, lifetimeSeconds, now);
  }

  /** Whether the latest authentication was by a provider. */
  get isByProvider(): boolean {
    return this.latestProof === 'provider';
  }

  private checkOf(proof: BrowserSession['latestProof']): {
    readonly at: Date | null;
    readonly lifetimeSeconds: number;
  } {
    const { facts } = this;
    switch (proof) {
      case 'password':
        return { at: facts.passwordCheckedAt, lifetimeSeconds: facts.passwordCheckLifetimeSeconds };
      case 'provider':
        return { at: facts.externalCheckedAt, lifetimeSeconds: facts.externalCheckLifetimeSeconds };
      case 'passkey':
        return { at: facts.passkeyCheckedAt, lifetimeSeconds: facts.passkeyCheckLifetimeSeconds };
    }
  }
}

function isLater(moment: Date, other: Date | null): boolean {
  return other === null || moment > other;
}

function counts(checkedAt: Date | null, lifetimeSeconds: number, now: Date): boolean {
  return checkedAt !== null && secondsAfter(checkedAt, lifetimeSeconds) > now;
}
