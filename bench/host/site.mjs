import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startChild } from './child.mjs';

const PROGRAM = new URL('../../dist/main.js', import.meta.url).pathname;

/** What a service of ours runs with, unless a benchmark says otherwise. */
export function environmentOf(url, dataDir, port) {
  return {
    NODE_ENV: 'development',
    ADMIN_RATE: '1000000',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO_PORT: 'off',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    MASTER_KEY: 'the master key of a benchmark',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  };
}

/**
 * A service on a database of its own, for measuring the administrative API.
 * @param {{ folder: string, database: { create(name: string): Promise<string> } }} workspace
 * @param {string} name in lower case, for its files and the database
 * @returns {Promise<{ origin: string, token: string, client: pg.Client, close(): Promise<void> }>} `token` is one of the first administrator's
 */
export async function startSite({ folder, database }, name, port) {
  const url = await database.create(`bench_${name}`);
  const dataDir = join(folder, name);
  const env = environmentOf(url, dataDir, port);
  const service = await startChild({ name: `our service (${name})`, program: PROGRAM, env, ready: /Ready in/ });
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped under it when something else has failed
  await client.connect();
  return {
    origin: env.PUBLIC_URL,
    token,
    client,
    async close() {
      await client.end();
      await service.stop();
    },
  };
}

/**
 * One search of the administrative API.
 * @returns {Promise<{ status: number, ms: number, answer: object }>}
 */
export async function search({ origin, token }, path, org, body) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'x-service-orgid': org };
  const started = performance.now();
  const reply = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await reply.json();
  return { status: reply.status, ms: performance.now() - started, answer };
}
