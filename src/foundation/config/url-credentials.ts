const REMEDY =
  'In the user and the password of a URL, write characters other than letters, digits and - . _ ~ in their percent-encoded form: / as %2F, # as %23, ? as %3F, @ as %40, : as %3A, % as %25.';

/**
 * The mistake in a URL that contains a user and a password, in a sentence without them. A `/`, `?` or `#` in a password
 * ends what is before the host (RFC 3986 §3.2), so that the rest of the password is taken for other parts of the URL
 * and its `@` stands there.
 */
export function urlMistake(text: string): string | undefined {
  // A socket has no host (`postgres://user@/database?host=/run/postgresql`), which other schemes do not know.
  const url = URL.parse(text.replace('@/', '@localhost/'));
  if (!url) return `cannot be read as a URL. ${REMEDY}`;
  const isBeyondHost =
    url.hash !== '' || url.pathname.includes('@') || (url.search.includes('@') && url.username === '');
  if (isBeyondHost) return `has a "#", or an "@" behind the host. ${REMEDY}`;
  const isDecodable = [url.username, url.password, url.pathname].every(isEncoded);
  return isDecodable ? undefined : `contains a "%" that begins no percent-encoded character. ${REMEDY}`;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
