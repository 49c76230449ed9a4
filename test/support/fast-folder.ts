import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fastFolder } from '../../src/testing/test-server.js';

/** A new folder for the files of a database: in memory where there is room. What is flushed to a disk there is kept at once. */
export function newFastFolder(): string {
  return mkdtempSync(join(fastFolder(), 'gatehouse-data-'));
}
