import { describe, expect, it } from '@jest/globals';
import { newUserCode, parseUserCode, shownUserCode } from './user-code.js';

describe('A user code', () => {
  it('has eight consonants, and is shown in two groups', () => {
    for (let times = 0; times < 100; times += 1) {
      const code = newUserCode();
      expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
      expect(shownUserCode(code)).toBe(`${code.slice(0, 4)}-${code.slice(4)}`);
    }
  });

  it.each(['BCDFGHJK', 'bcdf ghjk', 'bcdf-ghjk', ' BCDF - GHJK\t', 'bcdf–ghjk', 'b c d f g h j k'])(
    'is recognized in any case, with dashes and blanks anywhere: %j [DEV-011]',
    (typed) => {
      expect(parseUserCode(typed)).toBe('BCDFGHJK');
    },
  );

  it.each([
    '',
    'BCDFGHJ',
    'BCDFGHJKL',
    'BCDFGHJA',
    'BCDFGHJ1',
    'BCDF_GHJK',
    'BCDFGHJK\u0000',
    `B${' '.repeat(200)}CDFGHJK`,
  ])('is nothing else: %j', (typed) => {
    expect(parseUserCode(typed)).toBeUndefined();
  });
});
