import { describe, expect, it } from '@jest/globals';
import { PROVIDER_KINDS, type ProviderRow } from './provider-kinds.js';

const TENANT = '8eaef023-2b34-4da1-9baa-8bc8c9d6a490';

function row(own: Readonly<Record<string, unknown>>): ProviderRow {
  return { common: {}, own, secret: (column) => `secret of ${column}` };
}

const kind = (number: number) => PROVIDER_KINDS[number]!;
const none = new Set<string>();

describe('A provider becomes what the target can do', () => {
  it.each([
    [8, {}, 'https://gitlab.com'],
    [9, { issuer: 'https://gitlab.example' }, 'https://gitlab.example'],
    [10, {}, 'https://accounts.google.com'],
  ])('one of OpenID Connect, of the kind %s', (number, own, issuer) => {
    const made = kind(number).convert(row({ client_id: 'x', scopes: ['profile'], ...own }), none);
    expect(made).toMatchObject({
      list: 'oidcIdps',
      idp: { issuer, clientId: 'x', clientSecret: 'secret of client_secret', scopes: ['openid', 'profile'] },
    });
  });

  it.each([
    [3, 'social', { authorization_endpoint: 'https://x.example/a', id_attribute: 'id' }, 'ext:social-oauth'],
    [4, 'ldap', { servers: ['ldaps://dc.example'], base_dn: 'dc=example' }, 'ext:ldap'],
    [5, 'social', { tenant: TENANT }, 'ext:social-entra'],
    [6, 'social', {}, 'ext:social-github'],
    [11, 'social', { team_id: 'A1B2C3D4E5', key_id: 'F6G7H8J9K0' }, 'ext:social-apple'],
    [12, 'saml', { metadata: Buffer.from('<x/>') }, 'ext:saml'],
  ])('or one of the extension that brings its kind, %s, if that is loaded', (number, extension, own, expected) => {
    expect(kind(number).convert(row(own), new Set([extension]))).toMatchObject({
      list: 'extensionIdps',
      idp: { kind: expected },
    });
    expect(kind(number).convert(row(own), none)).toContain(`need the extension "${extension}"`);
  });

  it('but for one of all tenants', () => {
    expect(kind(5).convert(row({ tenant: 'common' }), new Set(['social']))).toContain('are for all tenants');
  });

  it('keeps the settings of a directory', () => {
    const own = {
      servers: ['ldap://dc.example'],
      start_tls: true,
      base_dn: 'dc=example',
      bind_dn: 'cn=reader',
      user_filters: ['uid'],
      user_object_classes: ['person'],
      id_attribute: 'entryUUID',
      root_ca: Buffer.from('PEM'),
    };
    expect(kind(4).convert(row(own), new Set(['ldap']))).toMatchObject({
      idp: {
        settings: {
          servers: ['ldap://dc.example'],
          startTls: true,
          userBase: 'dc=example',
          bindDn: 'cn=reader',
          bindPassword: 'secret of bind_password',
          userFilters: ['uid'],
          idAttribute: 'entryUUID',
          rootCa: 'PEM',
        },
      },
    });
  });
});

describe('The id of a person at a provider', () => {
  it('has its tenant before it, as those of Entra ID have here', () => {
    expect(kind(5).subjectOf?.('AB-CD', row({ tenant: TENANT.toUpperCase() }))).toBe(`${TENANT}.ab-cd`);
  });

  it('is in hexadecimal where it is the GUID of a directory, and otherwise as it was', () => {
    const guid = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
    const own = row({ id_attribute: 'objectGUID' });
    expect(kind(4).subjectOf?.(guid.toString('base64'), own)).toBe(guid.toString('hex'));
    expect(kind(4).subjectOf?.('abcdefghijklmnop', own)).toBe(Buffer.from('abcdefghijklmnop').toString('hex'));
    expect(kind(4).subjectOf?.('ilse', row({ id_attribute: 'uid' }))).toBe('ilse');
  });
});
