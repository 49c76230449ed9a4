import { describe, expect, it } from '@jest/globals';
import { isDistinguishedName, isSameName, isWithin } from './distinguished-name.js';

const BASE = 'ou=people,dc=acme,dc=test';

describe('A distinguished name (RFC 4514)', () => {
  it.each([
    ['uid=anna,ou=people,dc=acme,dc=test', true],
    ['UID=Anna, OU=People , DC=acme,DC=test', true],
    ['uid=anna,ou=x,ou=people,dc=acme,dc=test', true],
    ['uid=a\\,b,ou=people,dc=acme,dc=test', true],
    ['uid=anna,ou=guests,dc=acme,dc=test', false],
    ['uid=anna,ou=people,dc=acme,dc=test,dc=evil', false],
    ['uid=anna\\,ou=people,dc=acme,dc=test', false],
    ['uid=anna\\,ou=people\\,dc=acme\\,dc=test', false],
    ['uid=anna,ou=notpeople,dc=acme,dc=test', false],
    ['EXTERNAL', false],
  ])('%s is within the base: %s', (name, expected) => {
    expect(isWithin(name, BASE)).toBe(expected);
  });

  it.each(['', 'EXTERNAL', 'PLAIN', 'anna', 'uid=anna,', ',dc=test'])('%j is none', (text) => {
    expect(isDistinguishedName(text)).toBe(false);
  });

  it('is the same one with other escapes, cases and spaces', () => {
    expect(isSameName('cn=M\\C3\\BCller\\2C Eva,dc=test', 'CN = Müller\\, eva, DC=TEST')).toBe(true);
    expect(isSameName('cn=a,dc=test', 'cn=b,dc=test')).toBe(false);
  });
});
