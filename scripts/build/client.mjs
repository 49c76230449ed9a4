import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientFiles } from './client-text.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folder = join(root, 'src', 'client', 'generated');

/**
 * Writes what `gatehouse/client` knows of openapi.json, as far as it differs from what is there. Whatever reads the sources begins with it: the
 * build, the compiler, lint, the tests.
 */
export function writeClient() {
  const api = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of clientFiles(api)) {
    const path = join(folder, name);
    if (textOf(path) === text) continue;
    // In one step: lint and the compiler may run beside one another.
    writeFileSync(`${path}.${process.pid}`, text);
    renameSync(`${path}.${process.pid}`, path);
  }
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClient();
