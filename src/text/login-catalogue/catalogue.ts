import { byLanguageTag, lookUpLanguage } from '../../foundation/language/language-tag.js';
import * as files from './languages.js';

/** The texts of the login screens, screen by screen; what every file of the catalogue must fit. */
export type LoginTexts = typeof files.en;
export type LoginScreen = keyof LoginTexts;

const catalogue: Readonly<Record<keyof typeof files, LoginTexts>> = files;
const known = byLanguageTag(Object.keys(catalogue) as ReadonlyArray<keyof typeof files>);

export const ENGLISH_LOGIN_TEXTS: LoginTexts = files.en;

/** The built-in texts for a language tag (`de-CH` finds `de`), or undefined. */
export function findBuiltInLoginTexts(languageTag: string): LoginTexts | undefined {
  const language = lookUpLanguage(languageTag, known);
  return language && catalogue[language];
}
