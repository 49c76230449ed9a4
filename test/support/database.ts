import { atDatabase, runSql, testServer, toUrl, type TestServer } from './test-server.js';

export interface TestDatabase {
  /** For `pg` and `ConnectionSettings`. */
  readonly connection: TestServer['connection'];
  /** The same as a `DATABASE_URL`, for a service in a process of its own. */
  readonly url: string;
  /** Ends whatever is still connected. */
  drop(): Promise<void>;
}

let made = 0;

/** A database with the service's schema and no rows, for one test file (or for one test: it takes about a tenth of a second). */
export async function workerDatabase(): Promise<TestDatabase> {
  const { connection: server, template } = testServer();
  made += 1;
  const name = `${template}_${process.pid}_${made}`;
  // Copying files is faster than writing them through the log, and the template is small.
  await runSql(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const connection = atDatabase(server, name);
  return { connection, url: toUrl(connection), drop: () => runSql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
