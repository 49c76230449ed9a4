import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { findBuiltInLoginTexts } from '../../text/login-catalogue/catalogue.js';
import * as languages from '../../text/login-catalogue/languages.js';
import { SCREENS } from './login-text.dto.js';

describe('the texts of the login screens on the wire: reference, appendix A.4', () => {
  it.each(Object.keys(languages))('are those of the catalogue, and what is built in for %s could be stored', (language) => {
    const texts = findBuiltInLoginTexts(language)!;
    expect(Object.keys(SCREENS)).toEqual(Object.keys(texts));
    for (const [screen, { fields }] of Object.entries(SCREENS)) {
      const builtIn = texts[screen as keyof typeof texts] as Record<string, string>;
      expect([screen, Object.keys(fields)]).toEqual([screen, Object.keys(builtIn)]);
      for (const [field, [, max]] of Object.entries(fields)) expect([field, [...builtIn[field]!].length <= max]).toEqual([field, true]);
    }
  });
});
