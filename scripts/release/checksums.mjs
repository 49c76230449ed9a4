import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { sha256 } from './layer.mjs';

export const CHECKSUMS = 'SHA256SUMS';

/** Every file below the folder but the sums themselves, with its SHA-256, by name. */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith(CHECKSUMS))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
    .map((name) => ({ name, sha256: sha256(readFileSync(join(folder, name))) }));
}

/** In the form of `sha256sum`, which also checks it. */
export const checksums = (files) => files.map(({ name, sha256: hash }) => `${hash}  ${name}\n`).join('');

/**
 * @param {string} text in that form
 * @returns {string[]} what is wrong with the folder: files that were changed, are missing, or are named by nobody
 */
export function mistakesOf(folder, text) {
  const named = new Map(
    text
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  );
  const found = filesOf(folder);
  return [
    ...found.filter(({ name }) => !named.has(name)).map(({ name }) => `${name} is not in ${CHECKSUMS}`),
    ...found
      .filter(({ name, sha256: hash }) => named.has(name) && named.get(name) !== hash)
      .map(({ name }) => `${name} was changed`),
    ...[...named.keys()]
      .filter((name) => !found.some((file) => file.name === name))
      .map((name) => `${name} is missing`),
  ];
}
