import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON, registerHooks } from 'node:module';

/** Where `npm run build` puts the packages that extensions share, in a few files. */
const FOLDER = new URL('../../shared/', import.meta.url);

interface Packages {
  /** The versions by the name of the package. */
  readonly versions: Readonly<Record<string, string>>;
  /** The files by what is imported. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Takes Nest, TypeORM and the like from a few files instead of a thousand, which takes a start a third less
 * (docs/adr/0041). Only for a process without extensions: they may import any file of these packages, and classes of
 * another copy would be others. Packages that were installed in another version are left where they are.
 */
export function usePackagesInFewFiles(): void {
  const list = new URL('packages.json', FOLDER);
  if (!existsSync(list)) return;
  const { versions, files } = JSON.parse(readFileSync(list, 'utf8')) as Packages;
  if (!Object.entries(versions).every(([name, version]) => installedVersion(name) === version)) return;
  registerHooks({
    resolve: (specifier, context, next) => {
      const file = files[specifier];
      return file === undefined ? next(specifier, context) : { url: new URL(file, FOLDER).href, shortCircuit: true };
    },
  });
}

function installedVersion(name: string): string | undefined {
  const manifest = findPackageJSON(name, import.meta.url);
  return manifest === undefined
    ? undefined
    : (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
