// A page of an organization's users, with a thousand of them and with a million: see README.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { startChild } from './host/child.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { median } from './report/median.mjs';
import { say } from './report/say.mjs';
import { CASES } from './users/cases.mjs';
import { fillTo, makeOrg } from './users/fill.mjs';

const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const FIRST_PORT = Number(process.env.BENCH_PORT ?? 4300) + 20;
const SMALL = 1_000;
/** Of each case, before it is measured; and of all of them, before the first is. */
const WARM_UP_REQUESTS = 4;
const WARM_UP_ROUNDS = 2;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '40' },
    plans: { type: 'boolean', default: false },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const small = await startSite('small', FIRST_PORT, SMALL);
  const large = await startSite('large', FIRST_PORT + 1, Number(options.users));
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    for (const one of CASES) for (const site of [small, large]) await ask(site, one);
  }
  const plan = await planner(large);
  const ratios = [];
  say(
    `${'case'.padEnd(54)} rows ${String(small.users).padStart(8)} rows ${String(large.users).padStart(9)}  ratio  by`,
  );
  for (const one of CASES) ratios.push({ name: one.name, ratio: await compare(one, small, large, plan) });
  const worst = ratios.toSorted((a, b) => b.ratio - a.ratio)[0];
  say(
    `median ratio ${median(ratios.map(({ ratio }) => ratio)).toFixed(2)}, largest ${worst.ratio.toFixed(2)} (${worst.name})`,
  );
  await printSizes(large);
  for (const { client, service } of [small, large]) {
    await client.end();
    await service.stop();
  }
}

/** A service on a database of its own, with one organization of that many users. */
async function startSite(name, port, users) {
  const url = await database.create(`bench_users_${name}`);
  const dataDir = join(folder, name);
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    NODE_ENV: 'development',
    ADMIN_RATE: '1000000',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: origin,
    DEMO_PORT: 'off',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    MASTER_KEY: 'the master key of a benchmark',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  };
  const service = await startChild({ name: `our service (${name})`, program: PROGRAM, env, ready: /Ready in/ });
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped under it when something else has failed
  await client.connect();
  await makeOrg(client);
  const perSecond = await fillTo(client, users);
  say(`${users} users, ${Math.round(perSecond)} a second into the table with all its indexes`);
  return { origin, token, client, service, users };
}

/** One request of each in turn, so that whatever else the machine does disturbs both alike. @returns {Promise<number>} the ratio of the medians */
async function compare(one, small, large, plan) {
  const figures = new Map([
    [small, []],
    [large, []],
  ]);
  let rows = [];
  for (let count = 0; count < WARM_UP_REQUESTS + Number(options.requests); count += 1) {
    rows = [];
    for (const [site, times] of figures) {
      const { ms, length } = await ask(site, one);
      if (count >= WARM_UP_REQUESTS) times.push(ms);
      rows.push(length);
    }
  }
  const [before, after] = [median(figures.get(small)), median(figures.get(large))];
  const text = await plan(one.request);
  const indexes =
    [...new Set(text.match(/user_account_\w+_(idx|key)|user_account_pkey/g))].join(', ') || 'reading all of them';
  say(
    `${one.name.padEnd(54)} ${pad(rows[0], 4)} ${pad(before.toFixed(2), 8)} ${pad(rows[1], 4)} ${pad(after.toFixed(2), 9)} ${pad((after / before).toFixed(2), 6)}  ${indexes}`,
  );
  if (options.plans) say(text.replace(/^/gm, '      '));
  return after / before;
}

async function ask({ origin, token }, { name, request }) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'x-service-orgid': 'bench' };
  const started = performance.now();
  const reply = await fetch(`${origin}/management/v1/users/_search`, {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
  });
  const answer = await reply.json();
  const ms = performance.now() - started;
  if (reply.status !== 200) throw new Error(`${name}: ${reply.status} ${JSON.stringify(answer)}`);
  return { ms, length: answer.result.length };
}

/** The plan of a request's page, by the very code that makes its statement. */
async function planner({ client }) {
  const built = (path) => import(new URL(`../dist/${path}.js`, import.meta.url).href);
  await import('reflect-metadata');
  const [{ readMessage }, { ListUsersRequest }, { toSearches, toUserColumn }, { toRange }, { pageStatement }] =
    await Promise.all(
      [
        'admin/wire/read-message',
        'admin/user/user-search.dto',
        'admin/user/user.mapping',
        'admin/wire/list.dto',
        'user/user-directory',
      ].map(built),
    );
  return async (request) => {
    const { query, sortingColumn, queries } = readMessage(ListUsersRequest, request);
    const { statement, values } = pageStatement('bench', toSearches(queries), {
      ...toRange(query),
      sortBy: toUserColumn(sortingColumn),
    });
    const { rows } = await client.query({
      text: `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${statement}`,
      values,
    });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
}

async function printSizes({ client }) {
  const { rows } = await client.query(
    `SELECT relname AS name, pg_size_pretty(pg_relation_size(oid)) AS size FROM pg_class
     WHERE relname LIKE 'user_account%' AND relkind IN ('r', 'i') ORDER BY pg_relation_size(oid) DESC`,
  );
  for (const { name, size } of rows) say(`  ${name.padEnd(44)} ${size}`);
}

function pad(value, width) {
  return String(value).padStart(width);
}
