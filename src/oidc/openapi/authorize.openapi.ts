import { endpoints } from '../oidc.paths.js';
import {
  formOf,
  type Operation,
  PAGE_LIMITS,
  type Parameters,
  type Part,
  pageOf,
  queryOf,
  redirectOf,
} from './part.js';

/** RFC 7636 Appendix B, so that whoever tries this can finish it. */
const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const ERRORS = `Errors travel to the redirect URI with \`error\`, \`error_description\`, \`state\` and \`iss\`:

| error | when |
|---|---|
| \`invalid_request\` | a parameter is missing, malformed or repeated, or public clients send no code_challenge |
| \`unauthorized_client\` | the client may not use this response_type |
| \`unsupported_response_type\` | the response_type is unknown |
| \`invalid_scope\` | \`openid\` is missing, or the scope is malformed |
| \`login_required\` | with prompt=none: nobody is signed in |
| \`interaction_required\` | with prompt=none: the person would have to be asked |
| \`access_denied\` | the person declined, or the project does not admit them |
| \`unmet_authentication_requirements\` | an \`acr\` that is essential cannot be reached |
| \`request_not_supported\`, \`request_uri_not_supported\` | request objects are not supported; the refusal takes \`response_mode\` and \`state\` from the object where the query has none |
| \`server_error\`, \`temporarily_unavailable\` | ours |

Until client_id and redirect_uri are known to belong together, an error is a page and no redirect.`;

function parameters(issuer: string): Parameters {
  return {
    client_id: { required: true, description: 'Id of the client.', example: 'swagger' },
    redirect_uri: {
      required: true,
      description: 'Exactly as registered.',
      example: `${issuer}/docs/oauth2-redirect.html`,
    },
    response_type: {
      required: true,
      description: 'What the client wants back.',
      example: 'code',
      oneOf: ['code', 'id_token', 'id_token token'],
    },
    scope: {
      required: true,
      description: 'Space-delimited, with `openid`. Unknown scopes are dropped.',
      example: 'openid profile email',
    },
    state: { description: 'Comes back unchanged.', example: 'af0ifjsldkj' },
    nonce: {
      description: 'Comes back in the ID token; required for the implicit response types.',
      example: 'n-0S6_WzA2Mj',
    },
    code_challenge: {
      description: 'RFC 7636; required for public clients.',
      example: CODE_CHALLENGE,
      pattern: '^[A-Za-z0-9_-]{43}$',
    },
    code_challenge_method: { description: 'Must be S256.', example: 'S256', oneOf: ['S256'] },
    response_mode: {
      description: 'How the answer comes back; `query` for codes and `fragment` for tokens by default.',
      oneOf: ['query', 'fragment', 'form_post'],
    },
    prompt: { description: '`none`, or any of `login`, `consent`, `select_account`, `create`.' },
    max_age: {
      description: 'Seconds since the last sign-in after which the person has to sign in again.',
      example: '3600',
      pattern: '^\\d+$',
    },
    login_hint: { description: 'Login name to begin with.' },
    id_token_hint: { description: 'An ID token of the person who should be signed in.' },
    ui_locales: { description: 'Languages, space-delimited, best first.' },
    acr_values: {
      description:
        'Never causes an error; asks for the claim `acr`. `2` alone offers people without a second factor to set one up.',
    },
    claims: {
      description:
        'JSON object of single claims (OIDC Core §5.5). An essential `acr` that cannot be reached is refused.',
    },
  };
}

export function authorizePart(issuer: string): Part {
  const operation = (id: string, redirect: '302' | '303'): Operation => ({
    operationId: id,
    tags: ['OpenID Connect'],
    summary: 'Sign a person in',
    description: `For browsers: leads to the sign-in pages, or back at once when the person is signed in.\n\n${ERRORS}`,
    security: [],
    responses: {
      [redirect]: redirectOf('To the sign-in pages, or to the redirect URI with the answer or an error.'),
      '200': pageOf('With response_mode=form_post: a page that posts the answer to the redirect URI.'),
      '400': pageOf('The client is unknown, or the redirect URI is not registered for it. Nobody is redirected.'),
      ...PAGE_LIMITS,
    },
  });
  return {
    paths: {
      [endpoints.authorization]: {
        get: { ...operation('StartAuthorization', '302'), parameters: queryOf(parameters(issuer)) },
        post: {
          ...operation('PostAuthorization', '303'),
          summary: 'Sign a person in, with the parameters in a form',
          requestBody: formOf(parameters(issuer)),
        },
      },
    },
  };
}
