import { BUILT_IN_LANGUAGES, type BuiltInLanguage, TextFolder } from '../../foundation/language/built-in-texts.js';
import type en from './en.json';

/** The structure of every file of the catalogue, which catalogue.spec.ts compares. */
export type PageTexts = typeof en;
export type LoginLanguage = BuiltInLanguage;

const catalogue = new TextFolder<PageTexts>(new URL('./', import.meta.url));

/** The languages of the login pages, as BCP 47 tags. */
export const loginLanguages: readonly LoginLanguage[] = BUILT_IN_LANGUAGES;

export function textsFor(language: LoginLanguage): PageTexts {
  return catalogue.in(language);
}

/** Chinese is called by how it is written, whichever country its reader is in. */
const SCRIPTS: Readonly<Record<string, string>> = { zh: 'zh-Hans', 'zh-TW': 'zh-Hant' };

/** The languages' own names. Made once: a page lists all of them, and finding out takes longer than the page. */
const names = new Map<LoginLanguage, string>();

export function nameOf(language: LoginLanguage): string {
  let name = names.get(language);
  if (name === undefined) {
    const own = new Intl.DisplayNames([language], { type: 'language' }).of(SCRIPTS[language] ?? language) ?? language;
    name = own.charAt(0).toLocaleUpperCase(language) + own.slice(1);
    names.set(language, name);
  }
  return name;
}

/** Placeholders of texts, written `{client}`. The spec proves that no file uses another one. */
export const placeholders = [
  'account',
  'brand',
  'client',
  'count',
  'date',
  'duration',
  'email',
  'place',
  'provider',
  'roles',
  'title',
] as const;
export type Placeholder = (typeof placeholders)[number];
export type Values = Readonly<Partial<Record<Placeholder, string | number>>>;

const placeholder = new RegExp(`\\{(${placeholders.join('|')})\\}`, 'u');

/**
 * The pieces of a text: literal text at even places, the name of a placeholder at odd ones. A text is cut up before
 * anything is put in, so that a value which itself contains `{client}` stays what it is.
 */
export function piecesOf(text: string): readonly string[] {
  return text.split(placeholder);
}

/** The text with its values put in, as plain text; a value that was not given leaves its placeholder visible. */
export function fill(text: string, values: Values): string {
  return piecesOf(text)
    .map((piece, index) => (index % 2 === 0 ? piece : String(values[piece as Placeholder] ?? `{${piece}}`)))
    .join('');
}
