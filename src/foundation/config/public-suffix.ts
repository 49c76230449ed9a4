import { createRequire } from 'node:module';

/**
 * Whether people who do not know one another have names directly below this domain, such as `co.uk` and `github.io`:
 * both parts of the Public Suffix List. The list is loaded when it is first asked, which few settings need.
 */
export function isPublicSuffix(domain: string): boolean {
  const { getPublicSuffix } = createRequire(import.meta.url)('tldts') as typeof import('tldts');
  return getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
}
