import { MAX_PASSWORD_CHARACTERS } from '../foundation/crypto/password-hash.js';
import type { FormErrorReason } from '../foundation/page/part/form-error.js';
import { brokenRules, type PasswordPolicy } from '../user/password-policy.js';

interface Problem {
  readonly reason: FormErrorReason;
  readonly count?: number;
}

/** What is wrong with a chosen password; undefined if it is acceptable. */
export function newPasswordProblem(password: string | undefined, policy: PasswordPolicy): Problem | undefined {
  if (password === undefined) return { reason: 'newPasswordMissing' };
  const broken = brokenRules(password, policy);
  if (broken.includes('maxLength')) return { reason: 'passwordTooLong', count: MAX_PASSWORD_CHARACTERS };
  return broken.length > 0 ? { reason: 'passwordRulesBroken' } : undefined;
}
