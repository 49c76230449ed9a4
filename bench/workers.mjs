// One process beside two behind one port: see README.md.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { familyCpuMs } from './host/process-cost.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { Load, withEndpoints } from './load/load.mjs';
import { Instance } from './migration/instance.mjs';
import { median } from './report/median.mjs';
import { say } from './report/say.mjs';
import { short, table, times } from './report/table.mjs';

/** Without the database, and with a statement for each request. */
const SCENARIOS = ['client-credentials-opaque', 'introspection-opaque'];
const PROCESSES = [1, 2];
const WARM_UP_SECONDS = 4;
const START_OF_OTHERS_MS = 3_000;
const AIM = 1.8;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    clients: { type: 'string', default: '16' },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const url = await database.create('bench_workers');
  const credentials = await Instance.seed(url, folder);
  const figures = new Map(SCENARIOS.map((name) => [name, new Map(PROCESSES.map((workers) => [workers, []]))]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const order = round % 2 === 0 ? PROCESSES : [...PROCESSES].reverse();
    for (const workers of order) await measureWith(workers, url, credentials, figures);
  }
  say(`${cpus().length} cores, shared by the service, PostgreSQL and the load generator; ${options.clients} clients\n`);
  const header = ['', 'processes', 'a second', 'CPU ms', 'cores: service', 'load', 'of one', 'aim'];
  say(
    table(
      header,
      SCENARIOS.flatMap((name) => rowsOf(name, figures.get(name))),
    ),
  );
}

async function measureWith(workers, url, credentials, figures) {
  const instance = await Instance.start('workers', url, folder, { WORKERS: String(workers) });
  // It is ready when its first process serves: connections of before the second one does stay with the first.
  await sleep(START_OF_OTHERS_MS);
  const { origin } = instance.origin;
  const target = await withEndpoints({ name: 'ours', origin, issuer: origin, ...credentials });
  const load = new Load();
  try {
    for (const scenario of SCENARIOS) {
      const order = { scenario, target, concurrency: Number(options.clients), warmUpSeconds: 0, watch: {} };
      await load.measure({ ...order, seconds: WARM_UP_SECONDS });
      const before = familyCpuMs(instance.pid);
      const figure = await load.measure({ ...order, seconds: Number(options.seconds) });
      const cpuMs = familyCpuMs(instance.pid) - before;
      figures
        .get(scenario)
        .get(workers)
        .push({
          perSecond: figure.perSecond,
          cpuMs: cpuMs / figure.count,
          cores: (cpuMs / figure.count / 1000) * figure.perSecond,
          loadCores: figure.generatorCores,
        });
    }
  } finally {
    load.stop();
    await instance.stop();
  }
}

function rowsOf(name, byProcesses) {
  const of = (workers, member) => median(byProcesses.get(workers).map((figure) => figure[member]));
  return PROCESSES.map((workers, index) => [
    index === 0 ? name : '',
    workers,
    short(of(workers, 'perSecond')),
    short(of(workers, 'cpuMs')),
    of(workers, 'cores').toFixed(2),
    of(workers, 'loadCores').toFixed(2),
    index === 0 ? '' : times(of(workers, 'perSecond') / of(1, 'perSecond')),
    index === 0 ? '' : `≥ ${AIM} × where cores are idle`,
  ]);
}
