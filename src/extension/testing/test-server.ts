import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import { dataSourceOptions } from '../../foundation/database/data-source.js';
import { applySchemaChanges } from '../../foundation/database/schema-change/index.js';
import type { ServerAddress } from '../../foundation/database/server-address.js';
import { startEmbeddedPostgres } from '../../process/embedded/index.js';
import { isAlive } from '../../process/embedded/postmaster.js';
import { SCHEMA } from '../../schema/index.js';
import { atDatabase, runSql, type TestDatabase, toUrl } from './test-database.js';

const FOLDER = 'gatehouse-test-';
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 2_000_000_000;
/** Nothing is recovered from the log, so that it need not be long. */
const SMALL_LOG = { wal_level: 'minimal', max_wal_senders: '0', min_wal_size: '32MB', max_wal_size: '96MB' };

/** A PostgreSQL for tests, with one database that has the schema of Gatehouse: each world gets a clone of it. */
export class TestServer {
  private clones = 0;

  private constructor(
    /** A database that is never changed, to connect to for creating others. */
    readonly connection: ServerAddress,
    /** A database that holds the schema, and to which nothing connects. */
    readonly template: string,
    private readonly stopServer: () => Promise<void>,
  ) {}

  /**
   * @param databaseUrl a server, on whose databases nothing changes but those whose names begin with that of the
   * template; by default an embedded one is started
   * @throws DomainError FailedPrecondition `database.embedded_unavailable` if that is not installed
   */
  static async open(databaseUrl: string | undefined): Promise<TestServer> {
    const { connection, stop } = databaseUrl
      ? { connection: { connectionString: databaseUrl }, stop: async () => undefined }
      : await startEmbedded();
    const template = `gatehouse_test_${process.pid}`;
    try {
      await runSql(connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`, `CREATE DATABASE ${template}`);
      await makeSchema(atDatabase(connection, template));
    } catch (error) {
      await stop();
      throw error;
    }
    return new TestServer(connection, template, async () => {
      // An embedded server goes with all that is in it.
      if (databaseUrl) await dropDatabases(connection, template);
      await stop();
    });
  }

  /** A database with the schema of Gatehouse and no rows. */
  async clone(): Promise<TestDatabase> {
    this.clones += 1;
    const name = `${this.template}_${this.clones}`;
    // Copying files is faster than writing them through the log, and the template is small.
    await runSql(this.connection, `CREATE DATABASE ${name} TEMPLATE ${this.template} STRATEGY FILE_COPY`);
    const connection = atDatabase(this.connection, name);
    return {
      connection,
      url: toUrl(connection),
      release: () => runSql(this.connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    };
  }

  async close(): Promise<void> {
    await this.stopServer();
  }
}

async function startEmbedded(): Promise<{ connection: ServerAddress; stop: () => Promise<void> }> {
  const folder = fastFolder();
  removeLeftovers(folder);
  const dataDir = mkdtempSync(join(folder, `${FOLDER}${process.pid}-`));
  const server = await startEmbeddedPostgres({ dataDir, durable: false, extraSettings: SMALL_LOG });
  return {
    connection: server.connection,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function makeSchema(connection: ServerAddress): Promise<void> {
  const options = dataSourceOptions(new ConnectionSettings(connection, 'test'));
  const source = await new DataSource({ ...options, migrations: [...SCHEMA.changes] }).initialize();
  await applySchemaChanges(source, SCHEMA);
  await source.destroy();
}

/** The template, and clones that somebody else has made. */
async function dropDatabases(connection: ServerAddress, template: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database WHERE datname ^@ $1', [
    template,
  ]);
  await client.end();
  for (const { datname } of rows) await runSql(connection, `DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
}

/** A folder in memory where there is enough of it: tests create and remove thousands of small tables. */
export function fastFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
}

/** Removes the folders of runs that were killed. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(FOLDER))) {
    if (!isAlive(Number.parseInt(name.slice(FOLDER.length), 10)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
