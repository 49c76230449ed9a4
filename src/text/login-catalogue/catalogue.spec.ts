import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { BUILT_IN_LANGUAGES } from '../../foundation/language/built-in-texts.js';
import { findBuiltInLoginTexts, type LoginTexts } from './catalogue.js';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
const textsIn = (file: string): LoginTexts =>
  JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')) as LoginTexts;
/** `loginText.title`, … */
const keysOf = (texts: LoginTexts): string[] =>
  Object.entries(texts)
    .flatMap(([screen, fields]) => Object.keys(fields).map((field) => `${screen}.${field}`))
    .sort();

describe('the built-in texts of the login screens', () => {
  it('offers every file of the folder as a language', () => {
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual([...BUILT_IN_LANGUAGES].sort());
  });

  it.each(files)('%s has exactly the fields of English', (file) => {
    expect(keysOf(textsIn(file))).toEqual(keysOf(textsIn('en.json')));
  });

  it.each(files)('%s is plain text: no HTML entity, no tag, no blank text, no placeholder, no stray space', (file) => {
    for (const [screen, fields] of Object.entries(textsIn(file))) {
      for (const [field, text] of Object.entries(fields as Record<string, string>)) {
        expect([screen, field, text]).toEqual([
          screen,
          field,
          expect.not.stringMatching(/^$|[{}<>]|&#?\w+;|^\s|\s$|\s\s/u),
        ]);
      }
    }
  });

  it.each([
    ['de', 'de'],
    ['DE-ch', 'de'],
    ['en-GB', 'en'],
  ])('%s finds %s: RFC 4647 §3.4', (tag, file) => {
    expect(findBuiltInLoginTexts(tag)).toEqual(textsIn(`${file}.json`));
  });

  it.each(['zz', 'constructor', ''])('%p finds nothing', (tag) => {
    expect(findBuiltInLoginTexts(tag)).toBeUndefined();
  });
});
