import type { VNode } from 'preact';
import type { LoginTexts } from '../catalogue/catalogue.js';
import { fill } from '../catalogue/catalogue.js';

/** The complexity that a new password must have, as the password policy says it. */
export interface PasswordRules {
  /** In characters. */
  readonly minLength: number;
  readonly uppercase: boolean;
  readonly lowercase: boolean;
  readonly number: boolean;
  readonly symbol: boolean;
}

/** The password fields name this list as their description. */
export const passwordRulesId = 'password-rules';

export function PasswordRuleList({ rules, texts }: { readonly rules: PasswordRules; readonly texts: LoginTexts }): VNode {
  const words = texts.passwordRule;
  const demanded = (['uppercase', 'lowercase', 'number', 'symbol'] as const).filter((rule) => rules[rule]);
  return (
    <div class="rules" id={passwordRulesId}>
      <p>{words.title}</p>
      <ul>
        <li>{fill(words.minLength, { count: rules.minLength })}</li>
        {demanded.map((rule) => (
          <li>{words[rule]}</li>
        ))}
      </ul>
    </div>
  );
}
