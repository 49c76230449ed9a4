import { byLanguageTag, lookUpLanguage } from '../../foundation/language/language-tag.js';
import type { MessageTexts } from '../message-text.js';
import * as files from './languages.js';

export type MessageLanguage = keyof typeof files;

const catalogue: Readonly<Record<MessageLanguage, MessageTexts>> = files;

/** The languages that have built-in texts, as BCP 47 tags. */
export const messageLanguages = Object.keys(catalogue) as readonly MessageLanguage[];

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
  return catalogue[language];
}

/** The built-in texts for a language tag, or undefined. */
export function findBuiltIn(languageTag: string): MessageTexts | undefined {
  const language = findMessageLanguage(languageTag);
  return language && textsIn(language);
}
