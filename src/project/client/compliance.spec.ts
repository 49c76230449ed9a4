import { describe, expect, it } from '@jest/globals';
import { type CertificateHeaders, complianceProblems } from './compliance.js';

type Settings = Parameters<typeof complianceProblems>[0];

/** Proxies send the certificates of clients, and say that they have verified them. */
const BOTH_HEADERS = { certificateHeader: 'client-cert', certificateVerdictHeader: 'client-verify' };

function problems(
  over: Partial<Settings>,
  headers: CertificateHeaders = BOTH_HEADERS,
  fetchesRequestObjects = true,
): string[] {
  const settings: Settings = {
    clientType: 'web',
    authMethod: 'client_secret_basic',
    grantTypes: ['authorization_code'],
    responseTypes: ['code'],
    redirectUris: ['https://app.test/cb'],
    backChannelLogoutUri: 'https://app.test/out',
    requireSignedRequests: false,
    jwks: null,
    jwksUri: '',
    ...over,
  };
  const grants = {
    lacking: (names: readonly string[]) => names.filter((name) => name !== 'urn:example:known'),
  };
  return complianceProblems(settings, headers, grants, { fetchesRequestObjects }).map((key) =>
    key.replace('Application.OIDC.V1.', ''),
  );
}

describe('Compliance of an application', () => {
  it('names addresses of request objects, where none are fetched', () => {
    const requestUris = ['https://app.test/request.jwt'];
    expect(problems({ requestUris })).toEqual([]);
    expect(problems({}, BOTH_HEADERS, false)).toEqual([]);
    expect(problems({ requestUris }, BOTH_HEADERS, false)).toEqual(['NotCompliant', 'RequestUri.NotFetched']);
  });

  it.each<[string, Partial<Settings>, string[]]>([
    ['a confidential web application with code', {}, []],
    [
      'a native application on the loopback',
      {
        clientType: 'native',
        authMethod: 'none',
        redirectUris: ['http://127.0.0.1/cb', 'http://[::1]/cb', 'http://localhost/cb'],
      },
      [],
    ],
    [
      'a native application with a scheme of its own',
      { clientType: 'native', authMethod: 'none', redirectUris: ['com.example.app:/cb'] },
      [],
    ],
    [
      'an application that is told of logouts over http',
      { backChannelLogoutUri: 'http://app.test/out' },
      ['BackChannelLogoutUri.NotHttps'],
    ],
    ['an application that signs its requests', { requireSignedRequests: true, jwksUri: 'https://app.test/keys' }, []],
    [
      'an application that must sign its requests and has no key',
      { requireSignedRequests: true },
      ['RequestObject.NoKey'],
    ],
    [
      'an application whose assertions may name others than the issuer',
      { authMethod: 'private_key_jwt', assertionAudience: 'any' },
      ['Assertion.AudienceAny'],
    ],
    [
      'an application whose assertions name the issuer alone',
      { authMethod: 'private_key_jwt', assertionAudience: 'issuer_only' },
      [],
    ],
    [
      'an application that is held to FAPI 2.0, which demands the issuer alone',
      { authMethod: 'private_key_jwt', assertionAudience: 'any', securityProfile: 'fapi_2_0' },
      [],
    ],
    ['an application without assertions', { assertionAudience: 'any' }, []],
    ['a web application on http with code', { redirectUris: ['http://app.test/cb'] }, []],
    [
      'an implicit application on https',
      { clientType: 'user_agent', authMethod: 'none', grantTypes: ['implicit'] },
      [],
    ],
    [
      'an application in a browser on the loopback',
      { clientType: 'user_agent', authMethod: 'none', redirectUris: ['http://localhost:5173/callback'] },
      [],
    ],
    ['a device, which needs no redirect URI', { grantTypes: ['device_code'], redirectUris: [] }, []],
    [
      'an application with a grant of an extension alone',
      { grantTypes: ['refresh_token'], extensionGrants: ['urn:example:known'], redirectUris: [] },
      [],
    ],
    [
      'an application with a grant of an extension that is not loaded',
      { extensionGrants: ['urn:example:known', 'urn:example:gone'] },
      ['GrantType.Extension.NotLoaded'],
    ],
    ['a device with refresh tokens', { grantTypes: ['device_code', 'refresh_token'], redirectUris: [] }, []],
    [
      'token exchange without authentication',
      { authMethod: 'none', grantTypes: ['authorization_code', 'token_exchange'] },
      ['GrantType.TokenExchange.NotConfidential'],
    ],
    ['token exchange with a secret', { grantTypes: ['authorization_code', 'token_exchange'] }, []],
    [
      'token exchange by an application whose users consent on a page',
      { grantTypes: ['authorization_code', 'token_exchange'], consentPage: true },
      ['GrantType.TokenExchange.NotConfidential'],
    ],
    ['no redirect URI', { redirectUris: [] }, ['NoRedirectUris']],
    ['refresh without code', { grantTypes: ['implicit', 'refresh_token'] }, ['GrantType.Refresh.NoAuthCode']],
    [
      'an application in a browser on http',
      { clientType: 'user_agent', authMethod: 'none', redirectUris: ['http://app.test/cb'] },
      ['Code.RedirectUris.HttpOnlyForWeb'],
    ],
    ['a custom scheme of a web application', { redirectUris: ['app:/cb'] }, ['Code.RedirectUris.CustomOnlyForNative']],
    [
      'a custom scheme with the implicit flow',
      { clientType: 'native', authMethod: 'none', grantTypes: ['implicit'], redirectUris: ['app:/cb'] },
      ['Implicit.RedirectUris.CustomNotAllowed'],
    ],
    [
      'http with the implicit flow',
      { grantTypes: ['implicit'], redirectUris: ['http://app.test/cb'] },
      ['Implicit.RedirectUris.HttpNotAllowed'],
    ],
    [
      'http of a native application elsewhere',
      { clientType: 'native', authMethod: 'none', redirectUris: ['http://localhost.evil.test/cb'] },
      ['Native.RedirectUris.MustBeHttpLocalhost'],
    ],
    [
      'access tokens of the implicit flow that must be bound to a key',
      { dpopBoundAccessTokens: true, responseTypes: ['id_token token'], grantTypes: ['implicit'] },
      ['BoundTokens.ImplicitAccessToken'],
    ],
    [
      'access tokens of the implicit flow that must be bound to a certificate',
      { tlsBoundAccessTokens: true, responseTypes: ['id_token token'], grantTypes: ['implicit'] },
      ['BoundTokens.ImplicitAccessToken'],
    ],
    [
      'ID tokens of the implicit flow beside bound access tokens',
      { dpopBoundAccessTokens: true, responseTypes: ['id_token'], grantTypes: ['implicit'] },
      [],
    ],
    ['a native application with a secret', { clientType: 'native' }, ['Native.AuthMethodType.NotNone']],
    ['an application in a browser with a secret', { clientType: 'user_agent' }, ['UserAgent.AuthMethodType.NotNone']],
    [
      'http with both flows',
      { grantTypes: ['authorization_code', 'implicit'], redirectUris: ['http://app.test/cb'] },
      ['NotAllCombinationsAreAllowed'],
    ],
  ])('of %s', (_, over, expected) => {
    expect(problems(over)).toEqual(expected.length === 0 ? [] : ['NotCompliant', ...expected]);
  });

  it.each<[string, Partial<Settings>, readonly [string[], string[], string[]]]>([
    ['an application without a certificate', {}, [[], [], []]],
    [
      'one that authenticates by a verified certificate',
      { authMethod: 'tls_client_auth' },
      [['NotRead'], ['NotVerified'], []],
    ],
    [
      'one that authenticates by a certificate of its own',
      { authMethod: 'self_signed_tls_client_auth' },
      [['NotRead'], [], []],
    ],
    ['one that binds its tokens to a certificate', { tlsBoundAccessTokens: true }, [['NotRead'], [], []]],
  ])('of %s, by what proxies say: nothing, the certificate, and that it is verified', (_, over, expected) => {
    const headers = [
      { certificateHeader: undefined, certificateVerdictHeader: undefined },
      { ...BOTH_HEADERS, certificateVerdictHeader: undefined },
      BOTH_HEADERS,
    ];
    expect(headers.map((said) => problems(over, said))).toEqual(
      expected.map((found) =>
        found.length === 0 ? [] : ['NotCompliant', ...found.map((key) => `Certificate.${key}`)],
      ),
    );
  });
});
