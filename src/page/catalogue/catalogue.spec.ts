import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { directionOf } from '../../foundation/language/language-tag.js';
import { fill, loginLanguages, nameOf, piecesOf, placeholders, textsFor } from './catalogue.js';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json'));

type Tree = string | { readonly [key: string]: Tree };

/** `loginName.title` → its text, for every text of a file. */
function textsIn(file: string): ReadonlyMap<string, string> {
  const walk = (tree: Tree, path: string): [string, string][] =>
    typeof tree === 'string'
      ? [[path, tree]]
      : Object.entries(tree).flatMap(([key, value]) => walk(value, path === '' ? key : `${path}.${key}`));
  return new Map(walk(JSON.parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')) as Tree, ''));
}

function placeholdersIn(text: string): readonly string[] {
  return (text.match(/\{[^}]*\}/gu) ?? []).sort();
}

const english = textsIn('en.json');

describe('the texts of the login pages', () => {
  it('offers every file of the folder as a language', () => {
    expect(files.map((name) => name.replace('.json', '')).sort()).toEqual([...loginLanguages].sort());
  });

  it.each(files)('%s has exactly the keys of English', (file) => {
    expect([...textsIn(file).keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each(files)('%s leaves open in each text what English leaves open', (file) => {
    const left = (texts: ReadonlyMap<string, string>) => [...texts].map(([key, text]) => [key, placeholdersIn(text)]);
    expect(Object.fromEntries(left(textsIn(file)))).toEqual(Object.fromEntries(left(english)));
  });

  it.each(files)('%s uses no placeholder but the known ones', (file) => {
    const known: readonly string[] = placeholders.map((name) => `{${name}}`);
    const found = [...textsIn(file).values()].flatMap(placeholdersIn);
    expect(found.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(files)('%s is plain text: no HTML entity, no tag, no blank text, no stray brace or space', (file) => {
    const isPlain = (text: string): boolean =>
      text !== '' && !/&#?\w+;|<|>|^\s|\s$|\s\s|\n/u.test(text) && !/[{}]/u.test(text.replace(/\{\w+\}/gu, ''));
    expect([...textsIn(file)].filter(([, text]) => !isPlain(text))).toEqual([]);
  });

  it.each([
    ['ja', /サインイン/u, 'ログイン'],
    ['nl', /aanmeld/iu, 'inloggen'],
    ['pt', /palavra-passe|ecrã|utilizador|(?:iniciar|início de|fim de) sessão/iu, 'senha, tela, usuário, entrar'],
    ['ru', /(?<!\p{L})(?:вы|вас|вам|вами|ваш\p{L}*)(?!\p{L})/u, 'Вы'],
    ['uk', /(?<!\p{L})(?:ви|вас|вам|вами|ваш\p{L}*)(?!\p{L})/u, 'Ви'],
    ['bg', /(?<!\p{L})(?:ви|вие|вас|вам|ваш\p{L}*)(?!\p{L})/u, 'Вие'],
    ['mk', /(?<!\p{L})(?:ви|вие|вас|вам|ваш\p{L}*)(?!\p{L})/u, 'Вие'],
    ['ro', /autentificați|putea autentifica|nume(?:le)? de autentificare/iu, 'conectare'],
  ])('%s does not say %s, because the other texts say “%s”', (language, otherWord) => {
    const found = [...textsIn(`${language}.json`)].filter(([, text]) => otherWord.test(text));
    expect(found).toEqual([]);
  });

  it('gives each language its own texts', () => {
    expect(textsFor('en').password.label).toBe('Password');
    expect(textsFor('de').password.label).toBe('Passwort');
  });

  it('calls each language by its own name, and Chinese by how it is written', () => {
    expect((['de', 'ar', 'zh', 'zh-TW'] as const).map(nameOf)).toEqual(['Deutsch', 'العربية', '简体中文', '繁體中文']);
  });

  it('writes Arabic and Hebrew from right to left, and all others from left to right', () => {
    expect(loginLanguages.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar', 'he']);
  });

  it.each(['ja.json', 'zh.json', 'zh-TW.json'])('%s has no punctuation of other scripts in its sentences', (file) => {
    const foreign = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}][,:;?!]/u;
    expect([...textsIn(file)].filter(([, text]) => foreign.test(text))).toEqual([]);
  });

  it.each(['ar.json', 'he.json'])('%s keeps a telephone number from being read backwards', (file) => {
    expect([...textsIn(file)].filter(([, text]) => /(?<!\u200E)\+\d/u.test(text))).toEqual([]);
  });
});

describe('filling in a text', () => {
  it('puts each value in as it is', () => {
    expect(fill('{title} · {brand}', { title: 'Sign in', brand: '<b>$& $1' })).toBe('Sign in · <b>$& $1');
  });

  it('does not look for placeholders in a value', () => {
    expect(fill('{title} · {brand}', { title: '{brand}', brand: 'Acme' })).toBe('{brand} · Acme');
  });

  it('leaves a placeholder visible when its value is missing', () => {
    expect(fill('Continue to {client}', {})).toBe('Continue to {client}');
  });

  it('takes braces with an unknown word for text', () => {
    expect(piecesOf('{constructor} {client}!')).toEqual(['{constructor} ', 'client', '!']);
  });
});
