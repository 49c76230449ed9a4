import { describe, expect, it } from '@jest/globals';
import {
  displayNameAt,
  isBare,
  isSubject,
  personNameOf,
  toExternalIdentity,
  userNamesFor,
} from './external-identity.js';

const CLAIMS = {
  sub: 's1',
  preferred_username: 'alice',
  email: 'alice@mail.test',
  email_verified: true,
  given_name: 'Alice',
  family_name: 'Liddell',
  name: 'Alice P. Liddell',
  nickname: 'Ally',
  locale: 'de-CH',
  phone_number: '+41791234567',
  phone_number_verified: true,
};
const identity = toExternalIdentity('s1', CLAIMS);
const plain = { displayNameMapping: 'unspecified', usernameMapping: 'unspecified' } as const;

describe('The identity of a user at a provider', () => {
  it('is described by the claims of OIDC Core §5.1', () => {
    expect(identity).toEqual({
      subject: 's1',
      preferredUserName: 'alice',
      email: 'alice@mail.test',
      emailVerified: true,
      givenName: 'Alice',
      familyName: 'Liddell',
      name: 'Alice P. Liddell',
      nickName: 'Ally',
      locale: 'de-CH',
      phone: '+41791234567',
      phoneVerified: true,
    });
    expect([isBare(identity), isBare(toExternalIdentity('s1', {}))]).toEqual([false, true]);
  });

  it('is completed by the UserInfo endpoint, and never contradicted by it', () => {
    const found = toExternalIdentity('s1', { given_name: 'Alice' }, { ...CLAIMS, given_name: 'Eve' });
    expect(found).toMatchObject({
      givenName: 'Alice',
      familyName: 'Liddell',
      email: 'alice@mail.test',
      emailVerified: true,
    });
  });

  it('has a verified address and number where a provider sends booleans as texts, as Apple and Cognito do', () => {
    expect(
      toExternalIdentity('s1', { ...CLAIMS, email_verified: 'true', phone_number_verified: 'true' }),
    ).toMatchObject({ emailVerified: true, phoneVerified: true });
  });

  it.each([false, undefined, 'false', 'True', ' true', '1', 1, null, {}, ['true']])(
    'has no verified address where email_verified is %j [IDP-028]',
    (email_verified) => {
      expect(toExternalIdentity('s1', { ...CLAIMS, email_verified }).emailVerified).toBe(false);
    },
  );

  it('has no address that another document verifies [IDP-028]', () => {
    expect(toExternalIdentity('s1', { email: 'bob@mail.test' }, CLAIMS)).toMatchObject({
      email: 'bob@mail.test',
      emailVerified: false,
    });
    expect(toExternalIdentity('s1', { email_verified: true }, { email: 'bob@mail.test' })).toMatchObject({
      email: 'bob@mail.test',
      emailVerified: false,
    });
    expect(toExternalIdentity('s1', { phone_number_verified: true }, { phone_number: '+41' })).toMatchObject({
      phoneVerified: false,
    });
  });

  it.each(['', ' ', 'a\r\nBcc: x', 'a\u0000', 'a\u2028b', 'x'.repeat(201), 1, null, {}, ['a'], '\ud800'])(
    'is not described by an unusable name: %j',
    (name) => {
      expect(toExternalIdentity('s1', { name, email: name })).toEqual({
        subject: 's1',
        emailVerified: false,
        phoneVerified: false,
      });
    },
  );

  it.each(['a', ' a ', 'A', '<script>', 'x'.repeat(255)])('may be the subject %j, as it is', (sub) =>
    expect(isSubject(sub)).toBe(true),
  );
  it.each(['', 'x'.repeat(256), 'a\u0000', 'a\n', 1, null, undefined, ['a']])('is not the subject %j', (sub) =>
    expect(isSubject(sub)).toBe(false),
  );
});

describe('The mappings of a provider', () => {
  it('use the name of the account there', () => {
    expect(displayNameAt(identity, plain)).toBe('alice');
    expect(displayNameAt(identity, { displayNameMapping: 'email' })).toBe('alice@mail.test');
    expect(
      displayNameAt(toExternalIdentity('s1', { email: 'a@b.test' }), { displayNameMapping: 'preferred_username' }),
    ).toBe('a@b.test');
    expect(displayNameAt(toExternalIdentity('s1', { name: 'A' }), { displayNameMapping: 'email' })).toBe('A');
  });

  it('use the name of the user here, the other name second', () => {
    expect(userNamesFor(identity, plain)).toEqual(['alice', 'alice@mail.test']);
    expect(userNamesFor(identity, { usernameMapping: 'preferred_username' })).toEqual(['alice', 'alice@mail.test']);
    expect(userNamesFor(identity, { usernameMapping: 'email' })).toEqual(['alice@mail.test', 'alice']);
  });

  it('are not an address that is not verified [IDP-027]', () => {
    expect(userNamesFor({ ...identity, emailVerified: false }, { usernameMapping: 'email' })).toEqual(['alice']);
  });
});

describe('The names of a person', () => {
  it.each([
    [CLAIMS, ['Alice', 'Liddell', 'Alice P. Liddell']],
    [{ name: 'Alice P. Liddell' }, ['Alice P.', 'Liddell', 'Alice P. Liddell']],
    [{ given_name: 'Alice', family_name: 'Liddell' }, ['Alice', 'Liddell', 'Alice Liddell']],
    [{ given_name: 'Alice' }, ['Alice', 'Alice', 'Alice']],
    [{ family_name: 'Liddell' }, ['Liddell', 'Liddell', 'Liddell']],
    [{ name: 'Cher' }, ['Cher', 'Cher', 'Cher']],
    [{ nickname: 'Ally' }, ['Ally', 'Ally', 'Ally']],
    [{}, ['user1', 'user1', 'user1']],
  ])('are found in %j', (claims, expected) => {
    const { firstName, lastName, displayName } = personNameOf(toExternalIdentity('s1', claims), plain, 'user1');
    expect([firstName, lastName, displayName]).toEqual(expected);
  });

  it('are shown as configured in the mapping', () => {
    expect(personNameOf(identity, { displayNameMapping: 'email' }, 'user1').displayName).toBe('alice@mail.test');
  });
});
