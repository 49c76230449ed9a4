import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Extension } from '../../foundation/extension/extension.js';

/** A file of `--with` that holds no extension. */
export class NotLoaded extends Error {}

/** The packages that an extension and the product must share, which they do only if both load the same copy. */
const SHARED = /^(gatehouse|@nestjs\/(common|core|typeorm)|typeorm|preact|rxjs|reflect-metadata)(\/|$)/;
const ENTRIES: Readonly<Record<string, string>> = {
  gatehouse: new URL('../../extension/entry/index.js', import.meta.url).href,
  'gatehouse/admin': new URL('../../extension/entry/admin.js', import.meta.url).href,
  'gatehouse/experimental': new URL('../../extension/entry/experimental.js', import.meta.url).href,
};

/**
 * The extensions in files, in their order. Wherever a file lies, the packages that it shares with the product are the
 * product's, so that it needs no `node_modules`.
 * @throws NotLoaded
 */
export async function loadExtensions(files: readonly string[]): Promise<Extension[]> {
  registerHooks({
    resolve: (specifier, context, next) => {
      const entry = ENTRIES[specifier];
      if (entry !== undefined) return { url: entry, shortCircuit: true };
      return SHARED.test(specifier)
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context);
    },
  });
  const extensions: Extension[] = [];
  for (const file of files) extensions.push(...(await load(file)));
  return extensions;
}

async function load(file: string): Promise<Extension[]> {
  const path = resolve(file);
  if (!existsSync(path))
    throw new NotLoaded(`There is no file ${path}. --with needs the compiled module of an extension.`);
  const { default: found } = (await import(pathToFileURL(path).href)) as { default?: Extension | Extension[] };
  if (found === undefined)
    throw new NotLoaded(`${path} has no default export. Write: export default defineExtension({ … });`);
  return [found].flat();
}
