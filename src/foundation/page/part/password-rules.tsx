import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
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

/**
 * The same rules for the browser, which shows while the user types which ones are met; `brokenRules` decides.
 * Its expressions count code points (`pattern` has the flag `v`).
 */
export function checkedBy(
  rules: PasswordRules,
  texts: PageTexts,
): { readonly pattern: string; readonly title: string } {
  const demanded = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).filter((rule) => rules[rule]);
  const title = `${texts.passwordRule.title} ${wordsOf(rules, texts).join(', ')}`;
  return { pattern: `${demanded.map((rule) => `(?=.*${CLASSES[rule]})`).join('')}.{${rules.minLength},}`, title };
}

const CLASSES = { uppercase: '\\p{Lu}', lowercase: '\\p{Ll}', number: '\\p{Nd}', symbol: '[^\\p{L}\\p{Nd}]' } as const;

function wordsOf(rules: PasswordRules, { passwordRule: words }: PageTexts): string[] {
  const demanded = (['uppercase', 'lowercase', 'number', 'symbol'] as const).filter((rule) => rules[rule]);
  return [fill(words.minLength, { count: rules.minLength }), ...demanded.map((rule) => words[rule])];
}

export function PasswordRuleList({
  rules,
  texts,
}: {
  readonly rules: PasswordRules;
  readonly texts: PageTexts;
}): VNode {
  return (
    <div class="rules" id={passwordRulesId}>
      <p>{texts.passwordRule.title}</p>
      <ul>
        {wordsOf(rules, texts).map((rule) => (
          <li>{rule}</li>
        ))}
      </ul>
    </div>
  );
}
