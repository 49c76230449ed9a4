import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type Transaction } from '../../foundation/database/database.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { SessionService } from '../../session/session.service.js';
import { AccountRemovals, type CheckedRemoval, type ClosedAccount } from '../../user/account-removals.js';
import { Memberships } from '../../user/permission/memberships.js';
import { checkPerson } from '../../user/person.service.js';
import type { User } from '../../user/user.entity.js';
import { selfServiceClosed, userChanged } from '../../user/user.errors.js';
import { UserRemoval } from './user-removal.js';

/** Stands for a session to be kept where all shall end. */
const NONE = '';

/** Users who delete their own account, or take it back. */
@Injectable()
export class MyRemoval implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly removals: AccountRemovals,
    private readonly removal: UserRemoval,
    private readonly sessions: SessionService,
    private readonly memberships: Memberships,
    private readonly policies: PolicyService,
  ) {}

  onModuleInit(): void {
    this.removals.register(async (tx, userId) => {
      await this.end(tx, userId);
      await this.removal.remove(tx, userId, userId);
    });
  }

  /**
   * Closes the account: sessions and tokens end with the commit. The row goes when the time of the policy has passed,
   * or now if that is 0. The caller holds the session in which the user has proved who they are, which locks the user:
   * a sign-in elsewhere has begun its session, which ends here, or finds the account closed.
   * @throws DomainError PermissionDenied `user.self_service_closed`; FailedPrecondition `member.last_owner`,
   * `member.last_org_owner`, `user.not_person`; Aborted `user.changed` if the account is not active any more
   */
  async close(tx: Transaction, user: User): Promise<ClosedAccount> {
    const { id: userId, orgId } = user;
    checkPerson(user);
    if (user.state !== 'active') throw userChanged();
    const { policy } = await this.policies.read('selfService', orgId, tx);
    if (!policy.deleteAccount) throw selfServiceClosed('deleteAccount');
    await this.memberships.checkOwnersRemain(tx, userId);
    await this.end(tx, userId);
    if (policy.accountDeletionGraceDays > 0) return this.removals.begin(tx, user, policy.accountDeletionGraceDays);
    return { mark: await this.removal.remove(tx, userId, userId), dueAt: undefined };
  }

  /** False if the code was used already, or the account is not to be taken back any more. */
  async takeBack(code: CheckedRemoval): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const isBack = await this.removals.takeBack(tx, code);
      if (isBack) await this.end(tx, code.userId);
      return isBack;
    });
  }

  private async end(tx: Transaction, userId: string): Promise<void> {
    await this.sessions.endOthersOf(tx, userId, NONE);
  }
}
