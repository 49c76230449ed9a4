import type { ClientConfig } from 'pg';
import type { KeyPair } from '../../src/foundation/crypto/key-pairs.js';

/** Where the run's PostgreSQL is, as global-setup.ts leaves it in the environment for the workers. */
export interface RunServer {
  /** A database that is never changed, to connect to for creating others. */
  readonly connection: Pick<ClientConfig, 'host' | 'port' | 'user' | 'database' | 'connectionString'>;
  /** Holds the service's schema and no connection. */
  readonly template: string;
  /** RSA keys for the services of the run. */
  readonly keys: readonly KeyPair[];
}

const VARIABLE = 'GATEHOUSE_TEST_SERVER';

export function announceTestServer(server: RunServer): void {
  process.env[VARIABLE] = JSON.stringify(server);
}

/** @throws Error outside a run of jest */
export function testServer(): RunServer {
  const server = process.env[VARIABLE];
  if (!server) throw new Error('There is no test database: start the tests with "npm test".');
  return JSON.parse(server) as RunServer;
}
