import { Injectable } from '@nestjs/common';
import { Database } from '../../foundation/database/database.js';
import { waitForDisk } from '../../foundation/database/disk-wait.js';
import { SYSTEM } from '../../foundation/event/journal.js';
import { InstanceService } from '../../org/instance/instance.service.js';
import type { LockoutPolicy } from '../../org/policy/lockout-policy.entity.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { SignInAccount } from '../../user/account.js';
import { FailedChecks, type Guessed } from '../../user/failed-checks.js';
import { UserService } from '../../user/user.service.js';
import { SessionService } from '../session.service.js';

const LIMITS = { password: 'maxPasswordAttempts', code: 'maxOtpAttempts' } as const satisfies Record<
  Guessed,
  keyof LockoutPolicy
>;

/** Stands for a session to be kept where all shall end. */
const NO_SESSION = '';

type Owner = Pick<SignInAccount, 'userId' | 'orgId'>;

/**
 * Locks accounts after too many wrong guesses, if the lockout policy says so. Unlike the limit per minute, this only
 * ends when an administrator unlocks the account.
 */
@Injectable()
export class LockoutService {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly instances: InstanceService,
    private readonly users: UserService,
    private readonly failures: FailedChecks,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Counts a wrong password; the one that reaches the limit locks the account and ends its sessions and tokens with the
   * commit. It takes the same time whether or not the account exists.
   */
  async recordFailedPassword(account: Owner | undefined): Promise<void> {
    await this.recordFailure('password', account);
  }

  /** Like `recordFailedPassword`, for a wrong code of a second factor. */
  async recordFailedCode(account: Owner): Promise<void> {
    await this.recordFailure('code', account);
  }

  /**
   * Forgets the failures, since only consecutive ones count. Returns whether the account is still open: a correct guess
   * that arrives after the lock must not count.
   */
  async recordGoodPassword(account: Owner): Promise<boolean> {
    return this.recordSuccess('password', account);
  }

  /** Like `recordGoodPassword`, for a right code. */
  async recordGoodCode(account: Owner): Promise<boolean> {
    return this.recordSuccess('code', account);
  }

  private async recordFailure(guessed: Guessed, account: Owner | undefined): Promise<void> {
    const limit = await this.limitOf(guessed, account?.orgId ?? (await this.instances.get()).id);
    await this.database.transaction(async (tx) => {
      // Without a limit nothing is counted, but the organizations of accounts may have one where the instance has none.
      const failures = await this.failures.count(tx, guessed, limit === 0 ? '' : (account?.userId ?? ''));
      if (!account || failures === undefined || failures < limit) return;
      await waitForDisk(tx); // unlike a count, a lock must survive a crash
      const payload = { [guessed === 'password' ? 'failedPasswordChecks' : 'failedCodeChecks']: failures };
      await this.users.change(tx, account.userId, { state: 'locked' }, 'user.state.locked', SYSTEM, payload);
      // Sessions end as when a manager locks the account: applications must not keep users who can no longer sign in
      // here.
      await this.sessions.endOthersOf(tx, account.userId, NO_SESSION, SYSTEM);
    });
  }

  /** The count also ends while there is no limit: it must not lock the account once there is one again. */
  private async recordSuccess(guessed: Guessed, { userId }: Owner): Promise<boolean> {
    return this.failures.forgive(this.database, guessed, userId);
  }

  private async limitOf(guessed: Guessed, orgId: string): Promise<number> {
    return (await this.policies.effective('lockout', orgId))[LIMITS[guessed]];
  }
}
