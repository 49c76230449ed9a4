/**
 * RFC 5646 §4.4.1: a buffer of 35 characters holds any tag that is in use. What is longer names no language of ours.
 */
const LONGEST_TAG = 35;

/** RFC 5646 §2.1: a language of two to eight letters, then subtags of one to eight letters and digits. */
const WELL_FORMED = /^[a-zA-Z]{2,8}(-[a-zA-Z\d]{1,8})*$/u;

/** Whether a text has the form of a language tag that may be looked up; it need not name a language that exists. */
export function isLanguageTag(text: string): boolean {
  return text.length <= LONGEST_TAG && WELL_FORMED.test(text);
}

/** The known tags by their names, for `lookUpLanguage`. A map, not an object: `constructor` is no language. */
export function byLanguageTag<Tag extends string>(tags: readonly Tag[]): ReadonlyMap<string, Tag> {
  return new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
}

/**
 * RFC 4647 §3.4, lookup: subtags are taken off the end until a known tag is found, a lone letter with its extension.
 * Tags are compared without regard to case (RFC 5646 §2.1.1). Any text may be asked for; what is no tag finds nothing.
 */
export function lookUpLanguage<Tag>(tag: string, known: ReadonlyMap<string, Tag>): Tag | undefined {
  if (tag.length > LONGEST_TAG) return undefined;
  const exact = known.get(tag.toLowerCase());
  if (exact !== undefined) return exact;
  const subtags = preferredForm(tag).toLowerCase().split('-');
  while (subtags.length > 0) {
    const found = known.get(subtags.join('-'));
    if (found) return found;
    subtags.pop();
    if (subtags.at(-1)?.length === 1) subtags.pop();
  }
  return undefined;
}

/**
 * The tag with today's codes (RFC 5646 §4.5: Hebrew was `iw` once, and some programs still send that). Chinese is
 * written with traditional characters in some regions, which a tag may name instead of the script (`zh-HK`; CLDR,
 * likely subtags): those read the texts for Taiwan rather than simplified ones.
 */
function preferredForm(tag: string): string {
  if (!isLanguageTag(tag)) return tag;
  try {
    const locale = new Intl.Locale(tag);
    return locale.language === 'zh' && locale.maximize().script === 'Hant' ? 'zh-TW' : locale.toString();
  } catch {
    return tag; // Well-formed by our pattern, but not by RFC 5646, such as a repeated subtag.
  }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur']);

/** The direction in which a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(tag.split('-', 1)[0] ?? tag) ? 'rtl' : 'ltr';
}
