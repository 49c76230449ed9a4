import type { ClientType } from './client.entity.js';

/** Schemes that make a browser run, read or open something instead of calling an application back. */
export const FORBIDDEN_SCHEMES = new Set([
  'javascript',
  'data',
  'vbscript',
  'file',
  'blob',
  'about',
  'view-source',
  'filesystem',
  'ftp',
  'ws',
  'wss',
  'mailto',
  'tel',
  'intent',
]);

const MAX_LENGTH = 2_000;
const SCHEME = /^([a-z][a-z0-9+.-]*):/;
/** Scheme, host without user info, optional port, then path or query; no character that parsers disagree about. */
const WEB_URI = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?(?:[/?][^\s\\#]*)?$/i;
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?(\/[^\s\\#]*)?$/;
const MAX_PORT = 65_535;

/**
 * What is wrong with a redirect or post-logout URI at registration, or undefined. It is checked once, here; requests
 * are compared with the registered text as strings (RFC 9700 §2.1).
 */
export function redirectUriProblem(
  uri: string,
  client: { clientType: ClientType; devMode: boolean },
): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  if (uri.includes('#')) return 'must not have a fragment'; // RFC 6749 §3.1.2
  if (!/^[\x21-\x5b\x5d-\x7e]*$/.test(uri)) return 'must consist of printable ASCII without spaces and backslashes'; // RFC 3986 §2
  const scheme = SCHEME.exec(uri)?.[1];
  if (scheme === undefined || !URL.canParse(uri)) return 'must be an absolute URI with its scheme in lower case';
  if (FORBIDDEN_SCHEMES.has(scheme)) return `must not use the scheme ${scheme}`;
  if (scheme !== 'https' && scheme !== 'http') {
    return client.clientType === 'native' ? undefined : 'may use a custom scheme for native applications only';
  }
  if (!WEB_URI.test(uri)) return 'must be of the form https://host/path, without user information';
  if (scheme === 'https' || client.devMode) return undefined;
  // RFC 8252 §8.3: what is sent there never leaves the user's machine. Every developer begins with such an address.
  if (LOOPBACK.test(uri)) return undefined;
  return 'must use https, or http on localhost, 127.0.0.1 or [::1] (devMode set to true allows http elsewhere)';
}

/** Whether the requested URI is a registered one, byte for byte; for native clients a loopback port is free. */
export function isRegistered(uri: string, registered: readonly string[], clientType: ClientType): boolean {
  if (registered.includes(uri)) return true;
  if (clientType !== 'native') return false;
  // RFC 8252 §7.3: the port of a loopback redirect is chosen at the time of the request; host and path are not.
  const requested = withoutLoopbackPort(uri);
  return requested !== undefined && registered.some((known) => withoutLoopbackPort(known) === requested);
}

/** The URI without the port that a native application has chosen: one address, however often it is started. */
export function withoutChosenPort(uri: string): string {
  return withoutLoopbackPort(uri) ?? uri;
}

function withoutLoopbackPort(uri: string): string | undefined {
  const match = LOOPBACK.exec(uri);
  if (!match || Number(match[2] ?? 1) > MAX_PORT) return undefined;
  return `${match[1] ?? ''}${match[3] ?? ''}`;
}
