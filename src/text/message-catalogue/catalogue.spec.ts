import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { templateProblem } from '../template.js';
import { findBuiltIn, messageLanguages } from './catalogue.js';
import { MESSAGE_KINDS, type MessageTexts, TEMPLATE_FIELDS, TEXT_PARTS, type TextPart } from './message-text.js';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));
/** In bytes, as the administrative API allows an organization's own texts. */
const LONGEST: Readonly<Record<TextPart, number>> = {
  title: 2000,
  preHeader: 2000,
  subject: 2000,
  greeting: 4000,
  text: 40_000,
  buttonText: 4000,
  footerText: 8000,
};

const textsOf = (file: string): MessageTexts =>
  JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')) as MessageTexts;
const fieldsIn = (text: string): string[] =>
  [...text.matchAll(/\{\{\.(\w+)\}\}/gu)].map((match) => match[1] ?? '').sort();
const english = textsOf('en.json');

describe('the built-in message texts', () => {
  it('speak the 24 languages of the administrative API, one file each', () => {
    const languages = 'ar bg cs de en es fr he hu id it ja ko mk nl pl pt ro ru sv tr uk zh zh-TW'.split(' ');
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual(languages);
    expect([...messageLanguages].sort()).toEqual(languages);
  });

  it.each(files)(
    '%s has every kind of message, with every part, empty only where English is, within the limits',
    (file) => {
      const texts = textsOf(file);
      expect(Object.keys(texts)).toEqual(MESSAGE_KINDS);
      for (const kind of MESSAGE_KINDS) {
        expect(Object.keys(texts[kind])).toEqual(TEXT_PARTS);
        for (const part of TEXT_PARTS) {
          expect([kind, part, texts[kind][part] === '']).toEqual([kind, part, english[kind][part] === '']);
          expect(Buffer.byteLength(texts[kind][part])).toBeLessThanOrEqual(LONGEST[part]);
        }
      }
    },
  );

  it.each(files)('%s uses no template field but those of its kind, and the same ones as English', (file) => {
    const texts = textsOf(file);
    for (const kind of MESSAGE_KINDS) {
      for (const part of TEXT_PARTS) {
        expect([kind, part, templateProblem(texts[kind][part], TEMPLATE_FIELDS[kind])]).toEqual([
          kind,
          part,
          undefined,
        ]);
        expect([kind, part, fieldsIn(texts[kind][part])]).toEqual([kind, part, fieldsIn(english[kind][part])]);
      }
    }
  });

  it.each(files)('%s is plain text: no HTML entity, no markup, no stray brace or blank', (file) => {
    for (const texts of Object.values(textsOf(file))) {
      for (const part of TEXT_PARTS) {
        expect(texts[part].replace(/\{\{\.\w+\}\}/gu, 'x')).not.toMatch(/[{}<>]|&#?\w+;|^\s|\s$|\s\s|\s[.,]|\t|\r/u);
      }
    }
  });

  it.each(files.filter((file) => file !== 'en.json'))('%s is a translation: no sentence is English', (file) => {
    for (const kind of MESSAGE_KINDS) expect([kind, textsOf(file)[kind].text]).not.toEqual([kind, english[kind].text]);
  });

  it.each(files)(
    '%s ends the one-time code by short message so that browsers can fill it in: origin-bound one-time codes',
    (file) => {
      expect(textsOf(file).verifySmsOtp.text).toMatch(/\n@\{\{\.Domain\}\} #\{\{\.OTP\}\}$/u);
    },
  );

  it('leave a one-time code by short message nothing but its text', () => {
    expect({ ...english.verifySmsOtp, text: '' }).toEqual(Object.fromEntries(TEXT_PARTS.map((part) => [part, ''])));
  });
});

describe('the built-in texts for a language tag: RFC 4647 §3.4', () => {
  it.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-CH', 'de'],
    ['de-Latn-AT-1996', 'de'],
    ['en-GB', 'en'],
    ['zh-Hans-SG', 'zh'],
    ['zh-Hant-TW', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['iw-IL', 'he'],
    ['in', 'id'],
    ['pt-BR', 'pt'],
  ])('%s finds %s', (tag, file) => {
    expect(findBuiltIn(tag)).toEqual(textsOf(`${file}.json`));
  });

  it.each(['zz', 'constructor', '__proto__', 'default', '', '../de', 'de.json', 'd'.repeat(10_000)])(
    '%p finds nothing',
    (tag) => {
      expect(findBuiltIn(tag)).toBeUndefined();
    },
  );
});
