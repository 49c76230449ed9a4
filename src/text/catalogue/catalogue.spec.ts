import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TEMPLATE_FIELDS, type MessageKind, type MessageTexts } from '../message-text.js';
import { findBuiltIn, messageLanguages } from './catalogue.js';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
const kinds = Object.keys(TEMPLATE_FIELDS) as MessageKind[];
const MEMBERS = ['title', 'preHeader', 'subject', 'greeting', 'text', 'buttonText', 'footerText'];
/** In bytes, as the administrative API will allow an organization's own texts. */
const LONGEST: Readonly<Record<string, number>> = { title: 2000, preHeader: 2000, subject: 2000, greeting: 4000, text: 40_000, buttonText: 4000, footerText: 8000 };

const textsIn = (file: string): MessageTexts => JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')) as MessageTexts;
const fieldsIn = (text: string): string[] => [...text.matchAll(/\{\{\.(\w+)\}\}/gu)].map((match) => match[1] ?? '');

describe('the built-in message texts', () => {
  it('offers every file of the folder as a language', () => {
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual([...messageLanguages].sort());
  });

  it.each(files)('%s has every kind of message, with every member, within the limits', (file) => {
    const texts = textsIn(file);
    expect(Object.keys(texts).sort()).toEqual([...kinds].sort());
    for (const kind of kinds) {
      expect(Object.keys(texts[kind])).toEqual(MEMBERS);
      for (const [member, text] of Object.entries(texts[kind])) {
        expect([member, typeof text]).toEqual([member, 'string']);
        expect(Buffer.byteLength(text as string)).toBeLessThanOrEqual(LONGEST[member]!);
        if (member !== 'footerText') expect([member, text]).not.toEqual([member, '']);
      }
    }
  });

  it.each(files)('%s uses no template field but those of its kind, and the same ones as English', (file) => {
    for (const kind of kinds) {
      const english = textsIn('en.json')[kind];
      for (const [member, text] of Object.entries(textsIn(file)[kind]) as [keyof typeof english, string][]) {
        for (const field of fieldsIn(text)) expect(TEMPLATE_FIELDS[kind]).toContain(field);
        expect([member, fieldsIn(text).sort()]).toEqual([member, fieldsIn(english[member]).sort()]);
        expect(text.replace(/\{\{\.\w+\}\}/gu, 'x')).not.toMatch(/[{}<>]|&#?\w+;|^\s|\s$|\s\s/u);
      }
    }
  });
});

describe('the built-in texts for a language tag: RFC 4647 §3.4', () => {
  it.each([['de', 'de'], ['DE', 'de'], ['de-CH', 'de'], ['de-Latn-AT-1996', 'de'], ['en-GB', 'en']])('%s finds %s', (tag, file) => {
    expect(findBuiltIn(tag)).toEqual(textsIn(`${file}.json`));
  });

  it.each(['zz', 'constructor', '__proto__', 'default', '', '../de', 'de.json', 'd'.repeat(10_000)])('%p finds nothing', (tag) => {
    expect(findBuiltIn(tag)).toBeUndefined();
  });
});
