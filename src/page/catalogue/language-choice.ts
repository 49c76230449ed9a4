import { byLanguageTag, lookUpLanguage } from '../../foundation/language/language-tag.js';
import type { LoginLanguage } from './catalogue.js';
import { loginLanguages } from './catalogue.js';

export interface LanguageWish {
  /** `ui_locales` of the authorization request, in order of preference (OIDC Core §3.1.2.1). */
  readonly uiLocales: readonly string[];
  readonly acceptLanguage: string | undefined;
  /** The instance's default language. */
  readonly fallback: string;
}

/**
 * The first language we have: of `ui_locales`, else of Accept-Language, else the fallback, else English. Never fails.
 */
export function languageFor({ uiLocales, acceptLanguage, fallback }: LanguageWish): LoginLanguage {
  return firstKnown(uiLocales) ?? firstKnown(rangesOf(acceptLanguage)) ?? findLanguage(fallback) ?? 'en';
}

function firstKnown(tags: readonly string[]): LoginLanguage | undefined {
  for (const tag of tags) {
    const language = findLanguage(tag);
    if (language) return language;
  }
  return undefined;
}

const known = byLanguageTag(loginLanguages);

/** The language that we have for a tag, if any. */
export function findLanguage(tag: string): LoginLanguage | undefined {
  return lookUpLanguage(tag, known);
}

/** A browser sends well below this; the rest of a longer header is not read. */
const longestHeader = 1000;

const range = /^\s*([a-z\d-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/iu;

/** RFC 9110 §12.5.4: best weight first, equal weights in the order sent; weight 0 means "not this one". */
function rangesOf(acceptLanguage: string | undefined): readonly string[] {
  return (acceptLanguage ?? '')
    .slice(0, longestHeader)
    .split(',')
    .flatMap((part) => {
      const [, tag, weight = '1'] = range.exec(part) ?? [];
      return tag !== undefined && Number(weight) > 0 ? [{ tag, weight: Number(weight) }] : [];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
