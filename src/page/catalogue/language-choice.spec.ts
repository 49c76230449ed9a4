import { describe, expect, it } from '@jest/globals';
import { cpuMsOf } from '../../../test/support/effort.js';
import { languageFor } from './language-choice.js';

const wish = (uiLocales: readonly string[], acceptLanguage?: string, fallback = 'en') =>
  languageFor({ uiLocales, acceptLanguage, fallback });

describe('the language of the login pages: OIDC Core §3.1.2.1 ui_locales', () => {
  it.each([
    ['the first tag that we have', ['da', 'de', 'en'], 'de'],
    ['a regional tag by its language (RFC 4647 §3.4)', ['de-CH'], 'de'],
    ['script and region', ['de-Latn-AT-1996'], 'de'],
    ['an extension', ['de-u-co-phonebk'], 'de'],
    ['any case', ['DE-ch'], 'de'],
    ['simplified Chinese by its script', ['zh-Hans-HK'], 'zh'],
    ['traditional Chinese by its script (CLDR, likely subtags)', ['zh-Hant'], 'zh-TW'],
    ['traditional Chinese by a region', ['zh-HK', 'zh'], 'zh-TW'],
    ['the code that Hebrew had before (RFC 5646 §4.5)', ['iw-IL'], 'he'],
    ['an earlier regional tag before a later exact one', ['de-CH', 'en'], 'de'],
  ])('takes %s', (_, tags, expected) => {
    expect(wish(tags, 'en')).toBe(expected);
  });

  it('goes before Accept-Language', () => {
    expect(wish(['en'], 'de')).toBe('en');
  });
});

describe('the language of the login pages: Accept-Language, RFC 9110 §12.5.4', () => {
  it.each([
    ['the best weight', 'en;q=0.5, de;q=0.9', 'de'],
    ['the order sent when weights are equal', 'de, en', 'de'],
    ['the next one when the first is unknown', 'da-DK, da;q=0.9, de;q=0.7, *;q=0.5', 'de'],
    ['weights with blanks around them', 'en ; q=0.1 , de ; q=0.2', 'de'],
  ])('takes %s', (_, header, expected) => {
    expect(wish([], header)).toBe(expected);
    expect(wish(['se'], header)).toBe(expected);
  });

  it.each([
    ['weight 0', 'de;q=0'],
    ['an asterisk', '*'],
    ['a weight that is no weight', 'de;q=high, de;q=2, de;q=-1, de;q='],
    ['nothing', ''],
  ])('is not moved by %s', (_, header) => {
    expect(wish([], header, 'en')).toBe('en');
  });
});

describe('the language of the login pages: otherwise', () => {
  it("is the instance's default", () => {
    expect(wish([], undefined, 'de')).toBe('de');
    expect(wish(['se'], 'da', 'de-AT')).toBe('de');
  });

  it('is English when the default has no texts', () => {
    expect(wish([], undefined, 'xx')).toBe('en');
  });

  it.each([
    ['a path', '../../etc/passwd'],
    ['a path within a tag', 'de/../../en'],
    ['a file', 'de.json'],
    ['a name that every object has', 'constructor'],
    ['a prototype', '__proto__'],
    ['a string method', 'toString'],
    ['a module member', 'default'],
    ['nothing', ''],
    ['hyphens', '---'],
    ['NUL', 'de\0'],
    ['10,000 characters', 'd'.repeat(10_000)],
    ['10,000 subtags', 'x-'.repeat(10_000)],
    ['a known language under 10,000 subtags', `de${'-x'.repeat(10_000)}`],
    ['10,000 ranges', 'x,'.repeat(10_000)],
    ['10,000 blanks', ' '.repeat(10_000)],
    ['a weight without end', `de;q=${'0'.repeat(10_000)}`],
  ])('passes over %s, with little work', async (_, hostile) => {
    const cpuMs = await cpuMsOf(() => {
      expect(wish([hostile], hostile, hostile)).toBe('en');
      expect(wish([hostile, 'de'], hostile)).toBe('de');
    });
    expect(cpuMs).toBeLessThan(200); // what is not linear takes seconds
  });
});
