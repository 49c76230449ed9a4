import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { ConnectionSettings } from '../../foundation/database/connection-settings.js';
import { dataSourceOptions } from '../../foundation/database/data-source.js';
import { applySchemaChanges } from '../../foundation/database/schema-change/index.js';
import type { ServerAddress } from '../../foundation/database/server-address.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../process/embedded/index.js';
import { isAlive } from '../../process/embedded/postmaster.js';
import { SCHEMA } from '../../schema/index.js';
import { KeptCluster } from './kept-cluster.js';
import { atDatabase, runSql, type TestDatabase, toUrl } from './test-database.js';

const FOLDER = 'gatehouse-test-';
/** The database of an embedded server that holds the schema; of a given one it also has the number of the process. */
const TEMPLATE = 'gatehouse_test';
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
    return databaseUrl === undefined || databaseUrl === ''
      ? TestServer.openEmbedded(newRunFolder())
      : TestServer.openGiven({ connectionString: databaseUrl });
  }

  /** @param folder is removed in the end */
  static async openEmbedded(folder: string): Promise<TestServer> {
    try {
      const server = await startWithTemplate(folder);
      return new TestServer(server.connection, TEMPLATE, async () => {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  private static async openGiven(connection: ServerAddress): Promise<TestServer> {
    const template = `${TEMPLATE}_${process.pid}`;
    await runSql(connection, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await makeTemplate(connection, template);
    return new TestServer(connection, template, async () => dropDatabases(connection, template));
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

/** A server whose template was made now, or by an earlier run. */
async function startWithTemplate(dataDir: string): Promise<EmbeddedPostgres> {
  const kept = KeptCluster.find();
  if (kept && !(await kept.copyTo(dataDir))) {
    await kept.fill(async (unfinished) => {
      const server = await startFast(unfinished);
      try {
        await makeTemplate(server.connection, TEMPLATE);
      } finally {
        await server.stop();
      }
    });
    await kept.copyTo(dataDir);
  }
  const server = await startFast(dataDir);
  try {
    if (!(await hasDatabase(server.connection, TEMPLATE))) await makeTemplate(server.connection, TEMPLATE);
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function startFast(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, durable: false, extraSettings: SMALL_LOG });
}

export async function makeTemplate(connection: ServerAddress, name: string): Promise<void> {
  await runSql(connection, `CREATE DATABASE ${name}`);
  await makeSchema(atDatabase(connection, name)).catch(async (error: unknown) => {
    await runSql(connection, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    throw error;
  });
}

async function hasDatabase(connection: ServerAddress, name: string): Promise<boolean> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  await client.end();
  return rowCount === 1;
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

/** A folder for the data of one run, in memory where there is enough of it. Removes those of runs that were killed. */
export function newRunFolder(): string {
  const folder = fastFolder();
  removeLeftovers(folder);
  return mkdtempSync(join(folder, `${FOLDER}${process.pid}-`));
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
