import type { Schema, Schemas } from './part.js';

const text = (description: string): Schema => ({ type: 'string', description });
const seconds = (description: string): Schema => ({ type: 'integer', description });

/** The bodies of the protocol's answers. */
export const schemas: Schemas = {
  OAuthError: {
    type: 'object',
    required: ['error'],
    description: 'RFC 6749 §5.2',
    properties: {
      error: text('What went wrong, in a word of the specification.'),
      error_description: text('The same for people; ASCII.'),
    },
  },
  TokenResponse: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in', 'scope'],
    description: 'RFC 6749 §5.1, OIDC Core §3.1.3.3',
    properties: {
      access_token: text('Opaque, or a JWT (RFC 9068) where the application is set so.'),
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: seconds('Seconds that the access token lives.'),
      scope: text('What was granted, space-delimited.'),
      id_token: text('With the scope openid; never for client_credentials.'),
      refresh_token: text('With the scope offline_access, for authorization_code and refresh_token.'),
    },
  },
  Introspection: {
    type: 'object',
    required: ['active'],
    description:
      'RFC 7662 §2.2. Everything but `active` is absent when the token is not active; besides, the claims of the granted scopes.',
    properties: {
      active: { type: 'boolean' },
      scope: text('Space-delimited.'),
      client_id: text('Whom the token was issued to.'),
      username: text('Login name of the person or service user.'),
      token_type: { type: 'string', enum: ['Bearer'] },
      iss: text('The issuer.'),
      sub: text('Id of the person or service user.'),
      aud: { type: 'array', items: { type: 'string' } },
      exp: seconds('Unix time.'),
      iat: seconds('Unix time.'),
      nbf: seconds('Unix time.'),
      jti: text('Id of the token.'),
    },
    additionalProperties: true,
  },
  Userinfo: {
    type: 'object',
    required: ['sub'],
    description:
      'The claims of OIDC Core §5.1 that the granted scopes allow and the person has, and the reserved ones (roles, metadata, organization).',
    properties: {
      sub: text('Id of the person.'),
      name: { type: 'string' },
      preferred_username: text('Login name.'),
      email: { type: 'string', format: 'email' },
      email_verified: { type: 'boolean' },
      updated_at: seconds('Unix time.'),
    },
    additionalProperties: true,
  },
  KeySet: {
    type: 'object',
    required: ['keys'],
    description: 'RFC 7517 §5',
    properties: {
      keys: {
        type: 'array',
        items: {
          type: 'object',
          required: ['kty', 'kid', 'use', 'alg'],
          properties: {
            kty: { type: 'string' },
            kid: { type: 'string' },
            use: { type: 'string', enum: ['sig'] },
            alg: { type: 'string' },
          },
          additionalProperties: true,
        },
      },
    },
  },
  ProviderMetadata: {
    type: 'object',
    required: ['issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri'],
    description: 'OpenID Connect Discovery §3',
    properties: {
      issuer: { type: 'string' },
      authorization_endpoint: { type: 'string' },
      token_endpoint: { type: 'string' },
      jwks_uri: { type: 'string' },
    },
    additionalProperties: true,
  },
};
