import { readFileSync, realpathSync, statSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a word of `--with` or `EXTENSIONS` names. */
export type Named = { readonly file: string } | { readonly packageName: string };

/** A package as it was found. */
export interface FoundPackage {
  readonly folder: string;
  /** The file that is imported, if its manifest says so in the short way. */
  readonly main: string | undefined;
  /** Imports from here lead to it. */
  readonly importer: URL;
}

/** As ids of extensions are. */
const SHORT = /^[a-z][a-z0-9]*$/;
const PACKAGE = /^(?:@[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*|[a-z0-9][\w.]*-[\w.-]*)$/;
const FILE = /^[./\\]|\.[cm]?[jt]s$/;

/** `scim` is the package `gatehouse-scim`; with `-` or `@` it is the name of a package itself; the rest are files. */
export function namedBy(word: string): Named {
  if (!FILE.test(word) && !isAbsolute(word) && !isFile(resolve(word))) {
    if (SHORT.test(word)) return { packageName: `gatehouse-${word}` };
    if (PACKAGE.test(word)) return { packageName: word };
  }
  return { file: resolve(word) };
}

/** A folder may well have the name of an extension: `saml`, with the metadata of its partners. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** The package of this name that an import from the first of these folders finds, and else from the next. */
export function findPackage(name: string, folders: readonly string[]): FoundPackage | undefined {
  for (const folder of folders) {
    const importer = pathToFileURL(join(folder, 'any'));
    const manifest = manifestFor(name, importer);
    if (manifest === undefined) continue;
    const { main } = JSON.parse(readFileSync(manifest, 'utf8')) as { main?: string };
    return { folder: realpathSync(dirname(manifest)), main, importer };
  }
  return undefined;
}

function manifestFor(name: string, importer: URL): string | undefined {
  try {
    return findPackageJSON(name, importer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
