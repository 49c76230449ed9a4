import type { Visit } from './visit.js';

// The protocol's own paths; edges do not import one another.
const CALLBACK = '/oauth/v2/authorize/callback';
export const END_SESSION = '/oidc/v1/end_session';

/** Where the authorization endpoint answers the application, once nothing is missing. It asks for the next step again. */
export function toCallback(visit: Visit): string {
  return `${CALLBACK}?id=${encodeURIComponent(visit.request.id)}`;
}

/** The same, refused by the person. The token proves that it was our form: a link could not end a sign-in. */
export function toRefusal(visit: Visit): string {
  return `${toCallback(visit)}&cancel=${encodeURIComponent(visit.csrf)}`;
}
