/** Longer values were not set by us. */
const MAX_COOKIE_CHARACTERS = 256;

/**
 * The value of a cookie in a `Cookie` header (RFC 6265 §5.4), or undefined. Two different values for one name count as
 * none: a sub-domain may have planted one of them (LOG-005).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  let found: string | undefined;
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue;
    const value = pair.slice(equals + 1).trim();
    if (found !== undefined && found !== value) return undefined;
    found = value;
  }
  return found !== undefined && found.length <= MAX_COOKIE_CHARACTERS ? found : undefined;
}
