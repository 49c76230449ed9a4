import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the browser says that a page of another origin has sent this form. Browsers say it in `Sec-Fetch-Site` (Fetch
 * Metadata Request Headers), which no page can change, or else in `Origin` (RFC 6454 §7). Programs say nothing.
 */
export function isOfAnotherOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  // `none`: the user reloads the answer to a form.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  // If `Sec-Fetch-Site` says that the form is ours, its origin may be another name of this server. Pages without a
  // referrer, like ours, send `null`.
  return site === undefined && origin !== undefined && origin !== 'null' && origin !== ownOrigin;
}
