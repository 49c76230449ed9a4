// What one operation costs the database, in what grows: see README.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { Load } from './load/load.mjs';
import { connect, Instance } from './migration/instance.mjs';
import { say } from './report/say.mjs';
import { table } from './report/table.mjs';

const SCENARIOS = ['sign-in', 'code-flow', 'refresh', 'userinfo', 'introspection-opaque', 'client-credentials-opaque'];
const WARM_UP_SECONDS = 3;
/** PostgreSQL says what a connection has done a second later. */
const SETTLED_MS = 2_500;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    clients: { type: 'string', default: '4' },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const url = await database.create('bench_growth');
  const credentials = await Instance.seed(url, folder);
  const instance = await Instance.start('growth', url, folder);
  const client = await connect(url);
  const load = new Load();
  try {
    const target = await instance.target(credentials);
    const rows = [];
    for (const scenario of SCENARIOS) rows.push(await measure(scenario, { instance, client, load, target }));
    const header = ['', 'service CPU ms', 'database CPU ms', 'transactions', 'rows written', 'WAL bytes', 'kept bytes'];
    say(table(header, rows));
  } finally {
    load.stop();
    await client.end();
    await instance.stop();
  }
}

async function measure(scenario, { instance, client, load, target }) {
  const watch = { server: instance.pid, postmaster: database.postmaster };
  const order = { scenario, target, concurrency: Number(options.clients), warmUpSeconds: 0, watch };
  await load.measure({ ...order, seconds: WARM_UP_SECONDS });
  const before = await look(client);
  const figure = await load.measure({ ...order, seconds: Number(options.seconds) });
  const after = await look(client);
  const each = (name) => (after[name] - before[name]) / figure.count;
  return [
    scenario,
    figure.serverCpuMs.toFixed(2),
    figure.databaseCpuMs.toFixed(2),
    each('transactions').toFixed(1),
    each('rows').toFixed(1),
    Math.round(each('wal')).toLocaleString('en-US'),
    Math.round(each('kept')).toLocaleString('en-US'),
  ];
}

/** The WAL has whole pages in it, of which there are more after a checkpoint. */
async function look(client) {
  await sleep(SETTLED_MS);
  const [found] = (
    await client.query(
      `SELECT d.xact_commit AS transactions, d.tup_inserted + d.tup_updated + d.tup_deleted AS rows,
         w.wal_bytes AS wal, pg_database_size(current_database()) AS kept
       FROM pg_stat_database d, pg_stat_wal w
       WHERE d.datname = current_database()`,
    )
  ).rows;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value)]));
}
