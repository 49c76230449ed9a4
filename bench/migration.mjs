// People in and out of an instance, beside what PostgreSQL itself does with the same rows: see README.md.
import { request } from 'node:http';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { ensureBuilt } from '../scripts/build.mjs';
import { checkNodeVersion } from '../scripts/node-version.mjs';
import { startChild, stopAll } from './host/child.mjs';
import { openDatabase } from './host/database.mjs';
import { cpuMs, machineCpuMs, memoryMb, postgresCpuMs } from './host/process-cost.mjs';
import { documentOf } from './migration/document.mjs';

const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const PORT = Number(process.env.BENCH_PORT ?? 4300) + 30;
/** What an organization of people is made of, those first on which others hang. */
const TABLES = ['org', 'org_domain', 'user_account', 'auth_factor'];

checkNodeVersion();
const { values: options } = parseArgs({ options: { people: { type: 'string', default: '10000,100000,1000000' } } });
if (process.env.SKIP_BUILD !== '1') await ensureBuilt();

const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
const database = await openDatabase(folder);
try {
  say('   people  direction  people/s  of COPY  COPY rows/s   service CPU µs   database CPU µs  peak memory MB  cores of others');
  for (const people of options.people.split(',').map(Number)) await bench(people);
} finally {
  await stopAll();
  await database.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function bench(people) {
  const url = await database.create('bench_migration');
  let service = await startService('in', url);
  const imported = await measure(service, () => send('/admin/v1/import', Readable.from(documentOf(people))));
  await service.stop();

  const client = await connected(url);
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  const { rows: [{ count }] } = await client.query("SELECT count(*)::int AS count FROM user_account WHERE org_id = 'bench'");
  if (count !== people) throw new Error(`${count} people arrived instead of ${people}`);

  service = await startService('out', url);
  const body = JSON.stringify({ orgIds: ['bench'], withPasswords: true, withOtp: true, timeout: '3600s' });
  const exported = await measure(service, () => send('/admin/v1/export', Readable.from([body])));
  await service.stop();

  const copied = await copy(client, people);
  await client.end();
  say(line(people, 'in', imported, copied.in));
  say(line(people, 'out', exported, copied.out));
}

/** A process of its own for each direction: its peak is that direction's. */
async function startService(name, url) {
  const dataDir = join(folder, 'data');
  const env = {
    NODE_ENV: 'development', HOST: '127.0.0.1', PORT: String(PORT), PUBLIC_URL: `http://127.0.0.1:${PORT}`, DEMO_PORT: 'off', DATABASE_URL: url,
    DATA_DIR: dataDir, MASTER_KEY: 'the master key of a benchmark', LOG_LEVEL: 'warn', LOG_FORMAT: 'json', ADMIN_RATE: '1000000',
  };
  return startChild({ name: `our service (${name})`, program: PROGRAM, nodeArgs: ['--max-semi-space-size=4'], env, ready: /Ready in/ });
}

async function measure({ pid }, work) {
  const before = { service: cpuMs(pid), database: postgresCpuMs(database.postmaster), own: process.cpuUsage(), machine: machineCpuMs() };
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const own = process.cpuUsage(before.own);
  const service = cpuMs(pid) - before.service;
  const ofDatabase = postgresCpuMs(database.postmaster) - before.database;
  const others = machineCpuMs() - before.machine - service - ofDatabase - (own.user + own.system) / 1000;
  return { ms, service, database: ofDatabase, peak: memoryMb(pid).peak, others: others / ms };
}

/** Sends a body as it is made, takes the answer without keeping it. @throws Error at any answer but 200, or one that is cut off */
async function send(path, body) {
  const token = (await readFile(join(folder, 'data', 'admin.pat'), 'utf8')).trim();
  const outgoing = request({ host: '127.0.0.1', port: PORT, path, method: 'POST', headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } });
  const answered = new Promise((resolve, reject) => outgoing.once('response', resolve).once('error', reject));
  const sent = pipeline(body, outgoing);
  const answer = await answered;
  let beginning = '';
  for await (const chunk of answer) if (beginning.length < 2_000) beginning += chunk.toString('utf8', 0, 2_000);
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${beginning}`);
  await sent;
}

/** The same rows by COPY alone: out of the tables into files, and from there into the same tables of another database. */
async function copy(client, people) {
  const where = { org: 'id', org_domain: 'org_id', user_account: 'org_id' };
  const file = (table) => join(folder, `${table}.copy`);
  let started = performance.now();
  for (const table of TABLES) {
    const rows = table === 'auth_factor' ? "SELECT f.* FROM auth_factor f JOIN user_account u ON u.id = f.user_id WHERE u.org_id = 'bench'" : `SELECT * FROM ${table} WHERE ${where[table]} = 'bench'`;
    await pipeline(client.query(copyTo(`COPY (${rows}) TO STDOUT`)), createWriteStream(file(table)));
  }
  const out = performance.now() - started;
  const url = await database.create('bench_migration_copy');
  await (await startService('copy', url)).stop();
  const target = await connected(url);
  started = performance.now();
  await target.query('BEGIN');
  for (const table of TABLES) await pipeline(createReadStream(file(table)), target.query(copyFrom(`COPY ${table} FROM STDIN`)));
  await target.query('COMMIT');
  const into = performance.now() - started;
  await target.end();
  await database.drop('bench_migration_copy');
  return { out: people / out * 1000, in: people / into * 1000 };
}

async function connected(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped under it when something else has failed
  await client.connect();
  return client;
}

function line(people, direction, { ms, service, database: ofDatabase, peak, others }, limit) {
  const each = (cpu) => (cpu / people * 1000).toFixed(1);
  const rate = people / ms * 1000;
  return [
    [people, 9], [direction, 9], [Math.round(rate), 9], [`${Math.round(rate / limit * 100)} %`, 8], [Math.round(limit), 12], [each(service), 16], [each(ofDatabase), 17], [peak, 15], [others.toFixed(2), 16],
  ].map(([value, width]) => String(value).padStart(width)).join(' ');
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
