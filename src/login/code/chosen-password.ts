import type { Form } from '../../foundation/http/form.js';
import type { CodeField } from '../../foundation/page/code.page.js';
import type { FormError } from '../../foundation/page/part/form-error.js';
import type { PasswordPolicy } from '../../user/password-policy.js';
import { newPasswordProblem } from '../new-password.js';

/** What is wrong with the chosen password of a form, if anything. */
export function passwordError(form: Form, policy: PasswordPolicy): FormError<CodeField> | undefined {
  const password = form.find('password');
  const problem = newPasswordProblem(password, policy);
  if (problem) return { field: 'password', ...problem };
  return password === form.find('passwordRepeat') ? undefined : { field: 'passwordRepeat', reason: 'passwordsDiffer' };
}
