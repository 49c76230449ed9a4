import type { VNode } from 'preact';
import type { PageTexts } from '../catalogue/catalogue.js';
import { fill } from '../catalogue/catalogue.js';

/** The complexity that a new password must have, as the password policy says it. */
export interface PasswordRules {
  /** The length in characters. */
  readonly minLength: number;
  readonly uppercase: boolean;
  readonly lowercase: boolean;
  readonly number: boolean;
  readonly symbol: boolean;
}

/** The password fields name this list as their description. */
export const passwordRulesId = 'password-rules';

/**
 * The rules in the form in which the browser shows, while the user types, which ones are met; `brokenRules` decides.
 * Its expressions count code points (`pattern` has the flag `v`).
 */
export function checkedBy(
  rules: PasswordRules,
  texts: PageTexts,
): { readonly pattern: string; readonly title: string } {
  const demanded = (Object.keys(CLASSES) as (keyof typeof CLASSES)[]).filter((rule) => rules[rule]);
  const title = `${texts.passwordRule.title} ${rulesOf(rules, texts)
    .map(({ words }) => words)
    .join(', ')}`;
  return { pattern: `${demanded.map((rule) => `(?=.*${CLASSES[rule]})`).join('')}.{${rules.minLength},}`, title };
}

const CLASSES = {
  uppercase: '\\p{Lu}',
  lowercase: '\\p{Ll}',
  number: '\\p{Nd}',
  symbol: '[^\\p{L}\\p{M}\\p{Nd}]',
} as const;

interface Rule {
  readonly words: string;
  /** The expression by which the browser tells that the rule is met. */
  readonly pattern: string;
}

function rulesOf(rules: PasswordRules, { passwordRule: words }: PageTexts): Rule[] {
  const demanded = (['uppercase', 'lowercase', 'number', 'symbol'] as const).filter((rule) => rules[rule]);
  return [
    { words: fill(words.minLength, { count: rules.minLength }), pattern: `^.{${rules.minLength},}$` },
    ...demanded.map((rule) => ({ words: words[rule], pattern: CLASSES[rule] })),
  ];
}

interface PasswordRuleListProps {
  readonly rules: PasswordRules;
  readonly texts: PageTexts;
  /** The field that they are about; a script ticks off what is met while the user types. */
  readonly field: string;
}

export function PasswordRuleList({ rules, texts, field }: PasswordRuleListProps): VNode {
  return (
    <div class="rules" id={passwordRulesId} data-rules-of={field}>
      <p>{texts.passwordRule.title}</p>
      <ul>
        {rulesOf(rules, texts).map(({ words, pattern }) => (
          <li data-pattern={pattern}>{words}</li>
        ))}
      </ul>
      <p>{texts.passwordRule.uncommon}</p>
    </div>
  );
}
