import { describe, expect, it } from '@jest/globals';
import { isEmail, newHumanViolations, type NewHuman } from './new-human.js';

const alice: NewHuman = { orgId: '1', userName: 'alice', email: 'alice@mail.test', profile: { firstName: 'Alice', lastName: 'Liddell' } };
const fieldsOf = (input: NewHuman): string[] => newHumanViolations(input).map(({ field }) => field);

describe('A new person', () => {
  it('needs a user name, both names and an e-mail address', () => {
    expect(fieldsOf(alice)).toEqual([]);
    expect(fieldsOf({ orgId: '1', userName: '', email: '', profile: { firstName: '', lastName: '' } })).toEqual(
      ['userName', 'profile.firstName', 'profile.lastName', 'email.email'],
    );
  });

  it('may have names of 200 code points, not of 201', () => {
    expect(fieldsOf({ ...alice, profile: { firstName: '😀'.repeat(200), lastName: 'x' } })).toEqual([]);
    expect(fieldsOf({ ...alice, profile: { firstName: '😀'.repeat(201), lastName: 'x' } })).toEqual(['profile.firstName']);
  });

  it.each(['\r\nBcc: x@evil.test', 'a\u0000', 'a\u2028', 'a\u0085', '\ud800'])('has no control characters in any name: %j', (text) => {
    const profile = { firstName: text, lastName: text, middleName: text, nickName: text, displayName: text };
    expect(fieldsOf({ ...alice, profile })).toEqual(
      ['profile.firstName', 'profile.lastName', 'profile.middleName', 'profile.nickName', 'profile.displayName'],
    );
  });
});

describe('An e-mail address', () => {
  it.each(['alice@mail.test', 'a.b+c@mail.test', "o'hara@mail.test", 'ü@bücher.test', 'a@localhost'])('may be %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each(['', 'alice', '@mail.test', 'alice@', 'a b@mail.test', 'a@b@c', 'a@mail.test\r\nRCPT TO:<x@evil.test>', '<a@mail.test>', 'a@mail.test,b@mail.test', 'a\u200b@mail.test', `${'a'.repeat(65)}@mail.test`, `a@${'b'.repeat(200)}`])(
    'is not %j',
    (text) => {
      expect(isEmail(text)).toBe(false);
    },
  );
});
