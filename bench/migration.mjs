// People in and out of an instance, beside what PostgreSQL itself does with the same rows: see README.md.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { cpuMs, machineCpuMs, memoryMb, postgresCpuMs } from './host/process-cost.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { benchChecks } from './migration/checks.mjs';
import { documentOf } from './migration/document.mjs';
import { connect, Instance } from './migration/instance.mjs';
import { say } from './report/say.mjs';
import { percent, table } from './report/table.mjs';

/** What an organization of people is made of, those first on which others hang. */
const TABLES = ['org', 'org_domain', 'user_account', 'auth_factor'];
/** The least share of the rate of COPY at which people come out. */
const EXPORT_AIM = 0.4;
/** What the peak of memory of an import may grow to from the fewest people to the most. */
const MEMORY_AIM = 1.3;
const sizesOf = (text) => text.split(',').map(Number);

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '10000,100000,1000000' },
    checks: { type: 'boolean', default: false },
    rows: { type: 'string', default: '10000,100000' },
    only: { type: 'string' },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  if (options.checks) await benchChecks({ database, folder, sizes: sizesOf(options.rows), only: options.only, say });
  else await benchPeople();
} finally {
  await close();
}

async function benchPeople() {
  say(
    '   people    direction  people/s  of COPY  COPY rows/s   service CPU µs   database CPU µs  peak memory MB  cores of others',
  );
  const figures = [];
  for (const people of sizesOf(options.people).sort((a, b) => a - b)) figures.push(await bench(people));
  const rows = [...figures.map(exportVerdict), ...memoryVerdict(figures)];
  say(`\n${table(['', 'measured', 'aim', ''], rows)}`);
}

function exportVerdict({ people, exported, copied }) {
  const share = people / (exported.ms / 1000) / copied.out;
  return [
    `out, ${people.toLocaleString('en-US')} people`,
    `${percent(share)} of COPY`,
    `≥ ${percent(EXPORT_AIM)}`,
    share >= EXPORT_AIM ? 'reached' : 'missed',
  ];
}

/** Of one size there is nothing to compare. */
function memoryVerdict(figures) {
  if (figures.length < 2) return [];
  const [fewest, most] = [figures[0], figures.at(-1)];
  const growth = most.imported.peak / fewest.imported.peak;
  return [
    [
      `peak memory in, ${most.people.toLocaleString('en-US')} people`,
      `${growth.toFixed(2)} × that of ${fewest.people.toLocaleString('en-US')}`,
      `≤ ${MEMORY_AIM} ×`,
      growth <= MEMORY_AIM ? 'reached' : 'missed',
    ],
  ];
}

async function bench(people) {
  const url = await database.create('bench_migration');
  const client = await connect(url);
  await fill(url, client, people);
  let instance = await Instance.start('in', url, folder);
  const imported = await measure(instance, () => instance.import(documentOf(people)));
  // At once: the planner knows the people who were there before, and nothing of these.
  const atOnce = await measure(instance, () => instance.export('bench'));
  await instance.stop();

  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
  const {
    rows: [{ count }],
  } = await client.query("SELECT count(*)::int AS count FROM user_account WHERE org_id = 'bench'");
  if (count !== people) throw new Error(`${count} people arrived instead of ${people}`);

  instance = await Instance.start('out', url, folder);
  const exported = await measure(instance, () => instance.export('bench'));
  await instance.stop();

  const copied = await copy(client, people);
  await client.end();
  say(line(people, 'in', imported, copied.in));
  say(line(people, 'out at once', atOnce, copied.out));
  say(line(people, 'out', exported, copied.out));
  return { people, imported, exported, copied };
}

/** As many people of another organization, whom the planner knows well. */
async function fill(url, client, people) {
  const instance = await Instance.start('fill', url, folder);
  await instance.import(documentOf(people, 'earlier', 'earlier.test'));
  await instance.stop();
  await client.query('VACUUM ANALYZE');
}

async function measure({ pid }, work) {
  const before = {
    service: cpuMs(pid),
    database: postgresCpuMs(database.postmaster),
    own: process.cpuUsage(),
    machine: machineCpuMs(),
  };
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  const own = process.cpuUsage(before.own);
  const service = cpuMs(pid) - before.service;
  const ofDatabase = postgresCpuMs(database.postmaster) - before.database;
  const others = machineCpuMs() - before.machine - service - ofDatabase - (own.user + own.system) / 1000;
  return { ms, service, database: ofDatabase, peak: memoryMb(pid).peak, others: others / ms };
}

/** The same rows by COPY alone: out of the tables into files, and from there into the same tables of another database. */
async function copy(client, people) {
  const where = { org: 'id', org_domain: 'org_id', user_account: 'org_id' };
  const file = (table) => join(folder, `${table}.copy`);
  let started = performance.now();
  for (const table of TABLES) {
    const rows =
      table === 'auth_factor'
        ? "SELECT f.* FROM auth_factor f JOIN user_account u ON u.id = f.user_id WHERE u.org_id = 'bench'"
        : `SELECT * FROM ${table} WHERE ${where[table]} = 'bench'`;
    await pipeline(client.query(copyTo(`COPY (${rows}) TO STDOUT`)), createWriteStream(file(table)));
  }
  const out = performance.now() - started;
  const url = await database.create('bench_migration_copy');
  await (await Instance.start('copy', url, folder)).stop();
  const target = await connect(url);
  started = performance.now();
  await target.query('BEGIN');
  for (const table of TABLES)
    await pipeline(createReadStream(file(table)), target.query(copyFrom(`COPY ${table} FROM STDIN`)));
  await target.query('COMMIT');
  const into = performance.now() - started;
  await target.end();
  await database.drop('bench_migration_copy');
  return { out: (people / out) * 1000, in: (people / into) * 1000 };
}

function line(people, direction, { ms, service, database: ofDatabase, peak, others }, limit) {
  const each = (cpu) => ((cpu / people) * 1000).toFixed(1);
  const rate = (people / ms) * 1000;
  return [
    [people, 9],
    [direction, 12],
    [Math.round(rate), 9],
    [`${Math.round((rate / limit) * 100)} %`, 8],
    [Math.round(limit), 12],
    [each(service), 16],
    [each(ofDatabase), 17],
    [peak, 15],
    [others.toFixed(2), 16],
  ]
    .map(([value, width]) => String(value).padStart(width))
    .join(' ');
}
