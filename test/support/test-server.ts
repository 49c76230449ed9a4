import pg, { type ClientConfig } from 'pg';
import type { KeyPair } from '../../src/foundation/crypto/key-pairs.js';

/** Where the run's PostgreSQL is, as global-setup.ts leaves it in the environment for the workers. */
export interface TestServer {
  /** A database that is never changed, to connect to for creating others. */
  readonly connection: Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'>;
  /** Holds the service's schema and no connection. */
  readonly template: string;
  /** RSA keys for the services of the run. */
  readonly keys: readonly KeyPair[];
}

const VARIABLE = 'GATEHOUSE_TEST_SERVER';

export function announceTestServer(server: TestServer): void {
  process.env[VARIABLE] = JSON.stringify(server);
}

/** @throws Error outside a run of jest */
export function testServer(): TestServer {
  const server = process.env[VARIABLE];
  if (!server) throw new Error('There is no test database: start the tests with "npm test".');
  return JSON.parse(server) as TestServer;
}

/** The same server, another database. */
export function atDatabase(connection: TestServer['connection'], database: string): TestServer['connection'] {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** What `DATABASE_URL` takes. */
export function toUrl(connection: TestServer['connection']): string {
  if (connection.connectionString !== undefined) return connection.connectionString;
  const { host = '', port = 5432, user = '', database = '' } = connection;
  return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}

export async function runSql(connection: TestServer['connection'], ...statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
