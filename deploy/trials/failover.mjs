/* The primary is killed under load and its standby promoted: what was answered is there. See README.md. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { lineTo, Machine, promise, trial, until } from './machine.mjs';
import { Api } from './traffic.mjs';

const CLIENTS = 6;
const BEFORE_MS = Number(process.env.SECONDS ?? 5) * 1_000;
const AFTER_MS = BEFORE_MS;
/** A gap that a caller who repeats its request does not mind. */
const LONGEST_GAP_MS = 15_000;

await trial(async (machine) => {
  const [primaryPort, standbyPort, linePort, port] = Array.from({ length: 4 }, () => machine.port());
  const primary = await machine.startPostgres('primary', primaryPort);
  await inDatabase(maintenanceUrl(primary.url), 'CREATE DATABASE gatehouse');
  machine.run(Machine.postgres('pg_basebackup'), [
    ...['-h', '127.0.0.1', '-p', String(primaryPort), '-U', 'gatehouse'],
    ...['-D', join(machine.folder, 'standby'), '-R', '--no-sync', '-c', 'fast'],
  ]);
  await machine.startServer('standby', standbyPort);
  // From now on the primary confirms a commit when the standby has it.
  await inDatabase(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await inDatabase(primary.url, 'SELECT pg_reload_conf()');
  const isSynchronous = async () =>
    (await inDatabase(primary.url, 'SELECT sync_state FROM pg_stat_replication'))[0]?.sync_state === 'sync';
  await until(isSynchronous, () => 'the standby');

  const line = await lineTo(linePort, primaryPort);
  const service = await machine.startService(port, {
    DATABASE_URL: `postgresql://gatehouse@127.0.0.1:${linePort}/gatehouse`,
  });
  const api = new Api(service);
  const answered = [];
  const refused = new Map();
  let isOver = false;
  let longestGapMs = 0;
  let lastMs = performance.now();
  const client = async (number) => {
    for (let count = 0; !isOver; count += 1) {
      const name = `client ${number} project ${count}`;
      const answer = await api.ask('POST', '/management/v1/projects', { name });
      const text = await answer.text();
      if (answer.status === 200) {
        answered.push(name);
        longestGapMs = Math.max(longestGapMs, performance.now() - lastMs);
        lastMs = performance.now();
      } else {
        const what = `${answer.status} ${/database\.\w+/.exec(text)?.[0] ?? text.slice(0, 80)}`;
        refused.set(what, (refused.get(what) ?? 0) + 1);
        await sleep(50);
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  await sleep(BEFORE_MS);
  const before = answered.length;
  primary.child.kill('SIGKILL');
  machine.run(Machine.postgres('pg_ctl'), ['promote', '-D', join(machine.folder, 'standby'), '-w']);
  line.lead(standbyPort);
  await sleep(AFTER_MS);
  isOver = true;
  await clients;
  line.close();

  const rows = await inDatabase(
    `postgresql://gatehouse@127.0.0.1:${standbyPort}/gatehouse`,
    "SELECT name FROM project WHERE name LIKE 'client %'",
  );
  const stored = new Set(rows.map(({ name }) => name));
  const lost = answered.filter((name) => !stored.has(name));
  console.log(
    `${answered.length} requests answered with 200, ${before} of them before the failover; others: ${JSON.stringify(Object.fromEntries(refused))}; ` +
      `longest time without one: ${(longestGapMs / 1000).toFixed(1)} s; stored without an answer: ${stored.size - answered.length + lost.length}`,
  );
  promise(
    lost.length === 0,
    `nothing that was answered is lost${lost.length ? `: ${lost.slice(0, 5).join(', ')}` : ''}`,
  );
  promise(answered.length > before, 'the process goes on without a restart');
  promise(longestGapMs < LONGEST_GAP_MS, 'the gap is short');
  promise(
    [...refused.keys()].every((what) => what.startsWith('503 database.')),
    'every other answer is 503, with its reason',
  );
});
