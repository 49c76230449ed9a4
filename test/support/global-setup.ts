import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ensureBuilt } from '../../scripts/build.mjs';
import { built } from './built.ts';
import { announceTestServer, atDatabase, runSql, type TestServer } from './test-server.ts';

/** Few services rotate their keys more often. */
const KEYS = 4;
const FOLDER = 'gatehouse-test-';
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2_000_000_000;
/** Nothing is recovered from the log, so that it need not be long. */
const SMALL_LOG = { wal_level: 'minimal', max_wal_senders: '0', min_wal_size: '32MB', max_wal_size: '96MB' };

type Embedded = typeof import('../../src/foundation/database/embedded/index.js');
type DataSourceOptions = typeof import('../../src/foundation/database/data-source.js');
type Keys = typeof import('../../src/foundation/crypto/key-pairs.js');
type Connection = typeof import('../../src/foundation/database/connection-settings.js');
type SchemaChange = typeof import('../../src/foundation/database/schema-change/index.js');

/** One PostgreSQL server for the run, with one database that has the schema; each test file clones that (database.ts). */
export default async function setUp(): Promise<void> {
  // SKIP_BUILD=1 tests the last build, for changes that do not compile yet.
  if (process.env.SKIP_BUILD !== '1') await ensureBuilt();
  const { KeyPairs } = await built<Keys>('foundation/crypto/key-pairs');
  const keyPairs = new KeyPairs();
  const [connection, keys] = await Promise.all([
    startServer(),
    Promise.all(Array.from({ length: KEYS }, () => keyPairs.make('RS256'))),
  ]);
  const template = `gatehouse_test_${process.pid}`;
  await runSql(connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`, `CREATE DATABASE ${template}`);
  await makeSchema(atDatabase(connection, template));
  announceTestServer({ connection, template, keys });
  // A server of the run's own ends with all that is in it.
  if (process.env.DATABASE_URL) cleanUps.push(() => dropDatabases(connection, template));
}

/** What global-teardown.ts does, last made first. */
export const cleanUps: Array<() => Promise<void>> = [];

async function startServer(): Promise<TestServer['connection']> {
  if (process.env.DATABASE_URL) return { connectionString: process.env.DATABASE_URL };
  const folder = fastFolder();
  removeLeftovers(folder);
  const dataDir = mkdtempSync(join(folder, `${FOLDER}${process.pid}-`));
  const { startEmbeddedPostgres } = await built<Embedded>('foundation/database/embedded/index');
  const server = await startEmbeddedPostgres({ dataDir, durable: false, extraSettings: SMALL_LOG });
  cleanUps.push(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return server.connection;
}

async function makeSchema(connection: TestServer['connection']): Promise<void> {
  const { DataSource } = await import('typeorm');
  const { dataSourceOptions } = await built<DataSourceOptions>('foundation/database/data-source');
  const { ConnectionSettings } = await built<Connection>('foundation/database/connection-settings');
  const { applySchemaChanges } = await built<SchemaChange>('foundation/database/schema-change/index');
  const source = await new DataSource(dataSourceOptions(new ConnectionSettings(connection, 'test'))).initialize();
  await applySchemaChanges(source);
  await source.destroy();
}

async function dropDatabases(connection: TestServer['connection'], template: string): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname ^@ $1', [
    template,
  ]);
  await client.end();
  for (const { datname } of rows) await runSql(connection, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

/** In memory where there is enough of it: tests create and remove thousands of small tables. */
function fastFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}

/** Folders of runs that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(FOLDER))) {
    if (!isAlive(Number.parseInt(name.slice(FOLDER.length), 10)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
