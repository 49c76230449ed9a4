// What this machine can do at most, one kind per run of this program: `machine.mjs <kind> <seconds> [database URL]`.
// Prints two numbers: how many of it a second, and how many milliseconds of CPU this program took for each.

import { generateKeyPairSync, sign } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { hash } from '@node-rs/argon2';
import pg from 'pg';

const CLIENTS = 16;
const ROWS = 10_000;
const BATCH = 16;

const kinds = {
  rs256: (seconds) => signatures(seconds, 'rsa', { modulusLength: 2048 }, {}),
  es256: (seconds) => signatures(seconds, 'ec', { namedCurve: 'P-256' }, { dsaEncoding: 'ieee-p1363' }),
  argon2id: (seconds) =>
    inParallel(2, seconds, () => hash('correct horse battery', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })),
  selects: (seconds, url) =>
    withPool(url, seconds, (pool) =>
      pool.query({
        name: 'limit_select',
        text: 'SELECT id, word, number FROM bench_limit WHERE id = $1',
        values: [anyRow()],
      }),
    ),
  commits: (seconds, url) =>
    withPool(url, seconds, (pool) =>
      pool.query({
        name: 'limit_update',
        text: 'UPDATE bench_limit SET number = number + 1 WHERE id = $1',
        values: [anyRow()],
      }),
    ),
};

const [kind, seconds, url] = process.argv.slice(2);
process.stdout.write(`Done ${await kinds[kind](Number(seconds), url)}\n`);

/** On one core: this thread signs and does nothing else. */
function signatures(seconds, type, options, padding) {
  const { privateKey } = generateKeyPairSync(type, options);
  const key = { key: privateKey, ...padding };
  // About as long as the header and payload of an access token.
  const text = Buffer.alloc(600, 'a');
  const signFor = (ms) => {
    const start = performance.now();
    let count = 0;
    while (performance.now() - start < ms) {
      for (let index = 0; index < BATCH; index += 1) sign('sha256', text, key);
      count += BATCH;
    }
    return (count * 1000) / (performance.now() - start);
  };
  signFor(200);
  return signFor(seconds * 1000);
}

async function withPool(connectionString, seconds, work) {
  const pool = new pg.Pool({ connectionString, max: CLIENTS });
  try {
    await pool.query(
      'CREATE TABLE IF NOT EXISTS bench_limit (id integer PRIMARY KEY, word text NOT NULL, number bigint NOT NULL) WITH (fillfactor = 70)',
    );
    await pool.query(
      `INSERT INTO bench_limit SELECT n, md5(n::text), 0 FROM generate_series(1, ${ROWS}) n ON CONFLICT DO NOTHING`,
    );
    return await inParallel(CLIENTS, seconds, () => work(pool));
  } finally {
    await pool.end();
  }
}

function anyRow() {
  return 1 + Math.floor(Math.random() * ROWS);
}

async function inParallel(width, seconds, work) {
  let recording = false;
  let ending = false;
  let count = 0;
  const loop = async () => {
    while (!ending) {
      await work();
      if (recording) count += 1;
    }
  };
  const loops = Promise.all(Array.from({ length: width }, loop));
  await wait(300);
  const start = performance.now();
  recording = true;
  await wait(seconds * 1000);
  recording = false;
  const ms = performance.now() - start;
  ending = true;
  await loops;
  return (count * 1000) / ms;
}

function wait(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
