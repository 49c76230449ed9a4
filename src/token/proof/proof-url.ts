/** What need not be escaped (RFC 3986 §2.3). */
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/**
 * A URL in the spelling in which two may be compared (RFC 9449 §4.3 item 9): scheme and host in lower case, without the
 * default port, query and fragment, and with one spelling of escapes (RFC 3986 §6.2.2, §6.2.3). Undefined if it is not
 * a web address.
 */
export function comparableUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  return url.origin + url.pathname.replaceAll(/%[0-9a-f]{2}/gi, normalized);
}

function normalized(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return UNRESERVED.test(character) ? character : escape.toUpperCase();
}
