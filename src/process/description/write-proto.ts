import { mkdirSync, writeFileSync } from 'node:fs';
import { checkNodeVersion } from '../../foundation/config/node-version.mjs';

checkNodeVersion();
await import('reflect-metadata');
const { protoFilesOf } = await import('./proto-files.js');

/** Writes proto/, as a service with the default settings speaks. Needs no database: nothing of the application runs. */
for (const [path, text] of await protoFilesOf()) {
  const file = new URL(`../../../proto/${path}`, import.meta.url);
  mkdirSync(new URL('.', file), { recursive: true });
  writeFileSync(file, text);
}
