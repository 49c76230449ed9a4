import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { PACKAGE_FILES, packageFile } from '../foundation/config/package-file.js';
import { Compressed } from './compressed.js';

const SITE = new URL('./site/', import.meta.url);
const OF_PACKAGE = PACKAGE_FILES.filter((path) => path.startsWith('swagger-ui-dist/'));

/** Packages that our modules import, by the names under which browsers get them: a bare name means nothing to those. */
const MODULES_OF_PACKAGES = {
  minisearch: ['minisearch.js', 'minisearch/dist/es/index.js'],
  stemmer: ['stemmer.js', 'stemmer/index.js'],
} as const;
const BARE_IMPORT = new RegExp(`(from\\s*['"])(${Object.keys(MODULES_OF_PACKAGES).join('|')})(?=['"])`, 'g');

/** Stands in our pages for the address of their scripts and styles. */
const ASSETS = '{{assets}}';
const MODULES = '{{modules}}';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

export interface SiteFile {
  readonly type: string;
  readonly content: Compressed;
}

interface Site {
  /** The version, which changes with any file. */
  readonly version: string;
  readonly files: ReadonlyMap<string, SiteFile>;
}

/** All files that a browser may load below /docs. Read on first request: most processes never need them. */
export class SiteFiles {
  private site: Promise<Site> | undefined;

  async find(name: string): Promise<SiteFile | undefined> {
    return (await this.read()).files.get(name);
  }

  async version(): Promise<string> {
    return (await this.read()).version;
  }

  private async read(): Promise<Site> {
    return (this.site ??= readSite());
  }
}

async function readSite(): Promise<Site> {
  const own = readdirSync(SITE).filter((name) => /^[\w-]+\.(html|css|js)$/.test(name));
  const places = [
    ...own.map((name) => [name, new URL(name, SITE)] as const),
    ...OF_PACKAGE.map((path) => [path.slice(path.indexOf('/') + 1), packageFile(path)] as const),
    ...Object.values(MODULES_OF_PACKAGES).map(([name, path]) => [name, packageFile(path)] as const),
  ];
  const texts = await Promise.all(places.map(async ([name, file]) => [name, await readFile(file, 'utf8')] as const));
  const hash = createHash('sha256');
  for (const [name, text] of texts) hash.update(name).update(text);
  const version = hash.digest('base64url').slice(0, 12);
  const assets = `/docs/assets/${version}`;
  // The browser asks for all of them at once, instead of for each when it has read the one before.
  const modules = [...own, ...Object.values(MODULES_OF_PACKAGES).map(([name]) => name)]
    .filter((name) => name.endsWith('.js') && name !== 'preview.js')
    .map((name) => `<link rel="modulepreload" href="${assets}/${name}">`);
  const files = texts.map(([name, text]): [string, SiteFile] => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]!;
    const full = name.endsWith('.html')
      ? text.replaceAll(ASSETS, assets).replace(MODULES, modules.join('\n    '))
      : text.replaceAll(BARE_IMPORT, '$1./$2.js');
    return [name, { type, content: new Compressed(full) }];
  });
  return { version, files: new Map(files) };
}
