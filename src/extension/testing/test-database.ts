import pg from 'pg';
import type { ServerAddress } from '../../foundation/database/server-address.js';

/** The database of one world. */
export interface TestDatabase {
  /** The address for `pg` and `ConnectionSettings`. */
  readonly connection: ServerAddress;
  /** The database as a `DATABASE_URL`, for a service in a process of its own. */
  readonly url: string;
  /** Ends remaining connections, and gives the database back. */
  release(): Promise<void>;
}

/** The address of another database on the same server. */
export function atDatabase(connection: ServerAddress, database: string): ServerAddress {
  if (connection.connectionString === undefined) return { ...connection, database };
  const url = new URL(connection.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}

/** The address as `DATABASE_URL` takes it. */
export function toUrl(connection: ServerAddress): string {
  if (connection.connectionString !== undefined) return connection.connectionString;
  const { host = '', port = 5432, user = '', database = '' } = connection;
  return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** Runs statements one after the other, on a connection of their own. */
export async function runSql(connection: ServerAddress, ...statements: string[]): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
