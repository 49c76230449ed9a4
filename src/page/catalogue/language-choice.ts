import { loginLanguages } from './catalogue.js';
import type { LoginLanguage } from './catalogue.js';

export interface LanguageWish {
  /** `ui_locales` of the authorization request, in order of preference (OIDC Core §3.1.2.1). */
  readonly uiLocales: readonly string[];
  readonly acceptLanguage: string | undefined;
  /** The instance's default language. */
  readonly fallback: string;
}

/** The first language we have: of `ui_locales`, else of Accept-Language, else the fallback, else English. Never fails. */
export function languageFor({ uiLocales, acceptLanguage, fallback }: LanguageWish): LoginLanguage {
  return firstKnown(uiLocales) ?? firstKnown(rangesOf(acceptLanguage)) ?? lookUp(fallback) ?? 'en';
}

function firstKnown(tags: readonly string[]): LoginLanguage | undefined {
  for (const tag of tags) {
    const language = lookUp(tag);
    if (language) return language;
  }
  return undefined;
}

// A map, not an object: `constructor` is no language. Tags are compared without regard to case (RFC 5646 §2.1.1).
const known: ReadonlyMap<string, LoginLanguage> = new Map(loginLanguages.map((tag) => [tag.toLowerCase(), tag]));

/** RFC 5646 §4.4.1: a buffer of 35 characters holds any tag that is in use. What is longer names no language of ours. */
const longestTag = 35;

/** RFC 4647 §3.4, lookup: subtags are taken off the end until a language is found, a lone letter with its extension. */
function lookUp(tag: string): LoginLanguage | undefined {
  if (tag.length > longestTag) return undefined;
  const subtags = tag.toLowerCase().split('-');
  while (subtags.length > 0) {
    const language = known.get(subtags.join('-'));
    if (language) return language;
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return undefined;
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
