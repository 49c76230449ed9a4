import { describe, expect, it } from '@jest/globals';
import { brokenRules } from './password-policy.js';

const strict = { minLength: 8, lowercase: true, uppercase: true, number: true, symbol: true };
const lax = { minLength: 1, lowercase: false, uppercase: false, number: false, symbol: false };

describe('A password policy with every rule', () => {
  it.each<[string, string[]]>([
    ['Passw0rd!', []],
    ['Pä$$wörd9', []],
    ['Пароль-123', []],
    ['Correct Horse 7', []],
    ['', ['minLength', 'lowercase', 'uppercase', 'number', 'symbol']],
    ['Aa1!567', ['minLength']],
    ['PASSW0RD!', ['lowercase']],
    ['passw0rd!', ['uppercase']],
    ['Password!', ['number']],
    ['Passw0rds', ['symbol']],
    ['密码密码密码密码', ['lowercase', 'uppercase', 'number', 'symbol']],
  ])('finds in %j the broken rules %j', (password, rules) => {
    expect(brokenRules(password, strict)).toEqual(rules);
  });
});

describe('Lengths of passwords', () => {
  it('count code points', () => {
    expect(brokenRules('😀😀😀😀', { ...lax, minLength: 4 })).toEqual([]);
    expect(brokenRules('😀😀😀', { ...lax, minLength: 4 })).toEqual(['minLength']);
  });

  it('include spaces at both ends: a password is taken as typed', () => {
    expect(brokenRules('  a ', { ...lax, minLength: 4 })).toEqual([]);
  });

  it('have an upper limit, so that hashing stays cheap', () => {
    expect(brokenRules('a'.repeat(200), lax)).toEqual([]);
    expect(brokenRules('a'.repeat(201), lax)).toEqual(['maxLength']);
  });
});
