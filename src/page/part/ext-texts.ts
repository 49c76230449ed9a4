import type { Extension } from '../../foundation/extension/extension.js';
import { loginLanguages } from '../catalogue/catalogue.js';

/** The texts of extensions are complete in this language, which stands in for those that they lack. */
const COMPLETE = 'en';

/** The texts of an extension on a page, in the language of its reader. */
export class ExtTexts {
  /** The language of these texts. */
  readonly language: string;

  constructor(
    private readonly extension: Extension,
    wanted: string,
  ) {
    this.language = wanted in extension.texts ? wanted : COMPLETE;
  }

  /** @throws Error for a key that the manifest does not have */
  text(key: string): string {
    const { id, texts } = this.extension;
    const text = texts[this.language]?.[key] ?? texts[COMPLETE]?.[key];
    if (text === undefined) throw new Error(`The extension ${id} has no text ${key}. Add it to texts.en.`);
    return text;
  }
}

/** A text of an extension on a page of ours. */
export interface ExtWord {
  readonly text: string;
  /** The language of the word, if it is not that of the page. */
  readonly language: string | undefined;
}

/** The meaning of a scope to a person; undefined if no extension says it. */
export type ExtScopeWords = (scope: string) => ExtWord | undefined;

/** The texts `scope.{scope}` of extensions; the first one that has it says it. */
export function extScopeWords(extensions: readonly Extension[], language: string): ExtScopeWords {
  return (scope) => {
    const key = `scope.${scope}`;
    const extension = extensions.find(({ texts }) => texts[COMPLETE]?.[key] !== undefined);
    const own = extension?.texts[language]?.[key];
    if (own !== undefined) return { text: own, language: undefined };
    const text = extension?.texts[COMPLETE]?.[key];
    return text === undefined ? undefined : { text, language: language === COMPLETE ? undefined : COMPLETE };
  };
}

/** What is wrong with the texts of extensions, each in a sentence with its remedy. */
export function textMistakes(extensions: readonly Extension[]): string[] {
  return extensions.flatMap(({ id, texts }) => {
    const languages = Object.keys(texts);
    const complete = new Set(Object.keys(texts[COMPLETE] ?? {}));
    const strange = languages.filter((language) => !(loginLanguages as readonly string[]).includes(language));
    return [
      ...(languages.length > 0 && !(COMPLETE in texts)
        ? [`The extension ${id} has no texts in English. Add texts.en: it stands in for languages that it lacks.`]
        : []),
      ...strange.map(
        (language) =>
          `The extension ${id} has texts in ${language}, in which there are no pages. Choose among ${loginLanguages.join(', ')}.`,
      ),
      ...languages.flatMap((language) =>
        Object.entries(texts[language] ?? {}).flatMap(([key, text]) => [
          ...(complete.has(key) || !complete.size
            ? []
            : [`The extension ${id} has the text ${key} in ${language} and not in English. Add it to texts.en.`]),
          ...(typeof text === 'string' && text.trim() !== ''
            ? []
            : [`The text ${key} of the extension ${id} is empty in ${language}. Write it, or remove the key.`]),
        ]),
      ),
    ];
  });
}
