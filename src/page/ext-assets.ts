import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { Extension } from '../foundation/extension/extension.js';
import { LoadedExtensions } from '../foundation/extension/extensions.module.js';
import { paths, type ServicePath } from '../org/instance/paths.js';

/** Linked after the stylesheets of Gatehouse and of the organization. */
const STYLESHEET = 'style.css';
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
};
const NAME = /^[a-z0-9][a-z0-9._-]{0,59}$/;
const MAX_FILES = 50;
const MAX_BYTES = 1_000_000;

export interface ExtAsset {
  readonly type: string;
  readonly content: Buffer;
  /** The path with a hash of the content, so that it may be cached for good. */
  readonly path: ServicePath;
}

/** The files that extensions bring for pages, read once. */
@Injectable()
export class ExtAssets {
  private readonly files: ReadonlyMap<string, ExtAsset>;
  readonly stylesheets: readonly ServicePath[];

  constructor({ extensions }: LoadedExtensions) {
    this.files = new Map(
      extensions.flatMap((extension) =>
        [...assetsOf(extension)].map(([name, asset]) => [`${extension.id}/${name}`, asset] as const),
      ),
    );
    this.stylesheets = extensions.flatMap(({ id }) => this.find(id, STYLESHEET)?.path ?? []);
  }

  find(extension: string, name: string): ExtAsset | undefined {
    return this.files.get(`${extension}/${name}`);
  }
}

function assetsOf({ id, assets }: Extension): Map<string, ExtAsset> {
  if (assets === undefined) return new Map();
  const folder = fileURLToPath(assets);
  return new Map(
    readdirSync(folder).map((name) => {
      const content = readFileSync(join(folder, name));
      const version = createHash('sha256').update(content).digest('base64url').slice(0, 12);
      const path = `${paths.extAssets}/${id}/${name}?v=${version}` as const;
      return [name, { content, path, type: TYPES[extname(name)] ?? 'application/octet-stream' }];
    }),
  );
}

/** What is wrong with the files of extensions, each in a sentence with its remedy. */
export function assetMistakes(extensions: readonly Extension[]): string[] {
  return extensions.flatMap(({ id, assets }) => {
    if (assets === undefined) return [];
    let names: string[];
    try {
      names = readdirSync(fileURLToPath(assets));
    } catch (error) {
      return [
        `The assets of the extension ${id} cannot be read: ${(error as Error).message}. Give the URL of a folder beside the module.`,
      ];
    }
    const folder = fileURLToPath(assets);
    return [
      ...(names.length > MAX_FILES ? [`The extension ${id} has more than ${MAX_FILES} assets. Remove some.`] : []),
      ...names
        .filter(
          (name) => !NAME.test(name) || !(extname(name) in TYPES) || statSync(join(folder, name)).size > MAX_BYTES,
        )
        .map(
          (name) =>
            `The asset ${name} of the extension ${id} cannot be served. Files are ${Object.keys(TYPES).join(', ')} in lower case, of at most ${MAX_BYTES} bytes, and in no folder.`,
        ),
    ];
  });
}
