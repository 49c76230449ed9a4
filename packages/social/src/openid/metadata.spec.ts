import { describe, expect, it } from '@jest/globals';
import { readMetadata } from './metadata.js';

const vendor = {
  issuer: 'https://accounts.example',
  discoveryUrl: 'https://accounts.example/.well-known/openid-configuration',
  scopes: ['openid'],
  prompts: { login: undefined, select_account: undefined },
  usesPkce: true,
};
const document = {
  issuer: vendor.issuer,
  authorization_endpoint: 'https://accounts.example/authorize',
  token_endpoint: 'https://accounts.example/token',
  jwks_uri: 'https://accounts.example/keys',
};

describe('A discovery document', () => {
  it('is read as far as a sign-in needs', () => {
    expect(readMetadata(document, vendor)).toEqual({
      authorizationEndpoint: document.authorization_endpoint,
      tokenEndpoint: document.token_endpoint,
      keysUrl: document.jwks_uri,
      userInfoEndpoint: undefined,
      namesItself: false,
    });
  });

  it.each<[string, object]>([
    ['of another issuer', { issuer: 'https://accounts.example/' }],
    ['without an endpoint', { token_endpoint: undefined }],
    ['with an endpoint that is no text', { jwks_uri: ['https://accounts.example/keys'] }],
  ])('is refused %s (OpenID Connect Discovery 1.0 §4.3)', (_, over) => {
    expect(() => readMetadata({ ...document, ...over }, vendor)).toThrow(vendor.discoveryUrl);
  });
});
