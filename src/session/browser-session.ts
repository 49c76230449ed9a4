import { loginNameOf, toNameKey } from '../user/user-name.js';
import { secondsAfter } from '../time/duration.js';

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
  readonly passwordChangeRequired: boolean;
  readonly userEpoch: number;
  readonly createdAt: Date;
  readonly passwordCheckedAt: Date | null;
  readonly passwordCheckLifetimeSeconds: number;
}

export class BrowserSession {
  constructor(private readonly facts: BrowserSessionFacts) {}

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

  get mustChangePassword(): boolean {
    return this.facts.passwordChangeRequired;
  }

  /** When the person last proved who they are (OIDC Core §2, `auth_time`). */
  get authTime(): Date | undefined {
    return this.facts.passwordCheckedAt ?? undefined;
  }

  /** RFC 8176: what was really checked. */
  get amr(): string[] {
    return this.facts.passwordCheckedAt ? ['pwd'] : [];
  }

  /** Whether what somebody typed or hinted means this account. */
  answersTo(typed: string): boolean {
    const key = toNameKey(typed.trim());
    // A name that others may have elsewhere means nobody without its domain.
    return key === toNameKey(this.loginName) || (this.facts.nameScope === '' && key === toNameKey(this.facts.userName));
  }

  /** Whether the password was checked lately enough by the login policy. */
  isFresh(now: Date): boolean {
    const { passwordCheckedAt, passwordCheckLifetimeSeconds } = this.facts;
    return passwordCheckedAt !== null && secondsAfter(passwordCheckedAt, passwordCheckLifetimeSeconds) > now;
  }
}
