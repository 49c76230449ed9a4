/** The paths of the protocol. */
export const endpoints = {
  discovery: '/.well-known/openid-configuration',
  /** RFC 8414 §3, where the operator has turned it on. */
  oauthMetadata: '/.well-known/oauth-authorization-server',
  authorization: '/oauth/v2/authorize',
  callback: '/oauth/v2/authorize/callback',
  formPostScript: '/oauth/v2/authorize/form-post.js',
  pushedRequest: '/oauth/v2/par',
  token: '/oauth/v2/token',
  deviceAuthorization: '/oauth/v2/device_authorization',
  introspection: '/oauth/v2/introspect',
  revocation: '/oauth/v2/revoke',
  /** RFC 7591, where the operator has turned it on. */
  registration: '/oauth/v2/register',
  keys: '/oauth/v2/keys',
  userinfo: '/oidc/v1/userinfo',
  endSession: '/oidc/v1/end_session',
} as const;

/** The endpoints that applications in browsers call, with their methods; not the ones that users visit. */
export const endpointsOfBrowsers: ReadonlyMap<string, string> = new Map([
  [endpoints.discovery, 'GET'],
  [endpoints.keys, 'GET'],
  [endpoints.userinfo, 'GET, POST'],
  [endpoints.token, 'POST'],
  [endpoints.pushedRequest, 'POST'],
  [endpoints.deviceAuthorization, 'POST'],
  [endpoints.introspection, 'POST'],
  [endpoints.revocation, 'POST'],
  [endpoints.registration, 'POST'],
]);
