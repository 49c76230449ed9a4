import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { paths } from '../../org/instance/paths.js';
import { PolicyService } from '../../org/policy/policy.service.js';
import type { FormError } from '../../page/part/form-error.js';
import type { PasswordChangeField } from '../../page/part/password-change-fields.js';
import type { LoginPage } from '../../page/render.js';
import { turnOf } from '../../session/proof/limits.js';
import { isRepeated, newPasswordProblem } from '../../session/proof/new-password.js';
import { PasswordCheck } from '../../session/proof/password-check.js';
import { SessionService } from '../../session/session.service.js';
import { SessionChanges } from '../../session/session-changes.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { UserService } from '../../user/user.service.js';
import type { SignedInVisit } from '../../visit/signed-in-visit.js';
import type { AccountSection, Opened, SectionOutcome } from '../account-section.js';

/** The password: a new one, or the first. */
@Injectable()
export class PasswordSection implements AccountSection<PasswordChangeField> {
  readonly name = 'password';
  readonly path = paths.accountPassword;
  readonly kept = [];
  readonly checksPassword = true;
  readonly provesFirst = true;
  /** Password managers lead users here (`/.well-known/change-password`). */
  readonly isLedTo = true;

  constructor(
    private readonly changes: SessionChanges,
    private readonly logins: PolicyService,
    private readonly policies: PasswordPolicyService,
    private readonly passwords: PasswordCheck,
    private readonly hashes: PasswordHash,
    private readonly users: UserService,
    private readonly sessions: SessionService,
  ) {}

  async isOpen({ session, selfService }: SignedInVisit): Promise<boolean> {
    if (!selfService.changePassword) return false;
    return (await this.logins.effective('login', session.orgId)).allowUsernamePassword;
  }

  async page(
    visit: SignedInVisit,
    { frame }: Opened,
    errors?: readonly FormError<PasswordChangeField>[],
  ): Promise<LoginPage> {
    const { hasPassword, orgId } = visit.session;
    const target = visit.formTo(this.path);
    return { page: 'accountPassword', frame, target, rules: await this.policies.of(orgId), hasPassword, errors };
  }

  /** Ends the user's other sessions and all tokens issued so far; this session continues (LOG-045). */
  async submit(visit: SignedInVisit, form: Form): Promise<SectionOutcome<PasswordChangeField>> {
    const { session, setting, address } = visit;
    const oldPassword = form.find('oldPassword');
    const newPassword = form.find('newPassword');
    if (session.hasPassword && oldPassword === undefined)
      return again({ field: 'oldPassword', reason: 'passwordMissing' });
    const own = [session.loginName, session.displayName, setting.brand];
    const problem = newPasswordProblem(newPassword, await this.policies.of(session.orgId), own);
    if (newPassword === undefined || problem)
      return again({ field: 'newPassword', reason: 'newPasswordMissing', ...problem });
    if (!isRepeated(form, 'newPasswordRepeat', newPassword))
      return again({ field: 'newPasswordRepeat', reason: 'passwordsDiffer' });
    if (newPassword === oldPassword) return again({ field: 'newPassword', reason: 'passwordUnchanged' });
    if (session.hasPassword && !(await this.isOwn(visit, oldPassword ?? '')))
      return again({ field: 'oldPassword', reason: 'oldPasswordWrong' });
    const passwordHash = await this.hashes.hash(new Secret(newPassword), turnOf(address, session.userId));
    await this.changes.make(visit, async (tx) => {
      await this.users.setPassword(tx, session.userId, passwordHash, { changeRequired: false }, session.userId);
      await this.sessions.endOthersOf(tx, session.userId, session.id);
    });
    return { kind: 'done', what: 'password' };
  }

  private async isOwn({ session, address }: SignedInVisit, password: string): Promise<boolean> {
    const { loginName, orgId, userId } = session;
    const account = await this.passwords.check({ loginName, password: new Secret(password), orgId, address });
    return account?.userId === userId;
  }
}

function again(...errors: FormError<PasswordChangeField>[]): SectionOutcome<PasswordChangeField> {
  return { kind: 'again', errors };
}
