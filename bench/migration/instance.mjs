import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { startChild } from '../host/child.mjs';
import { environmentOf } from '../host/site.mjs';
import { withEndpoints } from '../load/load.mjs';

const PROGRAM = new URL('../../dist/main.js', import.meta.url).pathname;
const SEED = new URL('../seed/ours.mjs', import.meta.url).pathname;
const SEEDED = /^Seeded /;
/** Where it listens, unless its settings say otherwise. */
export const PORT = Number(process.env.BENCH_PORT ?? 4300) + 30;

/** Our service on a database of its own, as its first administrator asks it. */
export class Instance {
  /** A process of its own each time: its peak of memory is that of what it did. */
  static async start(name, url, folder, more = {}) {
    const dataDir = join(folder, 'data');
    const child = await startChild({
      name: `our service (${name})`,
      program: PROGRAM,
      nodeArgs: ['--max-semi-space-size=4'],
      env: { ...environmentOf(url, dataDir, PORT), ...more },
      ready: /Ready in/,
    });
    return new Instance(child, dataDir, Number(more.PORT ?? PORT));
  }

  /** The first start, with the test data of the benchmark. @returns what the load generator must know */
  static async seed(url, folder) {
    const child = await startChild({
      name: 'making the test data',
      program: SEED,
      args: ['RS256'],
      env: environmentOf(url, join(folder, 'data'), PORT),
      ready: SEEDED,
    });
    await child.stop();
    return JSON.parse(child.lastLines.find((line) => SEEDED.test(line)).replace(SEEDED, ''));
  }

  constructor(child, dataDir, port) {
    this.child = child;
    this.dataDir = dataDir;
    this.port = port;
  }

  get origin() {
    return new URL(`http://127.0.0.1:${this.port}`);
  }

  /** For the load generator. */
  async target(credentials) {
    const { origin } = this.origin;
    return withEndpoints({ name: 'ours', origin, issuer: origin, ...credentials });
  }

  /** The personal access token of the first administrator. */
  async token() {
    return (await readFile(join(this.dataDir, 'admin.pat'), 'utf8')).trim();
  }

  get pid() {
    return this.child.pid;
  }

  async stop() {
    await this.child.stop();
  }

  /** Sends a request to import as it is made. @returns how many entries were left out, and the milliseconds that it took */
  async import(pieces) {
    const { ms, end } = await this.send('/admin/v1/import', Readable.from(pieces));
    const errors = /"errors":\[(.*)\]\}$/s.exec(end)?.[1];
    return { ms, leftOut: errors === undefined ? Infinity : errors.split('"type":').length - 1 };
  }

  /** @returns the milliseconds that it took, and the length of the document */
  async export(orgId) {
    return this.send(
      '/admin/v1/export',
      Readable.from([
        JSON.stringify({ orgIds: [orgId], withPasswords: true, withOtp: true, withKeys: true, timeout: '3600s' }),
      ]),
    );
  }

  /**
   * Takes the answer and keeps its end, from the list of what was left out on.
   * @throws Error at any answer but 200, or one that is cut off
   */
  async send(path, body, method = 'POST') {
    const token = await this.token();
    const started = performance.now();
    const outgoing = request({
      host: '127.0.0.1',
      port: PORT,
      path,
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
    const answered = new Promise((resolve, reject) => outgoing.once('response', resolve).once('error', reject));
    const sent = pipeline(body, outgoing);
    const answer = await answered;
    let bytes = 0;
    let end = '';
    for await (const chunk of answer) {
      bytes += chunk.length;
      end += chunk.toString('latin1');
      if (!end.includes('"errors":[')) end = end.slice(-2_000);
    }
    if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${end.slice(0, 2_000)}`);
    await sent;
    return { ms: performance.now() - started, bytes, end };
  }
}

export async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped under it when something else has failed
  await client.connect();
  return client;
}
