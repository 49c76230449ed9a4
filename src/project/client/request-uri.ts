import { targetUrlProblem } from '../../foundation/outbound/target-url.js';

/** OIDC Core §6.2. */
export const MAX_REQUEST_URI_CHARACTERS = 512;
/** Far more than a client has kinds of requests. */
export const MOST_REQUEST_URIS = 20;
/** RFC 3986 §3.5. */
const FRAGMENT = /^(?:[a-z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*$/i;

/**
 * What is wrong with an address at which a client publishes request objects, or undefined. It may have a fragment,
 * which tells one version of its contents from another (OIDC Core §6.2).
 */
export function requestUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_REQUEST_URI_CHARACTERS) return `must have at most ${MAX_REQUEST_URI_CHARACTERS} characters`;
  const address = withoutFragment(uri);
  if (address !== uri && !FRAGMENT.test(uri.slice(address.length + 1)))
    return 'must have a fragment of the characters that RFC 3986 allows there';
  return targetUrlProblem(address, { production: false });
}

/** The address that is requested: a fragment never leaves a client of HTTP (RFC 9110 §7.1). */
export function withoutFragment(uri: string): string {
  return uri.split('#', 1)[0] ?? '';
}
