import { FORBIDDEN_SCHEMES } from './redirect-uri.js';

const MAX_LENGTH = 500;
/** Scheme, host and optional port, and nothing else: RFC 6454 §6.2. */
const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[1-9]\d{0,4})?$/;

/** What is wrong with an origin that is registered for an application, or undefined. */
export function originProblem(origin: string): string | undefined {
  if (origin.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const scheme = ORIGIN.exec(origin)?.[1];
  if (scheme === undefined || !URL.canParse(origin))
    return 'must be an origin such as https://app.example.com, in lower case and without a path';
  return FORBIDDEN_SCHEMES.has(scheme) ? `must not use the scheme ${scheme}` : undefined;
}

/** The origins from which an application's pages may call: those of its redirect URIs, and those registered besides. */
export function allowedOrigins(redirectUris: readonly string[], additionalOrigins: readonly string[]): string[] {
  const ofRedirects = redirectUris.flatMap((uri) => {
    const origin = URL.canParse(uri) ? new URL(uri).origin : 'null';
    return origin === 'null' ? [] : [origin]; // Custom schemes have no origin.
  });
  return [...new Set([...ofRedirects, ...additionalOrigins])];
}
