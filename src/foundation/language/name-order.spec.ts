import { describe, expect, it } from '@jest/globals';
import { fullNameIn } from './name-order.js';

describe('a whole name', () => {
  it.each([
    ['en', 'Ada', 'Lovelace', 'Ada Lovelace'],
    ['hu', 'Béla', 'Bartók', 'Bartók Béla'],
    ['ja', '太郎', '山田', '山田太郎'],
    ['zh-TW', '伟', '王', '王伟'],
    ['ko', '민준', '김', '김민준'],
    ['ja', 'Ada', 'Lovelace', 'Lovelace Ada'],
  ])('in %s of %s and %s is %s', (language, firstName, lastName, expected) => {
    expect(fullNameIn(language, { firstName, lastName })).toBe(expected);
  });
});
