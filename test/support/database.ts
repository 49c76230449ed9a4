import { returnDatabase, takeDatabase } from './runner/databases.mjs';
import { atDatabase, type TestServer, testServer, toUrl } from './test-server.js';

export interface TestDatabase {
  /** For `pg` and `ConnectionSettings`. */
  readonly connection: TestServer['connection'];
  /** The same as a `DATABASE_URL`, for a service in a process of its own. */
  readonly url: string;
  /** Ends remaining connections and returns the database to the pool of this worker, which empties it for the next file. */
  release(): Promise<void>;
}

/** A database with the service's schema and no rows, for one test file or one test: a clone, or one that another file has left. */
export async function workerDatabase(): Promise<TestDatabase> {
  const server = testServer();
  const at = (database: string): TestServer['connection'] => atDatabase(server.connection, database);
  const name = await takeDatabase(server, at);
  const connection = at(name);
  return { connection, url: toUrl(connection), release: () => returnDatabase(server, at, name) };
}
