import { describe, expect, it } from '@jest/globals';
import { isHeaderName, isScope, jwtViolations, type OidcSettings, oidcViolations } from './idp-rules.js';

const production = { production: true };
const development = { production: false };
const OIDC: OidcSettings = {
  issuer: 'https://accounts.example.com',
  clientId: 'a',
  scopes: ['openid'],
  displayNameMapping: 'unspecified',
  usernameMapping: 'email',
};
const JWT = {
  jwtEndpoint: 'https://proxy.example.com/jwt',
  issuer: 'https://proxy.example.com',
  keysEndpoint: 'https://proxy.example.com/keys',
  headerName: 'x-jwt',
};
const fieldsOf = (violations: ReadonlyArray<{ field: string }>): string[] => violations.map(({ field }) => field);

describe('The header of a JWT [ADM-020]', () => {
  it.each([
    'authorization',
    'Authorization',
    'X-Jwt-1',
    'x-goog-iap-jwt-assertion',
    'Cf-Access-Jwt-Assertion',
    'x_jwt',
    'a',
    "!#$%&'*+-.^_`|~",
  ])('may be %s', (name) => expect(isHeaderName(name)).toBe(true));

  it.each([
    '',
    ' ',
    'X Foo',
    'X:Foo',
    'X\r\nEvil: 1',
    'X\n',
    'é',
    ':path',
    'a/b',
    'a,b',
    '"x"',
    'x\u0000',
    '(x)',
    'Host',
    'Cookie',
    'cookie',
    'Set-Cookie',
    'Content-Length',
    'Transfer-Encoding',
    'Connection',
    'TE',
    'Trailer',
    'Upgrade',
    'Origin',
    'Referer',
    '__proto__',
    'constructor',
  ])('is never %j', (name) => expect(isHeaderName(name)).toBe(false));
});

describe('A scope', () => {
  it.each(['openid', 'urn:x:y', 'https://example.com/.default', '!'])('may be %s', (scope) =>
    expect(isScope(scope)).toBe(true),
  );
  it.each(['', 'a b', 'a"b', 'a\\b', 'é', 'a\n'])('is never %j', (scope) => expect(isScope(scope)).toBe(false));
});

describe('The configuration of an OIDC provider', () => {
  it('may call this machine over http in development alone', () => {
    const local = { ...OIDC, issuer: 'http://localhost:8080/realms/a' };
    expect(oidcViolations(OIDC, production)).toEqual([]);
    expect(oidcViolations(local, development)).toEqual([]);
    expect(oidcViolations(local, production)).toEqual([{ field: 'issuer', description: 'must use https' }]);
  });

  it('names each field that is wrong', () => {
    expect(
      fieldsOf(oidcViolations({ ...OIDC, issuer: 'not a url', scopes: ['openid', 'a b', 'c', ''] }, development)),
    ).toEqual(['issuer', 'scopes[1]', 'scopes[3]']);
  });

  it('has an issuer without a query: OpenID Connect Discovery §3', () => {
    expect(fieldsOf(oidcViolations({ ...OIDC, issuer: 'https://accounts.example.com?tenant=1' }, development))).toEqual(
      ['issuer'],
    );
  });
});

describe('The configuration of a JWT provider', () => {
  it.each([
    'https://proxy.example.com',
    'authenticate.corp.example.com',
    'my-proxy',
    'a',
    'http://localhost:1',
    'urn:my-gateway',
    'The gateway of Acme',
    'javascript:x',
  ])('may name the issuer %s: RFC 7519 §4.1.1', (issuer) =>
    expect(jwtViolations({ ...JWT, issuer }, development)).toEqual([]),
  );

  it.each([
    'javascript:x',
    'file:///etc/passwd',
    'http:evil',
    'https://',
    '//evil.test',
    'not a url',
    ' https://a',
    'https://a b',
    'https://user:pw@evil.test',
    '.',
    'a/b',
    'urn:x',
    '',
  ])('never has the URL %j [ADM-019]', (url) => {
    expect(
      fieldsOf(jwtViolations({ jwtEndpoint: url, issuer: 'a', keysEndpoint: url, headerName: 'Host' }, development)),
    ).toEqual(['jwtEndpoint', 'keysEndpoint', 'headerName']);
  });

  it('may have queries: the browser takes them along', () => {
    expect(jwtViolations({ ...JWT, jwtEndpoint: 'https://proxy.example.com/?a=b' }, production)).toEqual([]);
  });
});
