import { Injectable } from '@nestjs/common';
import { type AttemptLimit, AttemptService, TooManyAttempts } from '../../foundation/attempt/attempt.service.js';
import type { Secret } from '../../foundation/config/secret.js';
import { Database } from '../../foundation/database/database.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { Logger } from '../../foundation/log/logger.js';
import { MAX_PASSWORD_CHARACTERS, PasswordHash, type PasswordMatch } from '../../foundation/password/password-hash.js';
import { composed } from '../../foundation/password/typed-password.js';
import type { SignInAccount } from '../../user/account.js';
import { PasswordAgeService } from '../../user/password-age.service.js';
import { PasswordMixes } from '../../user/password-mixes.js';
import { UserService } from '../../user/user.service.js';
import { toNameKey } from '../../user/user-name.js';
import type { Candidate } from '../candidate.js';
import { type BegunSession, type RefusedSignIn, SessionService } from '../session.service.js';
import { type PasswordLimits, passwordLimits, turnOf } from './limits.js';
import { LockoutService } from './lockout.service.js';
import { RefusedSignIns } from './refused-sign-ins.js';
import { UnderWay } from './under-way.js';

export interface PasswordTrial {
  /** The name as it was typed. */
  readonly loginName: string;
  readonly password: Secret;
  /** The organization of the user; undefined for any. */
  readonly orgId: string | undefined;
  readonly address: string;
}

/** A user who has typed the right password, and is not signed in yet. */
export interface ProvedPassword {
  readonly candidate: Candidate;
  /** The counts that start again with the sign-in. */
  readonly clearedAttempts: readonly string[];
}

type Refusal =
  | 'unknown'
  | 'account_limited'
  | 'password_too_long'
  | 'password_not_set'
  | 'password_wrong'
  | 'account_locked'
  | 'account_inactive'
  | 'account_not_set_up'
  | 'account_not_active'
  | 'account_changed'
  | 'passwords_not_allowed';

/**
 * A refused sign-in. The user learns why only after the right password: that one is no stranger, and would otherwise
 * choose new passwords for an account that is locked (LOG-024, LOG-054).
 */
export interface RefusedPassword {
  readonly kind: 'refused';
  readonly because: 'account_locked' | 'account_inactive' | 'passwords_not_allowed' | undefined;
}

/** The time within which most of a crowd of sign-ins has been checked. */
const CROWD_RETRY_SECONDS = 5;

/**
 * Checks a password against the account of a login name. Every refusal before the right password is one answer after
 * the same work, whether or not the account exists: one look-up, one hash, one event, one line in the log. The cost of
 * the hash reveals nothing either: an existing account always has its own hash checked, and unknown names are spread
 * over the kinds of hashes as the users are.
 */
@Injectable()
export class PasswordCheck {
  private readonly underWay = new UnderWay();

  constructor(
    private readonly attempts: AttemptService,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly lockout: LockoutService,
    private readonly ages: PasswordAgeService,
    private readonly hashes: PasswordHash,
    private readonly mixes: PasswordMixes,
    private readonly refused: RefusedSignIns,
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  /**
   * The account, or undefined for a refusal of any kind. Everything is settled.
   * @throws DomainError as `signIn`
   */
  async check(trial: PasswordTrial): Promise<SignInAccount | undefined> {
    const account = await this.users.findByLoginName(trial.loginName, trial.orgId ?? '');
    const { limits } = await this.test(trial, account);
    if (!account || !limits) return undefined;
    if (!(await this.attempts.unlessFailed(allOf(limits), () => this.lockout.recordGoodPassword(account)))) {
      await this.record(account, 'account_not_active', trial.address);
      return undefined;
    }
    await this.forgive(limits);
    return account;
  }

  /**
   * Signs in the user who has typed the right password, by `begin`, and settles the attempt by what that returns. An
   * attempt whose `begin` fails does not count: a service that fails must not lock its users out.
   * @throws DomainError ResourceExhausted `attempt.too_many`: counted before the password is checked, so that even the
   * right one is refused; `password.busy`, which does not count as an attempt; and what `begin` throws
   */
  async signIn<Begun extends BegunSession>(
    trial: PasswordTrial,
    browserId: string,
    begin: (proved: ProvedPassword) => Promise<Begun | RefusedSignIn>,
  ): Promise<Begun | RefusedSignIn | RefusedPassword> {
    const candidate = await this.sessions.findCandidate(trial.loginName, trial.orgId ?? '', browserId);
    const { limits, refusal } = await this.test(trial, candidate?.account);
    if (!candidate || !limits) return { kind: 'refused', because: tellable(refusal) };
    const clearedAttempts = this.attempts.keysOf([limits.name, limits.account]);
    const begun = await this.attempts.unlessFailed(allOf(limits), () => begin({ candidate, clearedAttempts }));
    if ('refusal' in begun && begun.refusal !== 'browser_replaced')
      await this.record(candidate.account, 'account_changed', trial.address);
    else if ('refusal' in begun || begun.isRepeated) await this.settle(candidate.account, limits);
    else this.attempts.giveBack(limits.address); // the statement that signed in has settled what the account needs
    return begun;
  }

  /** The password was right, but signed no user in that another form has not signed in already. */
  private async settle(account: SignInAccount, limits: PasswordLimits): Promise<void> {
    await this.lockout.recordGoodPassword(account);
    await this.forgive(limits);
  }

  /** A right password: wrong ones no longer count for the account, and this attempt does not for the address. */
  private async forgive({ name, account, address }: PasswordLimits): Promise<void> {
    await this.attempts.forgive([name, account], [address]);
  }

  /**
   * Counts the attempt and checks the password; the limits that it was counted against if it is right, otherwise why
   * not.
   */
  private async test(
    trial: PasswordTrial,
    account: SignInAccount | undefined,
  ): Promise<{ readonly limits?: PasswordLimits; readonly refusal?: Refusal }> {
    const limits = passwordLimits(trial.loginName, account?.userId, trial.address);
    const isLimited = await this.count(limits);
    const match = await this.underWay.during(limits.address, () =>
      this.attempts.unlessFailed(allOf(limits), () => this.verify(account?.passwordHash ?? undefined, trial)),
    );
    const refusal = refusalOf(trial.password, account, { isLimited, right: match !== 'wrong' });
    if (account && refusal === undefined) {
      await this.attempts.unlessFailed(allOf(limits), () => this.ages.check(account));
      if (match === 'outdated') await this.upgradeHash(account, trial);
      return { limits };
    }
    // A wrong password takes the same time whether or not the account, or its password, exists.
    if (refusal === 'unknown' || refusal === 'password_not_set' || refusal === 'account_limited')
      await this.lockout.recordFailedPassword(undefined);
    if (refusal === 'password_wrong' || refusal === 'password_too_long')
      await this.lockout.recordFailedPassword(account);
    await this.record(account, refusal ?? 'unknown', trial.address);
    return { refusal: refusal ?? 'unknown' };
  }

  /**
   * Many colleagues who sign in at once are no attack: if the limit of their address is reached only by what is still
   * being checked, they are asked to come back in a moment instead of when the window ends.
   */
  private async count(limits: PasswordLimits): Promise<boolean> {
    try {
      return await this.attempts.count(allOf(limits));
    } catch (error) {
      const isCrowd =
        error instanceof TooManyAttempts &&
        error.limit === limits.address &&
        error.failures - this.underWay.of(limits.address) <= limits.address.failures;
      throw isCrowd ? new TooManyAttempts(error.limit, error.failures, CROWD_RETRY_SECONDS) : error;
    }
  }

  /** Checks a decoy if there is no hash. A password of absurd length is never checked. */
  private async verify(passwordHash: string | undefined, trial: PasswordTrial): Promise<PasswordMatch> {
    const { password, loginName, address } = trial;
    const turn = turnOf(address, toNameKey(loginName.trim()));
    if (isTooLong(password)) return 'wrong';
    // Looked up even if it is not needed, since that takes time, too.
    const setting = await this.mixes.decoySettingFor(loginName, trial.orgId);
    return passwordHash
      ? this.hashes.check(passwordHash, password, turn)
      : this.hashes.verifyDecoy(setting, password, turn);
  }

  private async record(account: SignInAccount | undefined, reason: Refusal, address: string): Promise<void> {
    await this.refused.record('password', account, SYSTEM, { reason });
    this.log.warn({ reason: `sign_in.${reason}`, userId: account?.userId, address }, 'sign-in refused');
  }

  /** Renews the hash for the next sign-in. Even if this fails, the user has proved the password. */
  private async upgradeHash(account: SignInAccount, { password, address }: PasswordTrial): Promise<void> {
    const { userId, passwordHash } = account;
    if (passwordHash === null) return;
    try {
      const upgraded = await this.hashes.hash(password, turnOf(address, userId));
      await this.database.transaction((tx) => this.users.upgradePasswordHash(tx, userId, passwordHash, upgraded));
    } catch (error) {
      this.log.warn({ err: error, userId }, 'password hash not upgraded');
    }
  }
}

const allOf = ({ name, account, address }: PasswordLimits): readonly AttemptLimit[] => [name, account, address];

const NOT_ACTIVE = {
  locked: 'account_locked',
  inactive: 'account_inactive',
  initial: 'account_not_set_up',
} as const satisfies Record<Exclude<SignInAccount['state'], 'active'>, Refusal>;

/** The reason if the page may say it, because only a user who has typed the right password can meet it. */
function tellable(refusal: Refusal | undefined): RefusedPassword['because'] {
  return refusal === 'account_locked' || refusal === 'account_inactive' || refusal === 'passwords_not_allowed'
    ? refusal
    : undefined;
}

function refusalOf(
  password: Secret,
  account: SignInAccount | undefined,
  { isLimited, right }: { isLimited: boolean; right: boolean },
): Refusal | undefined {
  if (!account) return 'unknown';
  if (isLimited) return 'account_limited';
  if (isTooLong(password)) return 'password_too_long';
  if (account.passwordHash === null) return 'password_not_set';
  if (!right) return 'password_wrong';
  if (account.state !== 'active') return NOT_ACTIVE[account.state];
  return account.passwordsAllowed ? undefined : 'passwords_not_allowed';
}

function isTooLong(password: Secret): boolean {
  return [...composed(password).reveal()].length > MAX_PASSWORD_CHARACTERS;
}
