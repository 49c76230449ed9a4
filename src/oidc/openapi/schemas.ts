import type { Schema, Schemas } from './part.js';

const text = (description: string): Schema => ({ type: 'string', description });
const seconds = (description: string): Schema => ({ type: 'integer', description });

const uris = (description: string): Schema => ({ type: 'array', items: { type: 'string' }, description });

const CLIENT_METADATA: Record<string, Schema> = {
  client_name: text('What the application calls itself; users are told that it has not been verified.'),
  application_type: { type: 'string', enum: ['web', 'native'], description: 'If absent: web.' },
  redirect_uris: uris('As for administrators, without exceptions for development.'),
  post_logout_redirect_uris: uris('Allowed redirect URIs after sign-out.'),
  response_types: uris('code.'),
  grant_types: uris('authorization_code, refresh_token, and the device grant if the initial access token allows it.'),
  token_endpoint_auth_method: {
    type: 'string',
    enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    description: 'If absent: client_secret_basic.',
  },
  jwks: { type: 'object', description: 'Public keys (RFC 7517 §5).' },
  jwks_uri: text('Where the application publishes its keys; fetched when it signs in with one.'),
  userinfo_signed_response_alg: text('For userinfo as a JWT: the algorithm of ID tokens.'),
  request_uris: uris('Where its signed request objects are, if the operator has set REQUEST_URI; otherwise refused.'),
  client_uri: text('The website of the application.'),
  policy_uri: text('Its privacy policy, which users can open.'),
  tos_uri: text('Its terms of service, which users can open.'),
};

const ACT: Schema = {
  type: 'object',
  description: 'Who acts for the user, with those before nested in it as `act` (RFC 8693 §4.1).',
  properties: {
    sub: text('ID of the user who acts.'),
    iss: text('The issuer.'),
    act: { type: 'object', description: 'Who acted before, in the same form.', additionalProperties: true },
  },
};

/** The response bodies of the protocol. */
export const schemas: Schemas = {
  OAuthError: {
    type: 'object',
    required: ['error'],
    description: 'RFC 6749 §5.2',
    properties: {
      error: text('The error code of the specification.'),
      error_description: text('Human-readable error message in ASCII.'),
    },
  },
  TokenResponse: {
    type: 'object',
    required: ['access_token', 'token_type', 'expires_in'],
    description: 'RFC 6749 §5.1, OIDC Core §3.1.3.3',
    properties: {
      access_token: text('Opaque, or a JWT (RFC 9068) if the application is configured so.'),
      token_type: {
        type: 'string',
        enum: ['Bearer', 'DPoP', 'N_A'],
        description:
          'DPoP if the request had a proof (RFC 9449 §5); N_A for an ID token in an exchange (RFC 8693 §2.2.1).',
      },
      expires_in: seconds('Lifetime of the access token in seconds.'),
      scope: text('The granted scopes, space-delimited; absent if there are none (RFC 6749 §3.3).'),
      issued_token_type: text('Present for token exchange (RFC 8693 §2.2.1).'),
      id_token: text('Present with the scope openid; never for client_credentials.'),
      refresh_token: text(
        'Present with the scope offline_access, for authorization_code, device_code and refresh_token.',
      ),
    },
  },
  DeviceAuthorization: {
    type: 'object',
    required: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in', 'interval'],
    description: 'RFC 8628 §3.2',
    properties: {
      device_code: text('For the token endpoint; never shown to anybody.'),
      user_code: text('Eight letters for the user, who may type them in any case and without the dash.'),
      verification_uri: text('Where the user types the code.'),
      verification_uri_complete: text('The same with the code, for a QR code or a link.'),
      expires_in: seconds('Lifetime of both codes in seconds.'),
      interval: seconds('How many seconds to wait between two polls.'),
    },
  },
  PushedAuthorizationRequest: {
    type: 'object',
    required: ['request_uri', 'expires_in'],
    description: 'RFC 9126 §2.2',
    properties: {
      request_uri: text('For the authorization endpoint, with `client_id`.'),
      expires_in: seconds('How many seconds the browser has to open it.'),
    },
  },
  Introspection: {
    type: 'object',
    required: ['active'],
    description:
      'RFC 7662 §2.2, with the claims of the granted scopes in addition. Only `active` is present if the token is not active.',
    properties: {
      active: { type: 'boolean' },
      scope: text('Space-delimited.'),
      client_id: text('The client that the token was issued to.'),
      username: text('Login name of the human user or service user.'),
      token_type: { type: 'string', enum: ['Bearer', 'DPoP'] },
      cnf: {
        type: 'object',
        description: 'The key or the certificate to which the token is bound (RFC 9449 §6.2, RFC 8705 §3.2).',
        properties: {
          jkt: text('The SHA-256 thumbprint of the key (RFC 7638).'),
          'x5t#S256': text('The SHA-256 thumbprint of the certificate (RFC 8705 §3.1).'),
        },
      },
      act: ACT,
      iss: text('The issuer.'),
      sub: text('ID of the human user or service user.'),
      aud: { type: 'array', items: { type: 'string' } },
      exp: seconds('Unix time.'),
      iat: seconds('Unix time.'),
      nbf: seconds('Unix time.'),
      jti: text('ID of the token.'),
    },
    additionalProperties: true,
  },
  Userinfo: {
    type: 'object',
    required: ['sub'],
    description:
      'The claims of OIDC Core §5.1 that the granted scopes allow and the user has, and the reserved ones (roles, metadata, organization).',
    properties: {
      sub: text('ID of the user.'),
      name: { type: 'string' },
      preferred_username: text('Login name.'),
      email: { type: 'string', format: 'email' },
      email_verified: { type: 'boolean' },
      updated_at: seconds('Unix time.'),
      act: ACT,
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
  ClientMetadata: {
    type: 'object',
    required: ['redirect_uris'],
    description: 'RFC 7591 §2, OpenID Connect Registration',
    properties: CLIENT_METADATA,
  },
  ClientRegistration: {
    type: 'object',
    required: ['client_id', 'client_id_issued_at', 'registration_access_token', 'registration_client_uri'],
    description: 'RFC 7591 §3.2.1, RFC 7592 §3',
    properties: {
      client_id: text('With it, the application names itself in all requests.'),
      client_id_issued_at: seconds('Unix seconds.'),
      client_secret: text('Only when it was made or sent in the request: it is stored as a digest.'),
      client_secret_expires_at: seconds('When the secret expires. 0: never.'),
      registration_access_token: text('With it, the application reads, changes and removes its registration.'),
      registration_client_uri: text('The address at which the client manages its registration.'),
      id_token_signed_response_alg: text('The algorithm of ID tokens.'),
      ...CLIENT_METADATA,
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
