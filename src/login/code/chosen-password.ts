import type { Form } from '../../foundation/http/form.js';
import type { CodeField } from '../../page/code.page.js';
import type { FormError } from '../../page/part/form-error.js';
import { isRepeated, newPasswordProblem } from '../../session/proof/new-password.js';
import type { CodeOwner } from '../../user/account-codes.js';
import type { PasswordPolicy } from '../../user/password-policy.js';
import { loginNameOf } from '../../user/user-name.js';
import type { Guest } from './guest.js';

/** What is wrong with the chosen password of a form, if anything. */
export function passwordError(
  form: Form,
  policy: PasswordPolicy,
  own: readonly string[],
): FormError<CodeField> | undefined {
  const password = form.find('password');
  const problem = newPasswordProblem(password, policy, own);
  if (problem) return { field: 'password', ...problem };
  return isRepeated(form, 'passwordRepeat', password)
    ? undefined
    : { field: 'passwordRepeat', reason: 'passwordsDiffer' };
}

/** The words that others would try first: before the code is checked, only what the visitor has brought. */
export function ownWords({ link, setting }: Guest, owner?: CodeOwner): string[] {
  const { loginName = '' } = link;
  return [setting.brand, loginName, ...(owner ? [owner.userName, loginNameOf(owner)] : [])];
}
