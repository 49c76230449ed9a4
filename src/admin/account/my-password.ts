import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import { invalidFields } from '../../foundation/error/domain-error.js';
import type { EventMark } from '../../foundation/event/journal.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { MyAccount } from '../../management/user/my-account.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import { PasswordCheck } from '../../session/proof/password-check.js';
import { SessionService } from '../../session/session.service.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { type Actor, turnOfActor } from '../../user/permission/actor.js';
import { selfServiceClosed } from '../../user/user.errors.js';
import { UserService } from '../../user/user.service.js';

/** Stands for a session to be kept where all shall end. */
const NONE = '';

/** The caller's own password, changed with a token from a new sign-in and with the old one. */
@Injectable()
export class MyPassword {
  constructor(
    private readonly account: MyAccount,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly passwords: PasswordCheck,
    private readonly rules: PasswordPolicyService,
    private readonly policies: PolicyService,
    private readonly hashes: PasswordHash,
  ) {}

  /**
   * Changes the password; `fields` of the request contain the two. Every token issued so far ends, and every session
   * but that of the token.
   * @throws DomainError as `MyAccount.prove`; InvalidArgument; ResourceExhausted `attempt.too_many`
   */
  async change(
    actor: Actor,
    { oldPassword, newPassword }: { readonly oldPassword: string; readonly newPassword: string },
    fields = { old: 'oldPassword', new: 'newPassword' },
  ): Promise<EventMark> {
    const entry = await this.account.prove(actor, 'changePassword');
    if (!(await this.policies.effective('login', entry.orgId)).allowUsernamePassword)
      throw selfServiceClosed('changePassword');
    await this.rules.check(entry.orgId, new Secret(newPassword), fields.new);
    if (newPassword === oldPassword)
      throw invalidFields([{ field: fields.new, description: 'must differ from the current password' }]);
    const { userId } = actor;
    if (entry.passwordChangedAt !== null && !(await this.isOwn(actor, entry.preferredLoginName, oldPassword)))
      throw invalidFields([{ field: fields.old, description: 'is not the current password' }]);
    const passwordHash = await this.hashes.hash(new Secret(newPassword), turnOfActor(actor));
    return this.account.make(actor, async (tx) => {
      const mark = await this.users.setPassword(tx, userId, passwordHash, { changeRequired: false }, userId);
      await this.sessions.endOthersOf(tx, userId, actor.signIn?.sessionId ?? NONE);
      return mark;
    });
  }

  /** Counted against the account alone: callers of this API are known, and may share an address with many. */
  private async isOwn({ userId, ownOrgId }: Actor, loginName: string, password: string): Promise<boolean> {
    const address = `account ${userId}`;
    const account = await this.passwords.check({ loginName, password: new Secret(password), orgId: ownOrgId, address });
    return account?.userId === userId;
  }
}
