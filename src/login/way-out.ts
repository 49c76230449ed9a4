import type { OwnPath } from '../page/paths.js';
import { paths } from '../page/paths.js';
import type { LoginPage } from '../page/render.js';
import type { Visit } from './visit.js';

// The protocol's own paths; edges do not import one another.
const CALLBACK = '/oauth/v2/authorize/callback';
export const END_SESSION = '/oidc/v1/end_session';

/** Where the authorization endpoint answers the application, once nothing is missing. It asks for the next step again. */
export function toCallback(visit: Visit): OwnPath {
  return `${CALLBACK}?id=${encodeURIComponent(visit.request.id)}`;
}

/** The same, refused by the person. The token proves that it was our form: a link could not end a sign-in. */
export function toRefusal(visit: Visit): string {
  return `${toCallback(visit)}&cancel=${encodeURIComponent(visit.csrf)}`;
}

/** Where somebody goes who has just signed in: nearly always nothing is missing, and if something is, either place says so. */
export function onward(visit: Visit): OwnPath {
  return showsSuccess(visit) ? visit.linkTo(paths.hub) : toCallback(visit);
}

/** An application of the device takes the answer out of the browser, which is left with an empty page (RFC 8252 §7.1, §7.3). */
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
