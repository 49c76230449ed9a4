import { Injectable } from '@nestjs/common';
import { Secret } from '../../foundation/config/secret.js';
import type { Form } from '../../foundation/http/form.js';
import { PasswordHash } from '../../foundation/password/password-hash.js';
import { SignInChanges } from '../../management/user/sign-in-changes.js';
import { paths } from '../../org/instance/paths.js';
import type { PasswordChangeField } from '../../page/part/password-change-fields.js';
import type { LoginPage } from '../../page/render.js';
import { withExpiryAcknowledged, withPasswordChanged } from '../../session/auth-request/auth-request.js';
import { turnOf } from '../../session/proof/limits.js';
import { isRepeated, newPasswordProblem } from '../../session/proof/new-password.js';
import { PasswordCheck } from '../../session/proof/password-check.js';
import { PasswordAgeService } from '../../user/password-age.service.js';
import { PasswordPolicyService } from '../../user/password-policy.service.js';
import { again, type LoginStep, type Retry, type StepOutcome, taken } from '../login-step.js';
import type { Visit } from '../visit.js';

/** Requires a new password if the account demands one. */
@Injectable()
export class ChangePasswordStep implements LoginStep<PasswordChangeField> {
  readonly step = 'change-password';
  readonly path = paths.passwordChange;
  readonly reach = 'due';

  constructor(
    private readonly passwords: PasswordCheck,
    private readonly policies: PasswordPolicyService,
    private readonly hashes: PasswordHash,
    private readonly ages: PasswordAgeService,
    private readonly changes: SignInChanges,
  ) {}

  async page(visit: Visit, retry?: Retry<PasswordChangeField>): Promise<LoginPage | undefined> {
    if (!visit.session) return undefined;
    return {
      page: 'passwordChange',
      form: visit.formTo(this.path),
      rules: await this.policies.of(visit.session.orgId),
      loginName: visit.session.loginName,
      otherAccountHref: paths.loginName,
      because: (await this.ages.isExpired(visit.session)) ? 'expired' : 'required',
      errors: retry?.errors,
    };
  }

  /** Ends the user's other sessions and all tokens issued so far; this session continues (LOG-045). */
  async submit(visit: Visit, form: Form): Promise<StepOutcome<PasswordChangeField>> {
    const { session } = visit;
    if (!session) return taken;
    const oldPassword = form.find('oldPassword');
    const newPassword = form.find('newPassword');
    if (oldPassword === undefined) return again({ field: 'oldPassword', reason: 'passwordMissing' });
    const problem = newPasswordProblem(newPassword, await this.policies.of(session.orgId), [
      session.loginName,
      session.displayName,
      visit.setting.brand,
    ]);
    if (newPassword === undefined || problem)
      return again({ field: 'newPassword', reason: 'newPasswordMissing', ...problem });
    if (!isRepeated(form, 'newPasswordRepeat', newPassword))
      return again({ field: 'newPasswordRepeat', reason: 'passwordsDiffer' });
    if (newPassword === oldPassword) return again({ field: 'newPassword', reason: 'passwordUnchanged' });
    const account = await this.passwords.check({
      loginName: session.loginName,
      password: new Secret(oldPassword),
      orgId: session.orgId,
      address: visit.address,
    });
    if (account?.userId !== session.userId) return again({ field: 'oldPassword', reason: 'oldPasswordWrong' });
    const { userEpoch } = account;
    const passwordHash = await this.hashes.hash(new Secret(newPassword), turnOf(visit.address, session.userId));
    const isDone = await this.changes.changePassword(session, userEpoch, passwordHash);
    return isDone
      ? { kind: 'taken', request: withPasswordChanged(withExpiryAcknowledged(visit.request, false)) }
      : again({ field: 'oldPassword', reason: 'oldPasswordWrong' });
  }
}
