import { ProofRefused } from '../../token/proof/proof-refused.js';
import { refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { TOKEN_EXCHANGE, TOKEN_TYPE } from '../token/grant/token-exchange.grant.js';
import {
  FORM_LIMITS,
  formOf,
  jsonOf,
  notAForm,
  type Operation,
  type Parameters,
  type Part,
  PROOF_HEADER,
  refusals,
} from './part.js';

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

const GRANTS = `| grant_type | Parameters | Used by |
|---|---|---|
| \`authorization_code\` | \`code\`, \`redirect_uri\`, \`code_verifier\` if a challenge was sent | a client |
| \`refresh_token\` | \`refresh_token\`, optionally \`scope\` | a client |
| \`client_credentials\` | optionally \`scope\` | a service user with a secret; \`client_id\` is its user name or ID |
| \`${JWT_BEARER}\` | \`assertion\`, optionally \`scope\` | a service user with a key |
| \`${DEVICE_CODE}\` | \`device_code\` | a client that is registered for it |
| \`${TOKEN_EXCHANGE}\` | \`subject_token\`, \`subject_token_type\`, optionally \`scope\`, \`audience\`, \`resource\`, \`requested_token_type\`, \`actor_token\`, \`actor_token_type\` | a confidential client for which the tokens are meant: a narrower token of the user, or with the token of an actor, of one who acts for them |

Clients authenticate once per request: with a secret, in the Basic header or as \`client_id\` and \`client_secret\` (only one
of the two if the application has \`strictAuthMethod\`), with \`client_assertion\`, or, for public clients, with \`client_id\` only.
With a proof of a key in the header DPoP (RFC 9449), the access token is bound to that key, and so is the refresh token of a public
client. Responses must not be cached.`;

/** RFC 7636 Appendix B. */
const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';

/** RFC 6749 §2.3.1, RFC 7523 §2.2. */
export const CLIENT: Parameters = {
  client_id: { description: 'ID of the client, if the Basic header is not used.' },
  client_secret: { description: 'Secret of the client, if the Basic header is not used.' },
  client_assertion_type: { description: `With client_assertion: ${ASSERTION_TYPE}.` },
  client_assertion: {
    description: 'For clients registered with private_key_jwt: a JWT signed with the key of the client.',
  },
};

/** RFC 8707 §2. */
export const RESOURCE_PARAMETER = {
  description:
    'The URI of a protected resource that the access token is for, and for nothing else (RFC 8707). May be repeated, up to five times.',
} as const;

const TOKEN: Parameters = {
  grant_type: {
    required: true,
    description: 'What is exchanged for tokens.',
    oneOf: ['authorization_code', 'refresh_token', 'client_credentials', JWT_BEARER, DEVICE_CODE, TOKEN_EXCHANGE],
  },
  subject_token: {
    description: `${TOKEN_EXCHANGE}: an access token or ID token of ours that is meant for the client. With an actor_token, also the ID of a user.`,
  },
  subject_token_type: {
    description: `With subject_token: ${TOKEN_TYPE.accessToken}, ${TOKEN_TYPE.jwt} for the same, or ${TOKEN_TYPE.idToken}. For the ID of a user, urn:{URN_WORD}:params:oauth:token-type:user_id.`,
  },
  actor_token: {
    description:
      'For token exchange: a token of the user who acts for the other one. The security policy must allow it, and the user needs an impersonator role (RFC 8693 §2.1).',
  },
  actor_token_type: { description: 'With actor_token: one of the types of subject_token, except that of user IDs.' },
  requested_token_type: {
    description: `For token exchange: ${TOKEN_TYPE.accessToken} (the default), ${TOKEN_TYPE.jwt} or ${TOKEN_TYPE.idToken}. Refresh tokens are not issued.`,
  },
  audience: { description: 'For token exchange: a part of the audience of the token. May be repeated.' },
  code: { description: 'authorization_code: the code, valid for one use.' },
  redirect_uri: { description: 'authorization_code: exactly the URI of the authorization request.' },
  code_verifier: {
    description: 'authorization_code: RFC 7636 §4.1.',
    example: CODE_VERIFIER,
    pattern: '^[A-Za-z0-9._~-]{43,128}$',
  },
  refresh_token: { description: 'refresh_token: the latest one; the response contains its successor.' },
  assertion: {
    description: `${JWT_BEARER}: a JWT signed with a key of the service user; \`iss\` and \`sub\` are its ID, \`aud\` is the issuer.`,
  },
  device_code: { description: `${DEVICE_CODE}: the code of the device. Ask at the interval of its response.` },
  scope: { description: 'Space-delimited; for refresh_token, a subset of the granted scopes.' },
  resource: RESOURCE_PARAMETER,
  ...CLIENT,
};

const tokenExamples = (issuer: string): Record<string, Record<string, string>> => ({
  authorization_code: {
    grant_type: 'authorization_code',
    code: 'gtc_…',
    redirect_uri: `${issuer}/docs/oauth2-redirect.html`,
    client_id: 'swagger',
    code_verifier: CODE_VERIFIER,
  },
  refresh_token: { grant_type: 'refresh_token', refresh_token: 'gtr_…', client_id: 'demo' },
  client_credentials: {
    grant_type: 'client_credentials',
    scope: 'openid profile',
    client_id: 'bootstrap',
    client_secret: '…',
  },
  device_code: { grant_type: DEVICE_CODE, device_code: 'gtd_…', client_id: 'demo' },
  token_exchange: {
    grant_type: TOKEN_EXCHANGE,
    subject_token: 'gta_…',
    subject_token_type: TOKEN_TYPE.accessToken,
    scope: 'openid',
    client_id: 'demo',
  },
  token_exchange_by_actor: {
    grant_type: TOKEN_EXCHANGE,
    subject_token: 'gta_…',
    subject_token_type: TOKEN_TYPE.accessToken,
    actor_token: 'gta_…',
    actor_token_type: TOKEN_TYPE.accessToken,
    scope: 'openid',
    client_id: 'demo',
  },
  jwt_bearer: { grant_type: JWT_BEARER, assertion: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ij…', scope: 'openid profile' },
});

const token = (issuer: string): Operation => ({
  operationId: 'IssueToken',
  tags: ['OAuth'],
  summary: 'Exchange a code, a refresh token, a secret or a signed assertion for tokens',
  description: GRANTS,
  security: [{ client: [] }, {}],
  parameters: PROOF_HEADER,
  requestBody: formOf(TOKEN, tokenExamples(issuer)),
  responses: {
    '200': jsonOf('The tokens.', 'TokenResponse', {
      access_token: 'gta_…',
      token_type: 'Bearer',
      expires_in: 43_200,
      scope: 'openid profile offline_access',
      id_token: 'eyJhbGciOiJSUzI1NiIsImtpZCI6Ij…',
      refresh_token: 'gtr_…',
    }),
    ...refusals(
      notAForm(),
      refusal.parameterMissing('grant_type'),
      refusal.parameterRepeated('scope'),
      refusal.severalAuthMethods(),
      refusal.grantTypeUnsupported(),
      refusal.grantNotAllowed(),
      refusal.codeRefused('unknown'),
      refusal.refreshTokenRefused('unknown'),
      refusal.assertionRefused('signature'),
      refusal.devicePending(),
      refusal.deviceTooEarly(),
      refusal.deviceExpired(),
      refusal.deviceDenied('denied'),
      refusal.deviceCodeRefused('unknown'),
      refusal.scopeExceedsGrant(),
      refusal.subjectTokenRefused('unknown'),
      refusal.subjectTokenTypeUnsupported(),
      refusal.requestedTokenTypeUnsupported(),
      refusal.actorTokenTypeUnsupported(),
      refusal.actorMissing(),
      refusal.impersonationOff(),
      refusal.idTokenWithoutOpenid(),
      refusal.idTokenForOthers(),
      refusal.exchangeWithoutConsent(),
      refusal.certificateOfTokenMissing(),
      refusal.audienceExceedsToken(),
      refusal.resourceMalformed(),
      refusal.resourceUnknown(),
      refusal.resourceExceedsGrant(),
      refusal.scopeMalformed(),
      refusal.proofRefused(new ProofRefused('htu')),
      refusal.proofRefused(new ProofRefused('nonce')),
      refusal.clientUnknown(),
      refusal.clientCredentialsMissing(),
    ),
    ...FORM_LIMITS,
  },
});

const introspect: Operation = {
  operationId: 'IntrospectToken',
  tags: ['OAuth'],
  summary: 'Introspect an access token',
  description:
    'For authenticated clients in the audience of the token; for others, every token is inactive (RFC 7662).',
  security: [{ client: [] }],
  requestBody: formOf({
    token: { required: true, description: 'An access token, opaque or JWT, or a personal access token.' },
    token_type_hint: { description: 'Accepted but ignored: the type is detected from the token.' },
    ...CLIENT,
  }),
  responses: {
    '200': jsonOf('The introspection response.', 'Introspection', { active: false }),
    ...refusals(
      notAForm(),
      refusal.parameterMissing('token'),
      refusal.severalAuthMethods(),
      refusal.clientUnknown(),
      refusal.clientNotConfidential(),
    ),
    ...FORM_LIMITS,
  },
};

const revoke: Operation = {
  operationId: 'RevokeToken',
  tags: ['OAuth'],
  summary: 'Revoke an access token, or a refresh token and all tokens derived from it',
  description: 'RFC 7009. Unknown and expired tokens count as revoked. Tokens of other clients are not revoked.',
  security: [{ client: [] }, {}],
  requestBody: formOf({
    token: { required: true, description: 'An access token or a refresh token.' },
    token_type_hint: { description: 'Accepted but ignored: the type is detected from the token.' },
    ...CLIENT,
  }),
  responses: {
    '200': { description: 'The token is revoked. The body is empty.' },
    ...refusals(
      notAForm(),
      refusal.parameterMissing('token'),
      refusal.tokenOfAnotherClient(),
      refusal.severalAuthMethods(),
      refusal.clientUnknown(),
    ),
    ...FORM_LIMITS,
  },
};

export function tokenPart(issuer: string): Part {
  return {
    paths: {
      [endpoints.token]: { post: token(issuer) },
      [endpoints.introspection]: { post: introspect },
      [endpoints.revocation]: { post: revoke },
    },
  };
}
