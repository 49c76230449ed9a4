import { MAX_PASSWORD_CHARACTERS } from '../foundation/password/password-hash.js';

export type PasswordRule = 'minLength' | 'maxLength' | 'lowercase' | 'uppercase' | 'number' | 'symbol';

/** The rules that a new password must obey. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly lowercase: boolean;
  readonly uppercase: boolean;
  readonly number: boolean;
  readonly symbol: boolean;
}

/**
 * The rules that a password breaks; lengths are in Unicode code points of what is hashed. The password is never
 * trimmed.
 */
export function brokenRules(typed: string, policy: PasswordPolicy): PasswordRule[] {
  const password = typed.normalize('NFC');
  const length = [...password].length;
  const rules: Array<[PasswordRule, boolean]> = [
    ['minLength', length >= policy.minLength],
    ['maxLength', length <= MAX_PASSWORD_CHARACTERS],
    ['lowercase', !policy.lowercase || /\p{Ll}/u.test(password)],
    ['uppercase', !policy.uppercase || /\p{Lu}/u.test(password)],
    ['number', !policy.number || /\p{Nd}/u.test(password)],
    ['symbol', !policy.symbol || /[^\p{L}\p{M}\p{Nd}]/u.test(password)],
  ];
  return rules.filter(([, kept]) => !kept).map(([rule]) => rule);
}
