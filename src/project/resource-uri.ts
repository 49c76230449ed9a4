const MAX_CHARACTERS = 500;
/** RFC 3986 §3: a scheme, then an authority or none, and printable ASCII without a fragment. */
const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?]*))?([\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*)$/;

/**
 * RFC 8707 §2: the URI of a protected resource, absolute and without a fragment. Returned in the form in which two
 * spellings are compared: scheme and host in lower case, and no path of the web as `/` (RFC 3986 §6.2.2.1, §6.2.3).
 * Undefined for anything else.
 */
export function resourceKeyOf(text: string): string | undefined {
  if (text.length > MAX_CHARACTERS || text.includes('#')) return undefined;
  const parts = ABSOLUTE.exec(text);
  if (!parts) return undefined;
  const [, scheme = '', authority, rest = ''] = parts;
  const isWeb = /^https?$/i.test(scheme);
  if (isWeb && (authority === undefined || !URL.canParse(text) || authority.includes('@'))) return undefined;
  if (authority === undefined && rest === '') return undefined;
  const host = authority === undefined ? '' : `//${authority.toLowerCase()}`;
  const path = isWeb && (rest === '' || rest.startsWith('?')) ? `/${rest}` : rest;
  return `${scheme.toLowerCase()}:${host}${path}`;
}

/**
 * The schemes that `aud` may have: a server on the web, or a name that nothing opens (urn of RFC 8141; api, as
 * Microsoft writes it).
 */
const SCHEMES = /^(https|urn|api):/;
/**
 * RFC 8252 §8.3: a server that is developed on the machine of its client. Plain HTTP elsewhere would show the token.
 */
const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/;

/** Why a resource cannot be registered. `issuer`: of this service, whose own addresses nobody else may stand for. */
export function resourceProblem(uri: string, issuer: string): string | undefined {
  const key = resourceKeyOf(uri);
  if (key === undefined) return `must be an absolute URI without a fragment, of at most ${MAX_CHARACTERS} characters`;
  if (!SCHEMES.test(key) && !LOOPBACK.test(key))
    return 'must be an https, urn or api URI, or http on localhost, 127.0.0.1 or [::1]';
  const own = `${issuer.toLowerCase()}/`;
  return key.startsWith(own) ? 'must not be an address of this service' : undefined;
}
