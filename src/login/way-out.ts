import type { OwnPath } from '../foundation/page/paths.js';
import { paths } from '../foundation/page/paths.js';
import type { LoginPage } from '../foundation/page/render.js';
import type { Visit } from './visit.js';

// Paths of the protocol, repeated because edges do not import one another.
const CALLBACK = '/oauth/v2/authorize/callback';
export const END_SESSION = '/oidc/v1/end_session';

/** Where the authorization endpoint answers the application. It checks again that no step is missing. */
export function toCallback(visit: Visit): OwnPath {
  return `${CALLBACK}?id=${encodeURIComponent(visit.request.id)}`;
}

/**
 * The same after a refusal by the user. The token proves that our form was used: a link must not be able to end a
 * sign-in.
 */
export function toRefusal(visit: Visit): string {
  return `${toCallback(visit)}&cancel=${encodeURIComponent(visit.csrf)}`;
}

/**
 * Where to send a user who has just signed in: nearly always nothing is missing, and if something is, either endpoint
 * finds it.
 */
export function onward(visit: Visit): OwnPath {
  return showsSuccess(visit) ? visit.linkTo(paths.hub) : toCallback(visit);
}

/**
 * A native application takes the answer out of the browser, which would be left with an empty page (RFC 8252 §7.1,
 * §7.3).
 */
export function showsSuccess({ client, request }: Visit): boolean {
  return client.type === 'native' && !client.settings.skipNativeAppSuccessPage && !isOfTheWeb(request.redirectUri);
}

export function successOf(visit: Visit): LoginPage<'success'> {
  return { page: 'success', clientName: visit.client.name, continueHref: toCallback(visit) };
}

function isOfTheWeb(redirectUri: string): boolean {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return true;
  return protocol === 'http:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
