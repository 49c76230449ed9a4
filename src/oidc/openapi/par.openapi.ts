import { refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import { FORM_LIMITS, formOf, jsonOf, notAForm, type Operation, type Part, refusals } from './part.js';
import { CLIENT, RESOURCE_PARAMETER } from './token.openapi.js';

const pushedRequest: Operation = {
  operationId: 'CreatePushedAuthorizationRequest',
  tags: ['OAuth'],
  summary: 'Create a pushed authorization request before the browser is sent',
  description: `RFC 9126. Takes every parameter of the authorization endpoint, and authenticates the client as the token endpoint does. The
browser is then sent to the authorization endpoint with \`client_id\` and \`request_uri\` alone. A request is answered once, and must be opened
within 90 seconds. Its parameters must have at most 4,000 bytes. Public clients may push 300 requests a minute from one network.`,
  security: [{ client: [] }, {}],
  requestBody: formOf(
    {
      response_type: { description: 'As at the authorization endpoint, like every other of its parameters.' },
      redirect_uri: { description: 'Exactly as registered.' },
      scope: { description: 'Space-delimited; must contain `openid`.' },
      state: { description: 'Returned unchanged.' },
      code_challenge: { description: 'PKCE: the SHA-256 of the code_verifier in base64url.' },
      code_challenge_method: { description: 'Always S256.' },
      request: { description: 'A signed request object (RFC 9101) in place of the other parameters.' },
      resource: RESOURCE_PARAMETER,
      ...CLIENT,
    },
    {
      code: {
        response_type: 'code',
        client_id: 'my-app',
        redirect_uri: 'https://app.example.com/callback',
        scope: 'openid profile',
        state: 'af0ifjsldkj',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      },
    },
  ),
  responses: {
    '201': jsonOf('The reference to send the browser with.', 'PushedAuthorizationRequest', {
      request_uri: 'urn:ietf:params:oauth:request_uri:gtu_…',
      expires_in: 90,
    }),
    ...refusals(
      notAForm(),
      refusal.requestUriPushed(),
      refusal.clientIdDiffers(),
      refusal.pushedAddressRefused(),
      refusal.requestObjectBad(),
      refusal.requestUnsigned(),
      refusal.severalAuthMethods(),
      refusal.clientUnknown(),
      refusal.clientCredentialsMissing(),
    ),
    ...FORM_LIMITS,
  },
};

export function parPart(): Part {
  return { paths: { [endpoints.pushedRequest]: { post: pushedRequest } } };
}
