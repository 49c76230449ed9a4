import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { SYSTEM } from '../event/journal.js';
import { InstanceService } from '../instance/instance.service.js';
import { PolicyService } from '../policy/policy.service.js';
import type { SignInAccount } from './account.js';
import { UserService } from './user.service.js';

const COUNT = statement(
  'user.count_failed_password',
  `UPDATE user_account SET failed_password_checks = failed_password_checks + 1 WHERE id = $1 AND state = 'active'
   RETURNING failed_password_checks AS failures`,
);

const FORGIVE = statement(
  'user.forgive_failed_passwords',
  `UPDATE user_account SET failed_password_checks = 0 WHERE id = $1 AND state = 'active' RETURNING 1`,
);

/**
 * Locks accounts on which somebody guesses, where the lockout policy says so. Unlike the limit per minute this does not end
 * by itself: it takes an administrator.
 */
@Injectable()
export class LockoutService {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly instances: InstanceService,
    private readonly users: UserService,
  ) {}

  /**
   * One more wrong password in a row; the one that reaches the limit locks the account, and its tokens are dead with the
   * commit. Nobody's wrong password costs as much as somebody's.
   */
  async recordFailedPassword(account: Pick<SignInAccount, 'userId' | 'orgId'> | undefined): Promise<void> {
    const { maxPasswordAttempts } = await this.policies.effective('lockout', account?.orgId ?? (await this.instances.get()).id);
    if (maxPasswordAttempts === 0) return;
    await this.database.transaction(async (tx) => {
      const [row] = await tx.query<{ failures: number }>(COUNT, [account?.userId ?? '']);
      if (!row || row.failures < maxPasswordAttempts || !account) return;
      await this.users.change(tx, account.userId, { state: 'locked' }, 'user.state.locked', SYSTEM, { failedPasswordChecks: row.failures });
    });
  }

  /**
   * Only failures in a row count. Answers whether the account is still open: of many guesses at once the right one may come
   * after the one that locked it.
   */
  async recordGoodPassword({ userId, orgId }: Pick<SignInAccount, 'userId' | 'orgId'>): Promise<boolean> {
    const { maxPasswordAttempts } = await this.policies.effective('lockout', orgId);
    return maxPasswordAttempts === 0 || (await this.database.query(FORGIVE, [userId])).length > 0;
  }
}
