import { realpathSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { Extension } from '../../foundation/extension/extension.js';
import { findPackage, isFile, namedBy } from './extension-place.js';

/** Words of `--with` or `EXTENSIONS` that lead to no extension; a sentence for each. */
export class NotLoaded extends DomainError {
  constructor(sentences: readonly string[]) {
    super('FailedPrecondition', 'extension.not_loaded', sentences.join('\n'));
  }
}

/** The packages that an extension and the product must share, which they do only if both load the same copy. */
const SHARED = /^(gatehouse|@nestjs\/(common|core|typeorm)|typeorm|rxjs|reflect-metadata)(\/|$)/;
const ENTRIES: Readonly<Record<string, string>> = {
  gatehouse: new URL('../../extension/entry/index.js', import.meta.url).href,
  'gatehouse/admin': new URL('../../extension/entry/admin.js', import.meta.url).href,
  'gatehouse/experimental': new URL('../../extension/entry/experimental.js', import.meta.url).href,
};
/** Where the packages of Gatehouse are looked for: the folder of its own package. */
const HOME = dirname(fileURLToPath(new URL('../../../package.json', import.meta.url)));
/** Prefix for a package that is imported from where it was found, regardless of the importing module. */
const FOUND = 'found-package:';
const importers = new Map<string, URL>();
let hasHooks = false;

/**
 * The extensions in files and packages, in their order; one that is named twice, once. Wherever they lie, the packages
 * that they share with the product are the product's, so that a file needs no `node_modules`.
 * @throws NotLoaded
 */
export async function loadExtensions(words: readonly string[]): Promise<Extension[]> {
  registerOnce();
  const urls: string[] = [];
  const sentences: string[] = [];
  for (const word of words) {
    try {
      urls.push(urlOf(word));
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      sentences.push(error.message);
    }
  }
  if (sentences.length > 0) throw new NotLoaded(sentences);
  const extensions: Extension[] = [];
  for (const url of new Set(urls)) extensions.push(...(await load(url)));
  return extensions;
}

/** The folder of the module that a word names; a file need not be there yet. @throws NotLoaded */
export function folderOf(word: string): string {
  registerOnce();
  const named = namedBy(word);
  return dirname('file' in named ? named.file : fileURLToPath(urlOfPackage(named.packageName, word)));
}

function registerOnce(): void {
  if (hasHooks) return;
  hasHooks = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const entry = ENTRIES[specifier];
      if (entry !== undefined) return { url: entry, shortCircuit: true };
      if (SHARED.test(specifier)) return next(specifier, { ...context, parentURL: import.meta.url });
      if (!specifier.startsWith(FOUND)) return next(specifier, context);
      const name = specifier.slice(FOUND.length);
      return next(name, { ...context, parentURL: importers.get(name)!.href });
    },
  });
}

/** @throws NotLoaded */
function urlOf(word: string): string {
  const named = namedBy(word);
  if ('packageName' in named) return urlOfPackage(named.packageName, word);
  if (isFile(named.file)) return pathToFileURL(realpathSync(named.file)).href;
  throw new NotLoaded([
    `There is no file ${named.file}. Give the compiled module of an extension, such as ./dist/hr.extension.js, ` +
      'or the name of its package, such as scim or @acme/gatehouse-hr.',
  ]);
}

/** A word stands for a package of Gatehouse, whose names on npm are not ours. */
function remedy(name: string, word: string): string {
  return word === name
    ? `Run "npm install ${name}"`
    : `Install its tarball, which "npm pack -w packages/${word}" makes in a clone of Gatehouse`;
}

/** @throws NotLoaded */
function urlOfPackage(name: string, word: string): string {
  const folders = [...new Set([process.cwd(), HOME])];
  const found = findPackage(name, folders);
  if (found === undefined)
    throw new NotLoaded([
      `There is no package ${name}${word === name ? '' : `, for which "${word}" stands`}. It was looked for in node_modules of ` +
        `${folders.join(' and ')} and of the folders above. ${remedy(name, word)}, or give the file of the extension, ` +
        'such as ./dist/hr.extension.js.',
    ]);
  importers.set(name, found.importer);
  const url = resolved(name);
  if (url !== undefined && isFile(fileURLToPath(url))) return url;
  throw new NotLoaded([
    `The package ${name} in ${found.folder} is not compiled: it lacks ${found.main ?? 'what its package.json exports'}. ` +
      'Run "npm run build" where its sources are.',
  ]);
}

function resolved(name: string): string | undefined {
  try {
    return import.meta.resolve(`${FOUND}${name}`);
  } catch (error) {
    // Node looks whether a file of `main` exists, and not whether one of `exports` does.
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function load(url: string): Promise<Extension[]> {
  const { default: found } = (await import(url)) as { default?: Extension | Extension[] };
  if (found === undefined)
    throw new NotLoaded([`${fileURLToPath(url)} has no default export. Write: export default defineExtension({ … });`]);
  return [found].flat();
}
