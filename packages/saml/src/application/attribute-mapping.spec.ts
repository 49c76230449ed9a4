import { describe, expect, it } from '@jest/globals';
import type { SignedIn } from 'gatehouse';
import { attributesOf, DEFAULT_MAPPING } from './attribute-mapping.js';

const ANNA: SignedIn = {
  user: {
    id: '7',
    orgId: '1',
    userName: 'anna',
    loginName: 'anna@acme.test',
    firstName: 'Anna',
    middleName: '',
    lastName: 'Arendt',
    nickName: '',
    displayName: 'Anna Arendt',
    preferredLanguage: 'de',
    email: 'anna@mail.test',
    emailVerified: true,
    phone: '+49301',
    phoneVerified: false,
  },
  sessionId: 's',
  authTime: new Date(0),
  amr: ['pwd'],
  acr: '1',
  roles: ['reader', 'writer'],
  groups: ['Cooks'],
};

const valuesOf = (attributes: ReturnType<typeof attributesOf>) =>
  Object.fromEntries(attributes.map(({ name, friendlyName, values }) => [friendlyName ?? name, values]));

describe('attributes of an application', () => {
  it('are by default those of eduPerson and LDAP, with roles and groups', () => {
    expect(valuesOf(attributesOf(DEFAULT_MAPPING, ANNA))).toEqual({
      uid: ['anna'],
      eduPersonPrincipalName: ['anna@acme.test'],
      mail: ['anna@mail.test'],
      givenName: ['Anna'],
      sn: ['Arendt'],
      displayName: ['Anna Arendt'],
      isMemberOf: ['Cooks'],
      roles: ['reader', 'writer'],
    });
  });

  it('have the OID of a known name, a URI as it is, and any other name as a basic one', () => {
    const names = ['mail', 'https://aws.amazon.com/SAML/Attributes/Role', 'Mail'];
    const mapping = names.map((name) => ({ source: 'email' as const, name }));
    expect(attributesOf(mapping, ANNA).map(({ name, nameFormat }) => [name, nameFormat.split(':').at(-1)])).toEqual([
      ['urn:oid:0.9.2342.19200300.100.1.3', 'uri'],
      ['https://aws.amazon.com/SAML/Attributes/Role', 'uri'],
      ['Mail', 'basic'],
    ]);
  });

  it('of one name are one attribute, with each value once', () => {
    const mapping = [
      { source: 'roles', name: 'memberOf' },
      { source: 'groups', name: 'memberOf' },
      { source: 'roles', name: 'memberOf' },
    ] as const;
    expect(valuesOf(attributesOf(mapping, ANNA))).toEqual({ memberOf: ['reader', 'writer', 'Cooks'] });
  });

  it('never say what is empty, nor an address or a phone number that is not proved', () => {
    const mapping = (['nickName', 'phone', 'email'] as const).map((source) => ({ source, name: source }));
    const unproved = { ...ANNA, user: { ...ANNA.user, emailVerified: false } };
    expect(valuesOf(attributesOf(mapping, unproved))).toEqual({ nickName: [], phone: [], email: [] });
  });
});
