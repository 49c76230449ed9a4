// Every page of the overview of managers, with a million users: see README.md.
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { startChild } from './host/child.mjs';
import { cpuMs, postgresCpuMs } from './host/process-cost.mjs';
import { environmentOf } from './host/site.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { Browser } from './load/browser.mjs';
import { Connection } from './load/connection.mjs';
import { casesOf } from './overview/cases.mjs';
import { fill, knownTo, MANAGERS, PASSWORD } from './overview/fill.mjs';
import { say } from './report/say.mjs';

const PORT = Number(process.env.BENCH_PORT ?? 4300) + 40;
const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const DATABASE = 'bench_overview';
const AIM_MS = 200;
const MOST_WARM_UP = 20;
/** No address at which the pages could end. */
const NOWHERE = 'nowhere:';

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    users: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '300' },
    clients: { type: 'string', default: '1,4' },
    only: { type: 'string', default: '' },
    role: { type: 'string', default: '' },
    stale: { type: 'boolean', default: false },
    kept: { type: 'boolean', default: false },
  },
});
const workspace = await openWorkspace();
try {
  process.exitCode = (await bench()) ? 0 : 1;
} finally {
  await workspace.close();
}

async function bench() {
  const { url, isFilled } = await openDatabase(workspace.database);
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its database is dropped under it when something else has failed
  if (!isFilled) await (await start(url)).stop();
  await client.connect();
  if (!isFilled) await fillAll(client);
  const service = await start(url);
  const late = [];
  say(`${'page'.padEnd(44)} ${'manager'.padEnd(12)} clients    p50     p95     p99     max    cpu  load`);
  try {
    for (const manager of MANAGERS) {
      if (manager.name.includes(options.role)) late.push(...(await measureAll(client, service, manager)));
    }
  } catch (error) {
    throw new Error(`after:\n${service.lastLines.join('\n')}`, { cause: error });
  }
  say(late.length === 0 ? `all below ${AIM_MS} ms` : `not below ${AIM_MS} ms at p99:\n  ${late.join('\n  ')}`);
  await client.end();
  await service.stop();
  return late.length === 0;
}

/** A new one; or, to be measured again, the one of the server of DATABASE_URL that an earlier run has kept. */
async function openDatabase(database) {
  if (!options.kept) return { url: await database.create(DATABASE), isFilled: false };
  const { rowCount } = await database.client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount === 0) await database.client.query(`CREATE DATABASE ${DATABASE}`);
  const url = new URL(database.url);
  url.pathname = `/${DATABASE}`;
  return { url: url.href, isFilled: rowCount > 0 };
}

function start(url) {
  const env = { ...environmentOf(url, join(workspace.folder, 'overview'), PORT), LOGIN_LIMITS: 'off' };
  return startChild({ name: 'our service', program: PROGRAM, env, ready: /Ready in/ });
}

async function fillAll(client) {
  const started = performance.now();
  await fill(client, { users: Number(options.users), isStale: options.stale });
  const { rows } = await client.query(
    'SELECT (SELECT count(*) FROM user_account) AS users, (SELECT count(*) FROM event) AS events',
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  say(
    `${rows[0].users} users, ${rows[0].events} events, after ${seconds} s${options.stale ? ', statistics of few' : ''}`,
  );
}

/** @returns {Promise<string[]>} what is late */
async function measureAll(client, service, manager) {
  const cpu = () => cpuMs(service.pid) + postgresCpuMs(workspace.database.postmaster);
  const cases = casesOf({ known: await knownTo(client, manager.level === 'instance' ? null : manager.org) });
  const late = [];
  for (const clients of options.clients.split(',').map(Number)) {
    const browsers = await Promise.all(Array.from({ length: clients }, () => signIn(manager)));
    for (const { name, paths, roles } of cases) {
      if (!name.includes(options.only) || (roles && !roles.includes(manager.name))) continue;
      const before = cpu();
      const times = await measure(browsers, paths);
      const each = ((cpu() - before) / (times.length + warmUps(paths))).toFixed(1);
      const [p50, p95, p99, max] = [0.5, 0.95, 0.99, 1].map((share) => quantile(times, share));
      const figures = [p50, p95, p99, max].map((ms) => ms.toFixed(1).padStart(7)).join(' ');
      say(
        `${name.padEnd(44)} ${manager.name.padEnd(12)} ${String(clients).padStart(7)} ${figures} ${each.padStart(6)} ${loadavg()[0].toFixed(1).padStart(5)}`,
      );
      if (p99 >= AIM_MS) late.push(`${name} (${manager.name}, ${clients}): ${p99.toFixed(0)} ms`);
    }
    for (const { connection } of browsers) connection.close();
  }
  return late;
}

/** A browser in which the manager is signed in, by the pages. */
async function signIn({ name }) {
  const browser = new Browser(new Connection(new URL(`http://127.0.0.1:${PORT}`)));
  let at = await browser.open('/ui/admin', NOWHERE);
  for (const values of [{ loginName: name }, { password: PASSWORD }, { factor: 'skip' }]) {
    const [field] = Object.keys(values);
    if (at.page.includes(`name="${field}"`)) at = await browser.submit(at, values, NOWHERE);
  }
  if (!isOverview(at.page)) throw new Error(`${name} is not signed in: ${at.url} ${at.page.slice(0, 300)}`);
  return browser;
}

/** All others, such as those of the sign-in, do not lead there. */
function isOverview(page) {
  return page.includes('href="/ui/admin/applications');
}

/** Opens the addresses in turn, each browser one at a time. @returns {Promise<number[]>} milliseconds of each */
async function measure(browsers, paths) {
  const requests = Number(options.requests);
  const times = [];
  let count = -warmUps(paths);
  await Promise.all(
    browsers.map(async (browser) => {
      while (count < requests) {
        const mine = count;
        count += 1;
        const url = new URL(paths.at(mine % paths.length), browser.connection.origin);
        const started = performance.now();
        const answer = await browser.exchange(url);
        if (mine >= 0) times.push(performance.now() - started);
        if (answer.status !== 200 || !isOverview(answer.text()))
          throw new Error(`${answer.status} of ${url}: ${answer.text().slice(0, 300)}`);
      }
    }),
  );
  return times.sort((one, other) => one - other);
}

function warmUps(paths) {
  return Math.min(MOST_WARM_UP, paths.length);
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}
