/**
 * Scheme, host without user information, optional port, then path or query; no character that parsers disagree about.
 */
const WEB_URL =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?(?:[/?][\x21-\x5b\x5d-\x7e]*)?$/i;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The problem of a URL that the service, or a browser, is configured to call; undefined if there is none. It is checked
 * when it is stored and again when it is called. Which addresses may be called is decided when they are dialled.
 */
export function targetUrlProblem(text: string, { production }: { readonly production: boolean }): string | undefined {
  if (text.includes('#')) return 'must not have a fragment';
  if (!WEB_URL.test(text) || !URL.canParse(text))
    return 'must be a URL of the form https://host/path, in ASCII and without user information';
  const url = new URL(text);
  if (url.protocol === 'https:') return undefined;
  if (production) return 'must use https';
  return LOOPBACK_HOST.test(url.hostname) ? undefined : 'must use https (http is for localhost in development)';
}
