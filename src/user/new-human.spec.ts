import { describe, expect, it } from '@jest/globals';
import { type NewHuman, newHumanViolations } from './new-human.js';

const alice: NewHuman = {
  orgId: '1',
  userName: 'alice',
  email: 'alice@mail.test',
  profile: { firstName: 'Alice', lastName: 'Liddell' },
};
const fieldsOf = (input: NewHuman): string[] => newHumanViolations(input).map(({ field }) => field);

describe('A new human user', () => {
  it('needs a user name, both names and an e-mail address', () => {
    expect(fieldsOf(alice)).toEqual([]);
    expect(fieldsOf({ orgId: '1', userName: '', email: '', profile: { firstName: '', lastName: '' } })).toEqual([
      'userName',
      'profile.firstName',
      'profile.lastName',
      'email.email',
    ]);
  });

  it('may have names of up to 200 code points', () => {
    expect(fieldsOf({ ...alice, profile: { firstName: '😀'.repeat(200), lastName: 'x' } })).toEqual([]);
    expect(fieldsOf({ ...alice, profile: { firstName: '😀'.repeat(201), lastName: 'x' } })).toEqual([
      'profile.firstName',
    ]);
  });

  it.each(['\r\nBcc: x@evil.test', 'a\u0000', 'a\u2028', 'a\u0085', '\ud800'])(
    'has no control characters in any name: %j',
    (text) => {
      const profile = { firstName: text, lastName: text, middleName: text, nickName: text, displayName: text };
      expect(fieldsOf({ ...alice, profile })).toEqual([
        'profile.firstName',
        'profile.lastName',
        'profile.middleName',
        'profile.nickName',
        'profile.displayName',
      ]);
    },
  );
});
