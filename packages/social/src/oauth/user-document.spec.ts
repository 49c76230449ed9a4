import { describe, expect, it } from '@jest/globals';
import { OauthSettings } from './oauth.settings.js';
import { identityIn } from './user-document.js';

const settings: Readonly<OauthSettings> = Object.assign(new OauthSettings(), {
  idAttribute: '/data/id',
  userNameAttribute: 'login',
  emailAttribute: '/data/mail',
  emailVerifiedAttribute: 'verified',
  trustsEmailVerified: true,
  givenNameAttribute: '/data/names/0',
  familyNameAttribute: '',
  nameAttribute: 'display',
  localeAttribute: '',
});
const document = {
  login: 'ann',
  verified: true,
  display: { text: 'Ann' },
  data: { id: 7, mail: 'ann@acme.example', names: ['Ann'] },
};

describe('The document of a user endpoint', () => {
  it('is read as the settings say, and what is no text is left out', () => {
    expect(identityIn(document, settings)).toEqual({
      subject: '7',
      preferredUserName: 'ann',
      email: 'ann@acme.example',
      givenName: 'Ann',
      emailVerified: true,
    });
  });

  it('verifies an address only if a member is named and the administrator trusts it', () => {
    const verified = (over: object, of: object = document) =>
      identityIn({ ...document, ...of }, { ...settings, ...over }).emailVerified;
    expect([
      verified({ trustsEmailVerified: false }),
      verified({ emailVerifiedAttribute: '' }),
      verified({}, { verified: 'true' }),
      verified({}, { verified: 1 }),
    ]).toEqual([false, false, true, false]);
  });

  it.each([[{}], [[7]], [null], [7.5], ['']])('is refused with the id %j (SOC-005)', (id) => {
    expect(() => identityIn({ data: { id } }, settings)).toThrow('no text or integer at /data/id');
  });
});
