import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { statement } from '../database/statement.js';
import { SYSTEM } from '../event/journal.js';
import { PolicyService } from '../policy/policy.service.js';
import { Clock } from '../time/clock.js';
import { seconds, secondsAfter } from '../time/duration.js';
import type { SignInAccount } from './account.js';
import { UserService } from './user.service.js';

const IS_OLD = statement(
  'user.password_is_old',
  'SELECT 1 FROM user_account WHERE id = $1 AND password_changed_at <= $2 AND NOT password_change_required',
);

/** Demands a new password of whoever signs in with one that is older than the password age policy allows. */
@Injectable()
export class PasswordAgeService {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  async check({ userId, orgId }: Pick<SignInAccount, 'userId' | 'orgId'>): Promise<void> {
    const { maxAgeDays } = await this.policies.effective('passwordAge', orgId);
    if (maxAgeDays === 0) return;
    const oldest = secondsAfter(this.clock.now(), -maxAgeDays * seconds.perDay);
    if ((await this.database.query(IS_OLD, [userId, oldest])).length === 0) return;
    await this.database.transaction((tx) => this.users.change(tx, userId, { passwordChangeRequired: true }, 'user.human.password.expired', SYSTEM));
  }
}
