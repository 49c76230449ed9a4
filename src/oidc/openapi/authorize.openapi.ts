import { endpoints } from '../oidc.paths.js';
import {
  formOf,
  type Operation,
  PAGE_LIMITS,
  type Parameters,
  type Part,
  pageOf,
  queryOf,
  RETRY_AFTER,
  redirectOf,
} from './part.js';
import { RESOURCE_PARAMETER } from './token.openapi.js';

/** RFC 7636 Appendix B, so that the example can be completed with its verifier. */
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const ERRORS = `Errors are returned to the redirect URI with \`error\`, \`error_description\`, \`state\` and \`iss\`:

| Error | When |
|---|---|
| \`invalid_request\` | a parameter is missing, malformed or repeated, or a public client sends no code_challenge |
| \`unauthorized_client\` | the client may not use this response_type |
| \`unsupported_response_type\` | the response_type is unknown |
| \`invalid_scope\` | \`openid\` is missing, or the scope is malformed |
| \`invalid_target\` | a \`resource\` is malformed or not known here |
| \`login_required\` | with prompt=none: no user is signed in |
| \`interaction_required\` | with prompt=none: user interaction would be required |
| \`access_denied\` | the user declined, or may not use the project |
| \`unmet_authentication_requirements\` | an essential \`acr\` cannot be satisfied |
| \`invalid_request_object\` | the request object is not signed by a key of the client, is not valid now, or is ambiguous |
| \`invalid_request_uri\` | the \`request_uri\` is not registered for the client, or no good request object is there |
| \`request_not_supported\`, \`request_uri_not_supported\` | request objects must be signed, and are fetched only if the operator has set \`REQUEST_URI\`; the error response takes \`response_mode\` and \`state\` from the object if the query has none |
| \`server_error\`, \`temporarily_unavailable\` | the service failed or is temporarily unavailable |

As long as client_id and redirect_uri are not verified, errors are shown on a page instead of a redirect.`;

function parameters(issuer: string): Parameters {
  return {
    client_id: { required: true, description: 'ID of the client.', example: 'swagger' },
    redirect_uri: {
      required: true,
      description: 'Exactly as registered.',
      example: `${issuer}/docs/oauth2-redirect.html`,
    },
    response_type: {
      required: true,
      description: 'What the client requests: a code, an ID token, or both tokens.',
      example: 'code',
      oneOf: ['code', 'id_token', 'id_token token'],
    },
    scope: {
      required: true,
      description: 'Space-delimited; must contain `openid`. Unknown scopes are ignored.',
      example: 'openid profile email',
    },
    resource: RESOURCE_PARAMETER,
    dpop_jkt: {
      description: 'The thumbprint (RFC 7638) of the key that must redeem the code with a DPoP proof (RFC 9449 §10).',
    },
    state: { description: 'Returned unchanged.', example: 'af0ifjsldkj' },
    nonce: {
      description: 'Returned in the ID token; required for the implicit response types.',
      example: 'n-0S6_WzA2Mj',
    },
    code_challenge: {
      description: 'RFC 7636; required for public clients.',
      example: CODE_CHALLENGE,
      pattern: '^[A-Za-z0-9_-]{43}$',
    },
    code_challenge_method: { description: 'Must be S256.', example: 'S256', oneOf: ['S256'] },
    response_mode: {
      description: 'How the response is returned. Defaults to `query` for codes and `fragment` for tokens.',
      oneOf: ['query', 'fragment', 'form_post'],
    },
    request: {
      description:
        'A request object, signed by a key of the client (RFC 9101). Besides it only `client_id` counts; all parameters are in the object.',
    },
    request_uri: {
      description:
        'What the pushed authorization request endpoint has returned (RFC 9126), or, if the operator has set REQUEST_URI, the registered address of a request object. Besides it only `client_id` counts.',
    },
    prompt: { description: '`none`, or any of `login`, `consent`, `select_account`, `create`.' },
    max_age: {
      description: 'Seconds since the last sign-in after which the user has to sign in again.',
      example: '3600',
      pattern: '^\\d+$',
    },
    login_hint: { description: 'Login name to prefill.' },
    id_token_hint: { description: 'An ID token of the user who should be signed in.' },
    ui_locales: { description: 'Languages in order of preference, space-delimited.' },
    acr_values: {
      description:
        'Requests the claim `acr`; never causes an error. With `2` alone, users without a second factor are offered to set one up.',
    },
    claims: {
      description:
        'JSON object of individual claims (OIDC Core §5.5). An essential `acr` that cannot be satisfied is refused.',
    },
  };
}

export function authorizePart(issuer: string): Part {
  const operation = (id: string, redirect: '302' | '303'): Operation => ({
    operationId: id,
    tags: ['OpenID Connect'],
    summary: 'Sign in a user',
    description: `For browsers: shows the first page of the sign-in, or redirects directly back to the client if the user is already signed in.\n\n${ERRORS}`,
    security: [],
    responses: {
      [redirect]: redirectOf(
        'Redirects to the redirect URI with the response or an error, or to an identity provider.',
      ),
      '200': pageOf(
        'The first page of the sign-in; or, with response_mode=form_post, a page that posts the response to the redirect URI.',
      ),
      '400': pageOf(
        'The client is unknown, or the redirect URI is not registered for it. The browser is not redirected.',
      ),
      '410': pageOf('The pushed request has expired, or was answered already.'),
      '403': pageOf('The organization does not offer what is requested, such as a registration.'),
      '429': {
        ...pageOf('Too many metadata documents or request objects of one host were asked for at once.'),
        headers: RETRY_AFTER,
      },
      ...PAGE_LIMITS,
    },
  });
  return {
    paths: {
      [endpoints.authorization]: {
        get: { ...operation('StartAuthorization', '302'), parameters: queryOf(parameters(issuer)) },
        post: {
          ...operation('PostAuthorization', '303'),
          summary: 'Sign in a user, with form parameters',
          requestBody: formOf(parameters(issuer)),
        },
      },
    },
  };
}
