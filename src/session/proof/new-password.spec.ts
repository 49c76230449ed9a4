import { describe, expect, it } from '@jest/globals';
import { Form } from '../../foundation/http/form.js';
import { textsFor } from '../../page/catalogue/catalogue.js';
import { checkedBy } from '../../page/part/password-rules.js';
import { brokenRules, type PasswordPolicy } from '../../user/password-policy.js';
import { isRepeated } from './new-password.js';

const PASSWORDS = [
  '',
  'short',
  'Correct-Horse-7',
  'correct-horse-7',
  'CORRECT-HORSE-7',
  'Correct-Horse',
  'CorrectHorse7',
  '12345678',
  'ÀÉ-straße-٣',
  'пароль-Слово-1',
  '密码密码密码密码',
  '😀😀😀😀😀😀😀😀',
  '😀😀😀😀',
  'Aa1 Aa1 ',
  'Aa1!Aa1',
  ' Aa1Aa1Aa1',
  'A\u0301a1aaaaa',
  'ǅa1-aaaa',
];

const POLICIES: PasswordPolicy[] = [
  { minLength: 8, lowercase: true, uppercase: true, number: true, symbol: true },
  { minLength: 8, lowercase: false, uppercase: false, number: false, symbol: false },
  { minLength: 1, lowercase: true, uppercase: false, number: true, symbol: false },
  { minLength: 6, lowercase: false, uppercase: true, number: false, symbol: true },
];

/** How a browser applies the attribute (HTML, the pattern attribute). */
const accepts = (pattern: string, value: string): boolean => new RegExp(`^(?:${pattern})$`, 'v').test(value);

describe('The check of a new password in the browser', () => {
  it.each(POLICIES)('agrees with that of the service: %j', (policy) => {
    const { pattern } = checkedBy(policy, textsFor('en'));
    for (const password of PASSWORDS)
      expect([password, accepts(pattern, password)]).toEqual([password, brokenRules(password, policy).length === 0]);
  });

  it('uses the words of the page', () => {
    expect(checkedBy(POLICIES[3]!, textsFor('en')).title).toBe(
      'Your password needs: 6 characters or more, an uppercase letter, a symbol, such as ! or ?',
    );
  });
});

describe('A new password in a form', () => {
  it.each([
    ['password=Abc', true],
    ['password=Abc&repeat=Abc', true],
    ['password=Abc&repeat=abc', false],
    ['password=Abc&repeat=', false],
  ])('is repeated as it is, or not at all: %s', (form, isRight) => {
    expect(isRepeated(Form.parse(form), 'repeat', 'Abc')).toBe(isRight);
  });
});
