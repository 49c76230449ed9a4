import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_LANGUAGES } from '../foundation/language/built-in-texts.js';
import { findBuiltInLoginTexts } from './login-catalogue/catalogue.js';
import { LOGIN_SCREENS } from './login-screens.js';

describe('the texts of the login screens in requests and documents', () => {
  it.each(BUILT_IN_LANGUAGES)('are those of the catalogue, and what is built in for %s could be stored', (language) => {
    const texts = findBuiltInLoginTexts(language)!;
    expect(Object.keys(LOGIN_SCREENS)).toEqual(Object.keys(texts));
    for (const [screen, { fields }] of Object.entries(LOGIN_SCREENS)) {
      const builtIn = texts[screen as keyof typeof texts] as Record<string, string>;
      expect([screen, Object.keys(fields)]).toEqual([screen, Object.keys(builtIn)]);
      for (const [field, [, max]] of Object.entries(fields))
        expect([field, [...builtIn[field]!].length <= max]).toEqual([field, true]);
    }
  });
});
