import { describe, expect, it } from '@jest/globals';
import { type NewClient, settingsViolations } from './client-settings.js';

const FITTING: NewClient = {
  projectId: 'P',
  kind: 'oidc',
  name: 'Bank',
  authMethod: 'private_key_jwt',
  redirectUris: ['https://bank.test/cb', 'https://bank.test/cb?from=app'],
  responseTypes: ['code'],
  grantTypes: ['authorization_code', 'refresh_token'],
  securityProfile: 'fapi_2_0',
};

const fieldsOf = (over: Partial<NewClient>): string[] =>
  settingsViolations({ ...FITTING, ...over }).map(({ field }) => field);

describe('The FAPI 2.0 profile of an application', () => {
  it('is accepted with settings under which it holds', () => {
    const byName = { authMethod: 'tls_client_auth', tlsClientNameType: 'san_dns', tlsClientName: 'bank.test' } as const;
    expect(settingsViolations({ ...FITTING, ...byName })).toEqual([]);
    expect(settingsViolations(FITTING)).toEqual([]);
    const native = { clientType: 'native', redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb'] } as const;
    expect(fieldsOf({ ...native, redirectUris: [...native.redirectUris, 'com.example.bank:/cb'] })).toEqual([]);
  });

  it.each<[string, Partial<NewClient>, string[]]>([
    ['a public client', { authMethod: 'none' }, ['authMethodType']],
    ['a secret', { authMethod: 'client_secret_basic' }, ['authMethodType']],
    ['a secret in the form', { authMethod: 'client_secret_post' }, ['authMethodType']],
    ['an application in a browser', { clientType: 'user_agent' }, ['appType']],
    [
      'the implicit flow',
      { responseTypes: ['code', 'id_token'], grantTypes: ['authorization_code', 'implicit'] },
      ['responseTypes', 'grantTypes'],
    ],
    ['devices', { grantTypes: ['authorization_code', 'device_code'] }, ['grantTypes']],
    ['token exchange', { grantTypes: ['authorization_code', 'token_exchange'] }, ['grantTypes']],
    ['development mode', { devMode: true }, ['devMode']],
    ['a redirect URI without TLS', { redirectUris: ['http://127.0.0.1/cb'] }, ['redirectUris[0]']],
    [
      'a name instead of a loopback address',
      { clientType: 'native', redirectUris: ['http://127.0.0.1/cb', 'http://localhost/cb'] },
      ['redirectUris[1]'],
    ],
    [
      'a key for RS256',
      {
        jwks: {
          keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', alg: 'RS256' }],
        },
      },
      ['jwks.keys[0].alg'],
    ],
    [
      'everything at once',
      { authMethod: 'none', clientType: 'user_agent', devMode: true, redirectUris: ['http://bank.test/'] },
      ['authMethodType', 'appType', 'devMode', 'redirectUris[0]'],
    ],
  ])('is refused with %s, which is named [FAP-001]', (_, over, fields) => {
    expect(fieldsOf(over)).toEqual(fields);
    expect(fieldsOf({ ...over, securityProfile: 'none' })).toEqual([]);
  });

  it('is none of an application that only introspects tokens', () => {
    const api = { kind: 'api', redirectUris: [], responseTypes: [], grantTypes: [] } as const;
    expect(settingsViolations({ ...FITTING, ...api, redirectUris: [], responseTypes: [], grantTypes: [] })).toEqual([
      { field: 'securityProfile', description: 'must be SECURITY_PROFILE_NONE for an API application' },
    ]);
  });
});
