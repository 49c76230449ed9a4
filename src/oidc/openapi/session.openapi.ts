import { refusal } from '../oidc.errors.js';
import { endpoints } from '../oidc.paths.js';
import {
  challenging,
  FORM_LIMITS,
  formOf,
  jsonOf,
  type Operation,
  PAGE_LIMITS,
  type Parameters,
  type Part,
  PROOF_HEADER,
  pageOf,
  queryOf,
  redirectOf,
  refusals,
} from './part.js';

const USERINFO_EXAMPLE = {
  sub: '312909075212468227',
  name: 'Alice Liddell',
  preferred_username: 'alice@acme.localhost',
  email: 'alice@example.com',
  email_verified: true,
};

const CLAIMS = jsonOf(
  'The claims; as a signed JWT for applications with `signedUserinfo` (OIDC Core §5.3.2).',
  'Userinfo',
  USERINFO_EXAMPLE,
);

const userinfo = (id: string): Operation => ({
  operationId: id,
  tags: ['OpenID Connect'],
  summary: 'Get the claims of the signed-in user',
  description: 'Requires an access token of the user, not of the client (OIDC Core §5.3).',
  security: [{ oauth2: ['openid'] }, { token: [] }],
  parameters: PROOF_HEADER,
  responses: {
    '200': { ...CLAIMS, content: { ...CLAIMS.content, 'application/jwt': { schema: { type: 'string' } } } },
    ...challenging(
      refusals(refusal.bearerMissing(), refusal.bearerDead(), refusal.bearerMalformed(), refusal.openidScopeMissing()),
    ),
  },
});

const END_SESSION: Parameters = {
  id_token_hint: { description: 'An ID token of the session to end; it may have expired.' },
  client_id: {
    description: 'The client that requests the sign-out. With a hint, it must be the one that the hint was issued to.',
  },
  post_logout_redirect_uri: {
    description: 'The redirect URI after sign-out, exactly as registered. Requires a hint or a client_id.',
  },
  state: { description: 'Returned unchanged.' },
  ui_locales: { description: 'Languages in order of preference, space-delimited.' },
};

const endSession = (id: string, redirect: '302' | '303'): Operation => ({
  operationId: id,
  tags: ['OpenID Connect'],
  summary: 'Sign out a user',
  description:
    'For browsers (RP-Initiated Logout 1.0). With a valid hint, the session ends immediately; without one, a browser that comes from another site ' +
    'is shown a confirmation page first.',
  security: [],
  responses: {
    [redirect]: redirectOf('Signed out; redirects to the registered URI, or to a page of the service.'),
    '200': pageOf('A page that asks whether to sign out.'),
    '400': pageOf('The hint cannot be verified, or the URI is not registered. The user stays signed in.'),
    ...PAGE_LIMITS,
  },
});

export function sessionPart(): Part {
  const accessToken: Parameters = { access_token: { description: 'Instead of the Authorization header.' } };
  return {
    paths: {
      [endpoints.userinfo]: {
        get: userinfo('GetUserinfo'),
        post: {
          ...userinfo('PostUserinfo'),
          requestBody: { ...formOf(accessToken), required: false },
          responses: { ...userinfo('').responses, ...challenging(FORM_LIMITS) },
        },
      },
      [endpoints.endSession]: {
        get: { ...endSession('EndSession', '302'), parameters: queryOf(END_SESSION) },
        post: {
          ...endSession('PostEndSession', '303'),
          summary: 'Sign out a user, with form parameters',
          requestBody: formOf(END_SESSION),
        },
      },
    },
  };
}
