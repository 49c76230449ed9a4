import * as files from './languages.js';

/** What every file of the catalogue must fit; the compiler checks the keys, catalogue.spec.ts the rest. */
export type PageTexts = typeof files.en;
export type LoginLanguage = keyof typeof files;

const catalogue: Readonly<Record<LoginLanguage, PageTexts>> = files;

/** The languages of the login pages, as BCP 47 tags. */
export const loginLanguages = Object.keys(catalogue) as readonly LoginLanguage[];

export function textsFor(language: LoginLanguage): PageTexts {
  return catalogue[language];
}

/** What a language calls itself. */
export function nameOf(language: LoginLanguage): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

export function directionOf(language: LoginLanguage): 'ltr' | 'rtl' {
  return rightToLeft.has(primarySubtag(language)) ? 'rtl' : 'ltr';
}

function primarySubtag(tag: string): string {
  return tag.split('-', 1)[0] ?? tag;
}

/** What a text may leave open, written `{client}`. The spec proves that no file uses another one. */
export const placeholders = ['account', 'brand', 'client', 'count', 'date', 'email', 'provider', 'title'] as const;
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
