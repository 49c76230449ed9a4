import { byLanguageTag, lookUpLanguage } from '../../language/language-tag.js';
import type { MessageTexts } from '../message-text.js';
import * as files from './languages.js';

export type MessageLanguage = keyof typeof files;

const catalogue: Readonly<Record<MessageLanguage, MessageTexts>> = files;

/** The languages that have built-in texts, as BCP 47 tags. */
export const messageLanguages = Object.keys(catalogue) as readonly MessageLanguage[];

const known = byLanguageTag(messageLanguages);

/** The built-in texts for a language tag (`de-CH` finds `de`), or undefined. Reads memory alone, and keeps nothing of what was asked. */
export function findBuiltIn(languageTag: string): MessageTexts | undefined {
  const language = lookUpLanguage(languageTag, known);
  return language && catalogue[language];
}
