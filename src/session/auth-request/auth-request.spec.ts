import { describe, expect, it } from '@jest/globals';
import {
  type AuthRequest,
  beginRequest,
  type NewAuthRequest,
  withAccountHere,
  withConsent,
  withExpiryAcknowledged,
  withExpiryWarning,
  withExternalLogin,
  withLanguage,
  withLoginName,
  withoutExternalLogin,
  withRegistration,
  withUser,
} from './auth-request.js';

const at = new Date('2026-01-01T12:00:00Z');
const wanted: NewAuthRequest = {
  clientId: 'c1',
  redirectUri: 'https://rp.test/cb',
  responseType: 'code',
  responseMode: 'query',
  scopes: ['openid'],
  state: 's',
  nonce: 'n',
  codeChallenge: undefined,
  prompts: [],
  maxAgeSeconds: undefined,
  loginHint: 'alice',
  uiLocales: ['de'],
  acrValues: [],
  secondFactorRequired: false,
  claims: undefined,
  requiredOrgId: undefined,
  requiredUserId: undefined,
};
const begun = beginRequest(wanted, { id: 'r1', browserId: 'b1', createdAt: at, expiresAt: at });
const external = { externalLoginId: 'l1', externalProvedAt: at, externalOrgId: 'o1' };

/** Everything that the pages can learn. */
const full: AuthRequest = {
  ...begun,
  userId: 'alice',
  accountChosen: true,
  consentGiven: true,
  ...external,
  registrationId: 'g1',
  passwordExpiresAt: at,
  passwordChangeWanted: true,
};

describe('A request begins', () => {
  it('with the hint of the application as the name, and nothing else learned', () => {
    expect(begun).toMatchObject({
      id: 'r1',
      clientId: 'c1',
      loginName: 'alice',
      accountChosen: false,
      consentGiven: false,
    });
    expect(begun.userId).toBeUndefined();
    expect(begun).not.toHaveProperty('loginHint');
  });
});

describe('What a request was asked never changes', () => {
  const changes: Array<[string, (request: AuthRequest) => AuthRequest]> = [
    ['a name', (request) => withLoginName(request, 'bob')],
    ['a user', (request) => withUser(request, 'bob', 'bob@orga.test')],
    ['consent', (request) => withConsent(request, 'alice')],
    ['a return from a provider', (request) => withExternalLogin(request, external)],
    ['an account here', withAccountHere],
    ['the end of a link', withoutExternalLogin],
    ['a registration', (request) => withRegistration(request, 'g2')],
    ['a warning', (request) => withExpiryWarning(request, at)],
    ['the answer to a warning', (request) => withExpiryAcknowledged(request, true)],
  ];
  it.each(changes)('by %s', (_, change) => {
    const { loginHint: _hint, ...asked } = wanted;
    expect(change(full)).toMatchObject({ ...asked, id: 'r1', browserId: 'b1', createdAt: at, expiresAt: at });
  });
});

describe('Another user', () => {
  it('by name has chosen, consented to and registered nothing', () => {
    expect(withLoginName(full, 'bob')).toEqual({
      ...full,
      loginName: 'bob',
      userId: undefined,
      consentGiven: false,
      registrationId: undefined,
      passwordExpiresAt: undefined,
      passwordChangeWanted: false,
    });
  });

  it('by account has not consented; the same user still has', () => {
    expect(withUser(full, 'bob', 'bob@orga.test')).toMatchObject({ userId: 'bob', consentGiven: false });
    expect(withUser(full, 'alice', 'alice@orga.test')).toMatchObject({ userId: 'alice', consentGiven: true });
  });

  it('from a provider is nobody known here, whatever was typed or chosen before', () => {
    expect(withExternalLogin({ ...full, externalLoginId: 'l0' }, external)).toEqual({
      ...full,
      userId: undefined,
      loginName: undefined,
      accountChosen: false,
      consentGiven: false,
      registrationId: undefined,
    });
  });

  it('who registers has no account yet', () => {
    expect(withRegistration(full, 'g2')).toMatchObject({ registrationId: 'g2', consentGiven: false });
    expect(withRegistration(full, 'g2').userId).toBeUndefined();
  });
});

describe('A choice', () => {
  it('of consent confirms the user', () => {
    expect(withConsent(begun, 'alice')).toMatchObject({ consentGiven: true, userId: 'alice' });
  });

  it('to sign in here first keeps the login of the provider, to be linked', () => {
    expect(withAccountHere(full)).toMatchObject({ ...external, accountChosen: true });
    expect(withAccountHere(full).loginName).toBeUndefined();
  });

  it('not to link forgets the provider', () => {
    const left = withoutExternalLogin(full);
    expect([left.externalLoginId, left.externalProvedAt, left.externalOrgId]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('after the warning of an expiry is remembered, and the warning is not', () => {
    expect(withExpiryAcknowledged(withExpiryWarning(begun, at), true)).toMatchObject({ passwordChangeWanted: true });
    expect(withExpiryAcknowledged(full, false).passwordExpiresAt).toBeUndefined();
  });

  it('of a language overrides those of the application', () => {
    expect(withLanguage(begun, 'fr').uiLocales).toEqual(['fr']);
  });
});
