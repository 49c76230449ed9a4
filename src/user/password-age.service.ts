import { Injectable } from '@nestjs/common';
import { Database } from '../foundation/database/database.js';
import { statement } from '../foundation/database/statement.js';
import { SYSTEM } from '../foundation/event/journal.js';
import { Clock } from '../foundation/time/clock.js';
import { seconds, secondsAfter } from '../foundation/time/duration.js';
import { PolicyService } from '../org/policy/policy.service.js';
import type { SignInAccount } from './account.js';
import { UserService } from './user.service.js';

const IS_OLD = statement(
  'user.password_is_old',
  `SELECT 1
   FROM user_account
   WHERE id = :userId AND password_changed_at <= :oldest AND NOT password_change_required`,
);

const CHANGED_AT = statement(
  'user.password_changed_at',
  'SELECT password_changed_at AS "changedAt" FROM user_account WHERE id = :userId',
).rows<{ changedAt: Date | null }>();

/** Requires a new password from users who sign in with one that is older than the password age policy allows. */
@Injectable()
export class PasswordAgeService {
  constructor(
    private readonly database: Database,
    private readonly policies: PolicyService,
    private readonly users: UserService,
    private readonly clock: Clock,
  ) {}

  /** When the password that was just used expires, if the policy demands a warning. */
  async findWarning({ userId, orgId }: Pick<SignInAccount, 'userId' | 'orgId'>): Promise<Date | undefined> {
    const { maxAgeDays, expireWarnDays } = await this.policies.effective('passwordAge', orgId);
    if (maxAgeDays === 0 || expireWarnDays === 0) return undefined;
    const [row] = await this.database.query(CHANGED_AT, { userId });
    if (!row?.changedAt) return undefined;
    const expiresAt = secondsAfter(row.changedAt, maxAgeDays * seconds.perDay);
    const now = this.clock.now();
    return expiresAt > now && expiresAt <= secondsAfter(now, expireWarnDays * seconds.perDay) ? expiresAt : undefined;
  }

  /** Whether the password is older than the policy allows, so that the user learns why a new one is required. */
  async isExpired({ userId, orgId }: Pick<SignInAccount, 'userId' | 'orgId'>): Promise<boolean> {
    const { maxAgeDays } = await this.policies.effective('passwordAge', orgId);
    if (maxAgeDays === 0) return false;
    const [row] = await this.database.query(CHANGED_AT, { userId });
    return row?.changedAt != null && row.changedAt <= secondsAfter(this.clock.now(), -maxAgeDays * seconds.perDay);
  }

  /** Requires a new password if the one that was just used is too old. */
  async check({ userId, orgId }: Pick<SignInAccount, 'userId' | 'orgId'>): Promise<void> {
    const { maxAgeDays } = await this.policies.effective('passwordAge', orgId);
    if (maxAgeDays === 0) return;
    const oldest = secondsAfter(this.clock.now(), -maxAgeDays * seconds.perDay);
    if ((await this.database.query(IS_OLD, { userId, oldest })).length === 0) return;
    await this.database.transaction((tx) =>
      this.users.change(tx, userId, { passwordChangeRequired: true }, 'user.human.password.expired', SYSTEM),
    );
  }
}
