import { describe, expect, it } from '@jest/globals';
import { hasInvisibleCharacters, loginNameOf, parseLoginName, toLoginName, toNameKey } from './user-name.js';

describe('Two user names', () => {
  it.each([
    ['ALICE', 'alice'],
    ['Ａlice', 'alice'],
    ['ﬁona', 'fiona'],
    ['A\u030Angström', 'ångström'],
    ['\u212Bngström', 'ångström'],
    ['İ', 'i̇'],
    ['Ⅷ', 'viii'],
    ['Anna@BÜCHER.example', 'anna@xn--bcher-kva.example'],
    ['anna@bu\u0308cher.example', 'anna@bücher.example'],
    ['a＠ｅvil.test', 'a@evil.test'],
    ['a@b@faß.test', 'a@b@xn--fa-hia.test'],
  ])('are the same if they look alike: %s and %s', (one, other) => {
    expect(toNameKey(one)).toBe(toNameKey(other));
  });

  it.each([
    ['alice', 'alicе'],
    ['alice', 'alice2'],
    ['ss', 'ß'],
    ['a@fass.test', 'a@faß.test'],
    ['bücher.example', 'xn--bcher-kva.example'],
  ])('are different: %s and %s', (one, other) => {
    expect(toNameKey(one)).not.toBe(toNameKey(other));
  });

  it('are compared by their keys: the key of a key is itself', () => {
    for (const name of ['ALICE', 'Ａlice', 'ﬁ', 'İ', 'ǅ', 'ẞ', '㎏', 'Σς', 'Σς@ΣΑΣ.test', 'a@ä b', 'a@ä/b'])
      expect(toNameKey(toNameKey(name))).toBe(toNameKey(name));
  });
});

describe('A login name', () => {
  it('is the user name at the primary domain of its organization', () => {
    expect(toLoginName('alice', 'orga.test')).toBe('alice@orga.test');
  });

  it('is the user name alone if that is an address or if there is no domain', () => {
    expect(toLoginName('alice@mail.test', 'orga.test')).toBe('alice@mail.test');
    expect(toLoginName('alice', null)).toBe('alice');
  });

  it('always ends with the domain if names are unique within the organization', () => {
    expect(loginNameOf({ userName: 'alice@mail.test', nameScope: 'a', orgDomain: 'orga.test' })).toBe(
      'alice@mail.test@orga.test',
    );
    expect(loginNameOf({ userName: 'alice@mail.test', nameScope: '', orgDomain: 'orga.test' })).toBe('alice@mail.test');
    expect(loginNameOf({ userName: 'alice', nameScope: 'a', orgDomain: null })).toBe('alice');
  });

  it.each([
    ['alice', { nameKey: 'alice', localKey: '', domain: '' }],
    [' Alice@OrgA.test ', { nameKey: 'alice@orga.test', localKey: 'alice', domain: 'orga.test' }],
    ['alice@Bücher.test', { nameKey: 'alice@xn--bcher-kva.test', localKey: 'alice', domain: 'xn--bcher-kva.test' }],
    ['a@b@c', { nameKey: 'a@b@c', localKey: 'a@b', domain: 'c' }],
    ['@orga.test', { nameKey: '@orga.test', localKey: '', domain: '' }],
    ['', { nameKey: '', localKey: '', domain: '' }],
  ])('typed as "%s" is read both as a whole name and as a name at a domain', (typed, expected) => {
    expect(parseLoginName(typed)).toEqual(expected);
  });
});

describe('A name', () => {
  it.each([
    'a b',
    'a\tb',
    'a\u0000b',
    'a\u200bb',
    'a\u202eb',
    'a\u00adb',
    'a\u2028b',
    'a\u00a0b',
    '\ufeffa',
    'a\u0085',
    'a\u{e0041}',
  ])('contains invisible characters: %j', (text) => {
    expect(hasInvisibleCharacters(text)).toBe(true);
  });

  it.each(['alice', 'älice', 'алиса', '愛麗絲', 'a@b.c', 'a+b', ''])('contains no invisible characters: %j', (text) => {
    expect(hasInvisibleCharacters(text)).toBe(false);
  });
});
