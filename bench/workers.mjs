// One process beside two behind one port: see README.md.
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { familyCpuMs } from './host/process-cost.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { Load } from './load/load.mjs';
import { Instance, PORT } from './migration/instance.mjs';
import { median } from './report/median.mjs';
import { say } from './report/say.mjs';
import { short, table, times } from './report/table.mjs';

const SHARED_PORT = new URL('./workers/shared-port.mjs', import.meta.url).href;
const SECOND_PORT = PORT + 1;
/** Without the database, and with a statement for each request. */
const SCENARIOS = ['client-credentials-opaque', 'introspection-opaque'];
/** How two processes get the connections, beside one that has all of them. */
const WAYS = [
  { name: 'one process', envs: [{}] },
  { name: 'two, handed out in turn', envs: [{ WORKERS: '2' }] },
  { name: 'two, one socket', envs: [{ WORKERS: '2', NODE_CLUSTER_SCHED_POLICY: 'none' }] },
  { name: 'two, reusePort', envs: [{ WORKERS: '2', NODE_OPTIONS: `--import=${SHARED_PORT}` }] },
  { name: 'two replicas', envs: [{}, { PORT: String(SECOND_PORT) }] },
];
const WARM_UP_SECONDS = 4;
const START_OF_OTHERS_MS = 3_000;
/** Generators of load, so that each replica has one. */
const LOADS = 2;

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
  const figures = new Map(WAYS.map(({ name }) => [name, new Map(SCENARIOS.map((scenario) => [scenario, []]))]));
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const order = round % 2 === 0 ? WAYS : WAYS.toReversed();
    for (const way of order) await measureWith(way, url, credentials, figures.get(way.name));
  }
  say(`${cpus().length} cores, shared by the service, PostgreSQL and the load generator; ${options.clients} clients\n`);
  say(
    table(
      ['', '', 'a second', 'of one', 'CPU ms', 'of one', 'cores: service', 'load'],
      SCENARIOS.flatMap((scenario) => WAYS.map(({ name }, index) => rowOf(scenario, name, index === 0, figures))),
    ),
  );
}

async function measureWith({ name, envs }, url, credentials, figures) {
  const instances = [];
  for (const env of envs) instances.push(await Instance.start(name, url, folder, env));
  // It is ready when its first process serves: connections of before the second one does stay with the first.
  await sleep(START_OF_OTHERS_MS);
  const target = await instances[0].target(credentials);
  const loads = Array.from({ length: LOADS }, (_, index) => ({
    load: new Load(),
    target: { ...target, origin: instances[index % instances.length].origin.origin },
  }));
  const spent = () => instances.reduce((sum, { pid }) => sum + familyCpuMs(pid), 0);
  try {
    for (const scenario of SCENARIOS) {
      const order = { scenario, concurrency: Number(options.clients) / LOADS, warmUpSeconds: 0, watch: {} };
      const run = (seconds) =>
        Promise.all(loads.map(({ load, target: at }) => load.measure({ ...order, target: at, seconds })));
      await run(WARM_UP_SECONDS);
      const before = spent();
      const parts = await run(Number(options.seconds));
      const cpuMs = spent() - before;
      const sum = (member) => parts.reduce((total, part) => total + part[member], 0);
      figures.get(scenario).push({
        perSecond: sum('perSecond'),
        cpuMs: cpuMs / sum('count'),
        cores: (cpuMs / sum('count') / 1000) * sum('perSecond'),
        loadCores: sum('generatorCores'),
      });
    }
  } finally {
    for (const { load } of loads) load.stop();
    for (const instance of instances) await instance.stop();
  }
}

function rowOf(scenario, name, isFirst, figures) {
  const of = (way, member) =>
    median(
      figures
        .get(way)
        .get(scenario)
        .map((figure) => figure[member]),
    );
  const share = (member) => (isFirst ? '' : times(of(name, member) / of(WAYS[0].name, member)));
  return [
    isFirst ? scenario : '',
    name,
    short(of(name, 'perSecond')),
    share('perSecond'),
    short(of(name, 'cpuMs')),
    share('cpuMs'),
    of(name, 'cores').toFixed(2),
    of(name, 'loadCores').toFixed(2),
  ];
}
