import { describe, expect, it } from '@jest/globals';
import { type MetadataRules, readMetadata, toAbout, toMetadata } from './client-metadata.js';
import { MetadataRefused } from './metadata.errors.js';

const RULES: MetadataRules = {
  authMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
  grantTypes: ['authorization_code', 'refresh_token'],
  idTokenAlgorithms: ['RS256'],
  userinfoAlgorithm: 'RS256',
  takesRequestUris: true,
  loopbackIsNative: false,
  defaultName: 'Application',
  redirectHosts: [],
};
const CALLBACK = 'https://app.example/cb';
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

function read(metadata: Record<string, unknown>, rules: Partial<MetadataRules> = {}): ReturnType<typeof readMetadata> {
  return readMetadata({ redirect_uris: [CALLBACK], ...metadata }, { ...RULES, ...rules });
}

function refusalOf(metadata: Record<string, unknown>, rules: Partial<MetadataRules> = {}): string {
  try {
    read(metadata, rules);
    return 'accepted';
  } catch (error) {
    return error instanceof MetadataRefused ? error.error : String(error);
  }
}

describe('Metadata of an application that describes itself', () => {
  it('have the defaults of RFC 7591 §2', () => {
    expect(toMetadata(read({}))).toEqual({
      client_name: 'Application',
      application_type: 'web',
      redirect_uris: [CALLBACK],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
    });
  });

  it('are returned as they are registered', () => {
    const metadata = {
      client_name: 'Wiki',
      application_type: 'native',
      redirect_uris: ['com.example.wiki:/cb', 'http://127.0.0.1/cb'],
      response_types: ['code'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'private_key_jwt',
      post_logout_redirect_uris: ['com.example.wiki:/bye'],
      jwks: { keys: [KEY] },
      client_uri: 'https://wiki.example/',
      policy_uri: 'https://wiki.example/privacy',
      tos_uri: 'https://wiki.example/terms',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
      require_signed_request_object: true,
      backchannel_logout_uri: 'https://wiki.example/logout',
      backchannel_logout_session_required: true,
      request_uris: ['https://wiki.example/request.jwt#hash'],
    };
    expect(toMetadata(read(metadata))).toEqual(metadata);
  });

  it.each([
    ['a fragment', 'https://app.example/cb#x'],
    ['a script', 'JaVaScript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['http elsewhere', 'http://app.example/cb'],
    ['an asterisk as host', 'https://*.example/cb'],
    ['an asterisk in the path', 'https://app.example/*'],
    ['user information', 'https://user:x@app.example/cb'],
    ['a private scheme of a website', 'com.example.app:/cb'],
    ['no absolute URI', '/cb'],
  ])('are refused for a redirect URI with %s [REG-003]', (_, uri) => {
    expect(refusalOf({ redirect_uris: [uri] })).toBe('invalid_redirect_uri');
  });

  it.each([
    ['none', []],
    ['101', Array.from({ length: 101 }, (_, n) => `${CALLBACK}/${n}`)],
    ['the same twice', [CALLBACK, CALLBACK]],
    ['a text', CALLBACK],
    ['a number', [1]],
  ])('are refused for redirect URIs that are %s [REG-003]', (_, uris) => {
    expect(refusalOf({ redirect_uris: uris })).toBe('invalid_redirect_uri');
  });

  it.each([
    ['dpop_bound_access_tokens', 'true'],
    ['require_pushed_authorization_requests', 1],
    ['require_signed_request_object', true],
    ['backchannel_logout_session_required', 'yes'],
    ['backchannel_logout_uri', 'http://127.0.0.1/logout'],
    ['backchannel_logout_uri', 'https://app.example/logout#x'],
  ])('are refused for a demand that is none, or that cannot be met: %s %s', (member, value) => {
    expect(refusalOf({ [member]: value })).toBe('invalid_client_metadata');
  });

  it('name exactly one name of the certificate, for tls_client_auth (RFC 8705 §2.1.2)', () => {
    const rules = { authMethods: ['tls_client_auth', 'self_signed_tls_client_auth'] } as const;
    const metadata = {
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_san_dns: 'app.example',
      tls_client_certificate_bound_access_tokens: true,
    };
    expect(toMetadata(read(metadata, rules))).toMatchObject(metadata);
    for (const over of [
      { tls_client_auth_san_dns: undefined },
      { tls_client_auth_subject_dn: 'CN=app' },
      { tls_client_auth_san_dns: '*.example' },
      { token_endpoint_auth_method: 'self_signed_tls_client_auth' },
    ])
      expect(refusalOf({ ...metadata, ...over }, rules)).toBe('invalid_client_metadata');
    expect(refusalOf(metadata)).toBe('invalid_client_metadata');
  });

  it('may ask for signed claims, with the algorithm of ID tokens', () => {
    expect(read({ userinfo_signed_response_alg: 'RS256' }).signedUserinfo).toBe(true);
    expect(read({ userinfo_signed_response_alg: 'ES256' }, { userinfoAlgorithm: 'ES256' }).signedUserinfo).toBe(true);
    expect(read({}).signedUserinfo).toBe(false);
  });

  it('name addresses of request objects, where these are fetched, of an application that has a key [JAR-009]', () => {
    const uris = ['https://app.example/r.jwt', `https://app.example/r.jwt#${'x'.repeat(43)}`];
    const metadata = { request_uris: uris, jwks: { keys: [KEY] } };
    expect(read(metadata).requestUris).toEqual(uris);
    expect(read({ request_uris: uris }, { takesRequestUris: false }).requestUris).toEqual([]);
    expect(refusalOf({ request_uris: uris })).toBe('invalid_client_metadata');
    expect(refusalOf(metadata, { redirectHosts: ['app.example'] })).toBe('accepted');
    const elsewhere = { ...metadata, request_uris: ['https://other.example/r.jwt'] };
    const rules = { redirectHosts: ['app.example'] };
    expect(refusalOf({ ...elsewhere, redirect_uris: [CALLBACK] }, rules)).toBe('invalid_client_metadata');
  });

  it.each([
    ['http', 'http://app.example/r.jwt'],
    ['http on this machine', 'http://127.0.0.1/r.jwt'],
    ['user information', 'https://user@app.example/r.jwt'],
    ['513 characters', `https://app.example/${'x'.repeat(493)}`],
    ['a backslash', 'https://app.example\\r.jwt'],
    ['another letter', 'https://äpp.example/r.jwt'],
    ['two fragments', 'https://app.example/r.jwt#a#b'],
    ['a blank in the fragment', 'https://app.example/r.jwt#a b'],
    ['no host', 'https:///r.jwt'],
    ['a file', 'file:///etc/passwd'],
    ['a URN', 'urn:ietf:params:oauth:request_uri:x'],
  ])('are refused for an address of request objects with %s [JAR-009]', (_, uri) => {
    expect(refusalOf({ jwks: { keys: [KEY] }, request_uris: [uri] })).toBe('invalid_client_metadata');
  });

  it('are refused for 21 addresses of request objects, or one twice [JAR-009]', () => {
    const uri = 'https://app.example/r.jwt';
    for (const uris of [Array.from({ length: 21 }, (_, n) => `${uri}?${n}`), [uri, uri], uri, [1]])
      expect(refusalOf({ jwks: { keys: [KEY] }, request_uris: uris })).toBe('invalid_client_metadata');
  });

  it('name a logout URI on a host that the token allows', () => {
    const metadata = { backchannel_logout_uri: 'https://other.example/logout' };
    expect(refusalOf(metadata, { redirectHosts: ['app.example'] })).toBe('invalid_client_metadata');
    expect(read(metadata).backChannelLogoutUri).toBe('https://other.example/logout');
  });

  it('take private schemes with a dot, of native applications only [REG-003]', () => {
    const native = { application_type: 'native' };
    expect(refusalOf({ ...native, redirect_uris: ['com.example.app:/cb'] })).toBe('accepted');
    expect(refusalOf({ ...native, redirect_uris: ['app:/cb'] })).toBe('invalid_redirect_uri');
    expect(refusalOf({ ...native, redirect_uris: ['http://app.example/cb'] })).toBe('invalid_redirect_uri');
  });

  it('are bound to the hosts that a token names [REG-003]', () => {
    const only = { redirectHosts: ['app.example'] };
    expect(refusalOf({}, only)).toBe('accepted');
    for (const uri of ['https://other.example/cb', 'https://app.example.evil.example/cb', 'http://127.0.0.1/cb'])
      expect(refusalOf({ redirect_uris: [uri] }, only)).toBe('invalid_redirect_uri');
    const scheme = { application_type: 'native', redirect_uris: ['com.example.app:/cb'] };
    expect(refusalOf(scheme, only)).toBe('invalid_redirect_uri');
  });

  it('leave out what is not offered, as the answer shows [REG-004]', () => {
    const registered = toMetadata(
      read({
        grant_types: [
          'authorization_code',
          'implicit',
          'client_credentials',
          'urn:ietf:params:oauth:grant-type:jwt-bearer',
          'urn:ietf:params:oauth:grant-type:token-exchange',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        response_types: ['code', 'id_token token'],
        require_pushed_authorization_requests: true,
        access_token_role_assertion: true,
        consent_page: false,
        origin: 'administrator',
        scope: 'openid urn:service:iam:org:project:id:service:aud',
      }),
    );
    expect(registered).toMatchObject({ grant_types: ['authorization_code'], response_types: ['code'] });
    for (const member of ['scope', 'origin', 'consent_page', 'access_token_role_assertion'])
      expect(registered).not.toHaveProperty(member);
  });

  it('take the device grant where it is allowed', () => {
    const metadata = { grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] };
    const allowed = { grantTypes: ['authorization_code', 'device_code'] as const };
    expect(read(metadata, allowed).grantTypes).toEqual(['authorization_code', 'device_code']);
    expect(read(metadata).grantTypes).toEqual(['authorization_code']);
  });

  it.each<[string, Record<string, unknown>]>([
    ['grants without the one that code needs', { grant_types: ['implicit'] }],
    ['response types without code', { response_types: ['id_token'] }],
    ['a method that is not offered', { token_endpoint_auth_method: 'client_secret_jwt' }],
    ['pairwise subjects', { subject_type: 'pairwise' }],
    ['a sector of an inner network [REG-006]', { sector_identifier_uri: 'https://169.254.169.254/' }],
    ['unsigned ID tokens', { id_token_signed_response_alg: 'none' }],
    ['claims that are signed with another algorithm than ID tokens', { userinfo_signed_response_alg: 'ES256' }],
    ['claims in a JWT that nobody has signed', { userinfo_signed_response_alg: 'none' }],
    ['claims that are signed by a secret', { userinfo_signed_response_alg: 'HS256' }],
    ['encrypted claims', { userinfo_encrypted_response_alg: 'RSA-OAEP' }],
    ['claims that are encrypted somehow', { userinfo_encrypted_response_enc: 'A128GCM' }],
    ['an algorithm that is no text', { userinfo_signed_response_alg: ['RS256'] }],
    ['another kind of application', { application_type: 'desktop' }],
    ['keys and an address of keys', { jwks: { keys: [KEY] }, jwks_uri: 'https://app.example/keys' }],
    ['a private key', { jwks: { keys: [{ ...KEY, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' }] } }],
    ['keys that are none', { jwks: 'x' }],
    ['a method with keys without any', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['a logo that is a script [REG-006]', { logo_uri: 'JaVaScript:alert(1)' }],
    ['a website that is a script', { client_uri: 'javascript:alert(1)' }],
    ['terms that are data', { tos_uri: 'data:text/html,x' }],
    ['a policy that is no address', { policy_uri: 'privacy' }],
    ['a name of 101 characters [REG-011]', { client_name: 'x'.repeat(101) }],
    ['a name of 10,000 characters [REG-011]', { client_name: 'x'.repeat(10_000) }],
    ['a name that cannot be read [REG-011]', { client_name: '\u202e\u200b' }],
    ['a name that is no text', { client_name: 1 }],
  ])('are refused for %s', (_, metadata) => {
    expect(refusalOf(metadata)).toBe('invalid_client_metadata');
  });

  it('are refused for a software statement, since no issuer is trusted [REG-010]', () => {
    expect(refusalOf({ software_statement: 'e30.e30.' })).toBe('invalid_software_statement');
  });

  it('have a name without characters that change how the text around it reads [REG-011]', () => {
    expect(read({ client_name: ' My\u202e app\u0000\n of\u2066 mine ' }).about.name).toBe('My app of mine');
  });

  it('are read again from an export without what could not be registered', () => {
    const about = { name: 'Wiki', clientUri: 'javascript:alert(1)', tosUri: 'https://wiki.example/terms', more: 1 };
    expect(toAbout(about, 'x')).toEqual({ name: 'Wiki', tosUri: 'https://wiki.example/terms' });
    expect(toAbout({ name: '\u202e' }, 'x')).toEqual({ name: 'x' });
    expect(toAbout(undefined, 'x')).toEqual({ name: 'x' });
  });
});
