import { describe, expect, it } from '@jest/globals';
import { toPhoneNumber } from './phone-number.js';
import { profileViolations } from './profile.js';

const fieldsOf = (profile: Parameters<typeof profileViolations>[0]): string[] =>
  profileViolations(profile, 'profile.').map(({ field }) => field);

describe('A profile: OIDC Core §5.1', () => {
  it.each(['2000-02-29', '1999', '0000-12-24', '0000-02-29'])('may have the birthdate %s', (birthdate) => {
    expect(fieldsOf({ birthdate })).toEqual([]);
  });

  it.each(['2001-02-29', '2000-13-01', '0000', '01.02.2000', '2000-1-1', 'x'])(
    'cannot have the birthdate %s',
    (birthdate) => {
      expect(fieldsOf({ birthdate })).toEqual(['profile.birthdate']);
    },
  );

  it.each(['Europe/Paris', 'America/Argentina/Buenos_Aires', 'UTC'])('may have the time zone %s', (zoneinfo) => {
    expect(fieldsOf({ zoneinfo })).toEqual([]);
  });

  it.each(['Nowhere/Land', '+01:00', '../etc/passwd', 'a b'])('cannot have the time zone %s', (zoneinfo) => {
    expect(fieldsOf({ zoneinfo })).toEqual(['profile.zoneinfo']);
  });

  it.each([
    'javascript:x',
    'file:///etc/passwd',
    'http:evil',
    'https://',
    '//evil.test',
    'not a url',
    ' https://a',
    'https://a b',
    'https://user:pw@evil.test',
  ])('cannot refer to %j [ADM-019]', (url) => {
    expect(fieldsOf({ profileUrl: url, pictureUrl: url, website: url })).toEqual([
      'profile.profileUrl',
      'profile.pictureUrl',
      'profile.website',
    ]);
  });

  it('may refer to web pages, or to none', () => {
    expect(fieldsOf({ profileUrl: 'https://a.test/x?y#z', pictureUrl: 'http://a.test:8080', website: '' })).toEqual([]);
  });

  it('may have an address of several lines, whose members are distinguished', () => {
    expect(fieldsOf({ address: { formatted: 'Hauptstr. 1\r\nBerlin', locality: 'Berlin' } })).toEqual([]);
    expect(fieldsOf({ address: { formatted: 'a\u0000', locality: 'x'.repeat(201) } })).toEqual([
      'profile.address.formatted',
      'profile.address.locality',
    ]);
  });

  it('names a language by a tag', () => {
    expect(fieldsOf({ preferredLanguage: 'pt-BR' })).toEqual([]);
    expect(fieldsOf({ preferredLanguage: 'de_DE' })).toEqual(['profile.preferredLanguage']);
  });
});

describe('A phone number', () => {
  it.each([
    ['+49 (30) 123-45.67', '+49301234567'],
    ['+41791234567', '+41791234567'],
    ['＋49301234567', '+49301234567'],
  ])('%s is kept as %s', (typed, kept) => {
    expect(toPhoneNumber(typed)).toBe(kept);
  });

  it.each(['', '0301234567', '+', '+0123456', '+12', '+1234567890123456', '+49 30 call me'])('is not %j', (typed) => {
    expect(toPhoneNumber(typed)).toBeUndefined();
  });
});
