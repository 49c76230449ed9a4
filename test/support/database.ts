import { atDatabase, type TestDatabase, toUrl } from '../../src/extension/testing/test-database.js';
import { returnDatabase, takeDatabase } from './runner/databases.mjs';
import { type RunServer, testServer } from './test-server.js';

export type { TestDatabase };

/**
 * A database with the service's schema and no rows, for one test file or one test: a clone, or one that another file
 * has left. `isNew`: a clone in any case, for tests whose plans must not depend on what was there before.
 */
export async function workerDatabase({ isNew = false } = {}): Promise<TestDatabase> {
  const server = testServer();
  const at = (database: string): RunServer['connection'] => atDatabase(server.connection, database);
  const name = await takeDatabase(server, at, isNew);
  const connection = at(name);
  return { connection, url: toUrl(connection), release: () => returnDatabase(server, at, name) };
}
