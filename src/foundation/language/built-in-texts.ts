import { readFileSync } from 'node:fs';

/**
 * The languages of all texts of ours, as BCP 47 tags. A language is one line here, and one file in each folder of
 * texts.
 */
export const BUILT_IN_LANGUAGES = [
  'ar',
  'bg',
  'cs',
  'de',
  'en',
  'es',
  'fr',
  'he',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'mk',
  'nl',
  'pl',
  'pt',
  'ro',
  'ru',
  'sv',
  'tr',
  'uk',
  'zh',
  'zh-TW',
] as const;
export type BuiltInLanguage = (typeof BUILT_IN_LANGUAGES)[number];

/**
 * A folder with a file for each language. A file is read once, when its language is first asked for, which takes less
 * than a millisecond: an instance speaks a few languages, and all of them together take some megabytes of memory.
 */
export class TextFolder<Texts> {
  private readonly read = new Map<BuiltInLanguage, Texts>();

  /** @param folder its URL; the specs beside the files prove that each of them is a `Texts` */
  constructor(private readonly folder: URL) {}

  in(language: BuiltInLanguage): Texts {
    let texts = this.read.get(language);
    if (texts === undefined) {
      texts = JSON.parse(readFileSync(new URL(`${language}.json`, this.folder), 'utf8')) as Texts;
      this.read.set(language, texts);
    }
    return texts;
  }
}
