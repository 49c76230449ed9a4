import { existsSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Where `npm pack` puts the files of `PACKAGE_FILES`, in place of the packages that they are from (docs/adr/0046). */
const PACKED = new URL('../../packages/', import.meta.url);

/**
 * Files that the service reads or serves as their packages have them: for browsers, or as data. Where the sources lie,
 * the packages are installed; the package of Gatehouse brings these files alone.
 */
export const PACKAGE_FILES = [
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'swagger-ui-dist/oauth2-redirect.html',
  'swagger-ui-dist/oauth2-redirect.js',
  'minisearch/dist/es/index.js',
  'stemmer/index.js',
  'oidc-client-ts/dist/browser/oidc-client-ts.min.js',
  '@simplewebauthn/browser/dist/bundle/index.umd.min.js',
  '@zxcvbn-ts/language-common/src/passwords.json',
] as const;

/** Where a file of a package is. @throws Error if the package is missing */
export function packageFile(path: (typeof PACKAGE_FILES)[number]): URL {
  const packed = new URL(path, PACKED);
  if (existsSync(packed)) return packed;
  const [, name, file] = /^((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(path)!;
  const manifest = findPackageJSON(name!, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is missing. Run "npm ci".`);
  return new URL(file!, pathToFileURL(manifest));
}
