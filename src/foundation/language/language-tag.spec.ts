import { describe, expect, it } from '@jest/globals';
import { isLanguageTag } from './language-tag.js';

describe('the form of a language tag: RFC 5646 §2.1', () => {
  it.each(['de', 'DE', 'de-CH', 'zh-Hant-TW', 'sl-rozaj-biske', 'de-u-co-phonebk', 'zz', 'und', 'haw'])(
    'is kept by %s',
    (tag) => {
      expect(isLanguageTag(tag)).toBe(true);
    },
  );

  it.each([
    ['nothing', ''],
    ['one letter', 'd'],
    ['a name that every object has', 'constructor'],
    ['a prototype', '__proto__'],
    ['an underscore', 'de_CH'],
    ['a path', '../../etc/passwd'],
    ['a path within a tag', 'de/../../en'],
    ['a file', 'de.json'],
    ['NUL', 'de\0'],
    ['a line end', 'de\n'],
    ['hyphens', '---'],
    ['a hyphen at its end', 'de-'],
    ['a long subtag', 'de-123456789'],
    ['a blank', 'de CH'],
    ['letters of other scripts', 'ｄｅ'],
    ['a letter that folds to one of ASCII', 'ſk'],
    ['10,000 characters', 'd'.repeat(10_000)],
    ['10,000 subtags', `de${'-x'.repeat(10_000)}`],
  ])('is not kept by %s', (_, tag) => {
    expect(isLanguageTag(tag)).toBe(false);
  });
});
