import type { Form } from '../../foundation/http/form.js';
import { MAX_PASSWORD_CHARACTERS } from '../../foundation/password/password-hash.js';
import { isEasyToGuess } from '../../user/common-password.js';
import { brokenRules, type PasswordPolicy } from '../../user/password-policy.js';

interface Problem {
  readonly reason: 'newPasswordMissing' | 'passwordTooLong' | 'passwordRulesBroken' | 'passwordCommon';
  readonly count?: number;
}

/** Whether a form repeats the password as it is, or does not ask for that: where it can be seen, once is enough. */
export function isRepeated(form: Form, field: string, password: string | undefined): boolean {
  return !form.hasField(field) || form.find(field) === password;
}

/**
 * The problem of a chosen password; undefined if it is acceptable. `own`: the names and addresses of the user and of
 * the organization, which are guessed first.
 */
export function newPasswordProblem(
  password: string | undefined,
  policy: PasswordPolicy,
  own: readonly string[],
): Problem | undefined {
  if (password === undefined) return { reason: 'newPasswordMissing' };
  const broken = brokenRules(password, policy);
  if (broken.includes('maxLength')) return { reason: 'passwordTooLong', count: MAX_PASSWORD_CHARACTERS };
  if (broken.length > 0) return { reason: 'passwordRulesBroken' };
  return isEasyToGuess(password, own) ? { reason: 'passwordCommon' } : undefined;
}
