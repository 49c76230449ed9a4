import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fastFolder } from '../../src/extension/testing/test-server.js';

/**
 * A new folder for the files of a database: in memory where there is room. It is named as that of a server for tests,
 * so that the next run removes it if this one is killed.
 */
export function newFastFolder(): string {
  return mkdtempSync(join(fastFolder(), `gatehouse-test-${process.pid}-data-`));
}
