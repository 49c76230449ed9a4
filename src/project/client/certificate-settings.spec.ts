import { describe, expect, it } from '@jest/globals';
import { certificateViolations } from './certificate-settings.js';

const fieldsOf = (settings: Parameters<typeof certificateViolations>[0]): string[] =>
  certificateViolations(settings).map(({ field }) => field);

const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

describe('The settings for certificates of a client (RFC 8705 §2)', () => {
  it('name what the certificate must have, or contain it', () => {
    const named = { tlsClientNameType: 'subject_dn', tlsClientName: 'CN=bank,C=DE' } as const;
    expect(fieldsOf({ authMethod: 'tls_client_auth', ...named })).toEqual([]);
    const own = { keys: [KEY, { ...KEY, x5c: ['MIIB'] }] };
    expect(fieldsOf({ authMethod: 'self_signed_tls_client_auth', jwks: own })).toEqual([]);
    expect(fieldsOf({ authMethod: 'self_signed_tls_client_auth', jwksUri: 'https://bank.test/keys' })).toEqual([]);
    expect(fieldsOf({ authMethod: 'client_secret_basic' })).toEqual([]);
  });

  it('are refused where no certificate could pass [MTL-004]', () => {
    expect(fieldsOf({ authMethod: 'tls_client_auth' })).toEqual(['tlsClientNameType']);
    const wildcard = { tlsClientNameType: 'san_dns', tlsClientName: '*.bank.test' } as const;
    expect(fieldsOf({ authMethod: 'tls_client_auth', ...wildcard })).toEqual(['tlsClientName']);
    expect(fieldsOf({ authMethod: 'none', tlsClientName: 'CN=bank' })).toEqual(['tlsClientNameType']);
    expect(fieldsOf({ authMethod: 'self_signed_tls_client_auth' })).toEqual(['jwks']);
    expect(fieldsOf({ authMethod: 'self_signed_tls_client_auth', jwks: { keys: [KEY] } })).toEqual(['jwks']);
  });
});
