import { BUILT_IN_LANGUAGES, TextFolder } from '../../foundation/language/built-in-texts.js';
import { byLanguageTag, lookUpLanguage } from '../../foundation/language/language-tag.js';
import type en from './en.json';

/** The texts of the login screens, screen by screen; what every file of the catalogue must fit (catalogue.spec.ts). */
export type LoginTexts = typeof en;
export type LoginScreen = keyof LoginTexts;

const catalogue = new TextFolder<LoginTexts>(new URL('./', import.meta.url));
const known = byLanguageTag(BUILT_IN_LANGUAGES);

export const ENGLISH_LOGIN_TEXTS: LoginTexts = catalogue.in('en');

/** The built-in texts for a language tag (`de-CH` finds `de`), or undefined. */
export function findBuiltInLoginTexts(languageTag: string): LoginTexts | undefined {
  const language = lookUpLanguage(languageTag, known);
  return language && catalogue.in(language);
}
