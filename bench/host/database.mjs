import { join } from 'node:path';
import pg from 'pg';
import { postmasterOf } from './process-cost.mjs';

/** Each of our processes has a pool, as do the peer and Keycloak. */
const MAX_CONNECTIONS = 250;
const EMBEDDED = new URL('../../dist/process/embedded/index.js', import.meta.url).href;

/**
 * One PostgreSQL for everything that is measured: the one of DATABASE_URL, else an embedded one of this run.
 * @param {string} folder for its files
 * @param {{ tcpPort?: number, settings?: Record<string, string> }} [how] `tcpPort`: for an embedded one that everybody
 * reaches by TCP on 127.0.0.1, since Java knows no Unix sockets; `settings`: further ones of it
 * @returns {Promise<BenchDatabase>}
 */
export async function openDatabase(folder, { tcpPort, settings = {} } = {}) {
  const given = process.env.DATABASE_URL;
  if (given) return BenchDatabase.on(given, async () => {});
  const { startEmbeddedPostgres } = await import(EMBEDDED);
  const extraSettings = {
    max_connections: String(MAX_CONNECTIONS),
    ...settings,
    ...(tcpPort && { listen_addresses: '127.0.0.1', port: String(tcpPort) }),
  };
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'database'), extraSettings });
  const { user, database } = server.connection;
  const { host, port } = tcpPort ? { host: '127.0.0.1', port: tcpPort } : server.connection;
  return BenchDatabase.on(`postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`, () => server.stop());
}

export class BenchDatabase {
  static async on(url, release) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    );
    return new BenchDatabase(url, client, release, rows[0], postmasterOf(client.processID));
  }

  constructor(url, client, release, setting, postmaster) {
    this.url = url;
    this.client = client;
    this.release = release;
    this.setting = setting;
    /** Process id of the server, for its CPU; undefined when it runs elsewhere. */
    this.postmaster = postmaster;
    this.created = [];
  }

  /** An empty database of that name on the same server. @returns {Promise<string>} its URL */
  async create(name) {
    await this.drop(name);
    await this.client.query(`CREATE DATABASE ${name}`);
    this.created.push(name);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.toString();
  }

  async drop(name) {
    await this.client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  async close() {
    try {
      for (const name of this.created) await this.drop(name);
    } finally {
      await this.client.end();
      await this.release();
    }
  }
}
