import { describe, expect, it } from '@jest/globals';
import { readCookie } from './cookie.js';

describe('A cookie', () => {
  it.each([
    ['sid=abc', 'abc'],
    ['a=1; sid=abc; b=2', 'abc'],
    ['a=1;sid=abc', 'abc'],
    ['sid = abc ', 'abc'],
    ['sid=a=b', 'a=b'],
    ['sid=', ''],
    ['sid=abc; sid=abc', 'abc'],
  ])('is found in "%s"', (header, value) => {
    expect(readCookie(header, 'sid')).toBe(value);
  });

  it.each([undefined, '', ';;;', 'sid', 'SID=abc', 'xsid=abc', 'sidx=abc', '=abc', 'a=sid=abc'])(
    'is not in "%s"',
    (header) => {
      expect(readCookie(header, 'sid')).toBeUndefined();
    },
  );

  it('counts as absent when it is sent twice with different values', () => {
    expect(readCookie('sid=abc; sid=planted', 'sid')).toBeUndefined();
  });

  it('longer than any of ours is not read', () => {
    expect(readCookie(`sid=${'a'.repeat(257)}`, 'sid')).toBeUndefined();
  });
});
