import type { Visit } from './visit.js';

// Paths of the protocol, repeated because edges do not import one another.
const CALLBACK = '/oauth/v2/authorize/callback';
export const END_SESSION = '/oidc/v1/end_session';

/**
 * Where the authorization endpoint answers the application of a parked request. It checks again that no step is
 * missing.
 */
export function toCallback({ request }: Visit): `/${string}` {
  return `${CALLBACK}?id=${encodeURIComponent(request.id)}`;
}

/**
 * A native application takes the answer out of the browser, which would be left with an empty page (RFC 8252 §7.1,
 * §7.3).
 */
export function showsSuccess({ client, request, verdict }: Pick<Visit, 'client' | 'request' | 'verdict'>): boolean {
  return (
    verdict.kind === 'ready' &&
    client.type === 'native' &&
    !client.settings.skipNativeAppSuccessPage &&
    !isOfTheWeb(request.redirectUri)
  );
}

function isOfTheWeb(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
