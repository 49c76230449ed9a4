import { BUILT_IN_LANGUAGES, type BuiltInLanguage, TextFolder } from '../../foundation/language/built-in-texts.js';
import { byLanguageTag, lookUpLanguage } from '../../foundation/language/language-tag.js';
import type { MessageTexts } from './message-text.js';

export type MessageLanguage = BuiltInLanguage;

const catalogue = new TextFolder<MessageTexts>(new URL('./', import.meta.url));

/** The languages that have built-in texts, as BCP 47 tags. */
export const messageLanguages: readonly MessageLanguage[] = BUILT_IN_LANGUAGES;

const known = byLanguageTag(messageLanguages);

/**
 * The language that a tag finds (`de-CH` finds `de`), or undefined; `exactly`: only the one that it names. Reads memory
 * alone, and keeps nothing of what was asked.
 */
export function findMessageLanguage(
  languageTag: string,
  how: 'nearest' | 'exactly' = 'nearest',
): MessageLanguage | undefined {
  return how === 'exactly' ? known.get(languageTag.toLowerCase()) : lookUpLanguage(languageTag, known);
}

export function textsIn(language: MessageLanguage): MessageTexts {
  return catalogue.in(language);
}

/** The built-in texts for a language tag, or undefined. */
export function findBuiltIn(languageTag: string): MessageTexts | undefined {
  const language = findMessageLanguage(languageTag);
  return language && textsIn(language);
}
