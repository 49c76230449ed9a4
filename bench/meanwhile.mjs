// What users notice of an import: refreshes and userinfo before it and while it runs. See README.md.
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { Load } from './load/load.mjs';
import { documentOf } from './migration/document.mjs';
import { Instance } from './migration/instance.mjs';
import { say } from './report/say.mjs';
import { short, table, times } from './report/table.mjs';

const SCENARIOS = ['refresh', 'userinfo'];
const WARM_UP_SECONDS = 3;
/** How many times its p99 without the import a request may take. */
const AIM = 2;

checkNodeVersion();
const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '6' },
  },
});
const { folder, database, close } = await openWorkspace();
try {
  await bench();
} finally {
  await close();
}

async function bench() {
  const url = await database.create('bench_meanwhile');
  const credentials = await Instance.seed(url, folder);
  const instance = await Instance.start('meanwhile', url, folder);
  const target = await instance.target(credentials);
  const load = new Load();
  try {
    const quiet = await measureAll(load, instance, target);
    let isOver = false;
    const importing = instance.import(documentOf(Number(options.people))).finally(() => {
      isOver = true;
    });
    const meanwhile = await measureAll(load, instance, target);
    const wasOver = isOver;
    const { ms } = await importing;
    const rows = SCENARIOS.map((name) => rowOf(name, quiet.get(name), meanwhile.get(name)));
    say(`${options.people} users were imported in ${short(ms / 1000)} s; ${options.clients} clients ask meanwhile.\n`);
    say(table(['', 'p50 ms', 'meanwhile', 'p99 ms', 'meanwhile', 'of it', 'aim', ''], rows));
    if (wasOver) say('The import was over before the last measurement was: --people takes more of them.');
  } finally {
    load.stop();
    await instance.stop();
  }
}

async function measureAll(load, { pid }, target) {
  const figures = new Map();
  for (const scenario of SCENARIOS) {
    const watch = { server: pid, postmaster: database.postmaster };
    const order = {
      scenario,
      target,
      seconds: Number(options.seconds),
      concurrency: Number(options.clients),
      warmUpSeconds: WARM_UP_SECONDS,
      watch,
    };
    figures.set(scenario, await load.measure(order));
  }
  return figures;
}

function rowOf(name, quiet, meanwhile) {
  const multiple = meanwhile.p99 / quiet.p99;
  return [
    name,
    short(quiet.p50),
    short(meanwhile.p50),
    short(quiet.p99),
    short(meanwhile.p99),
    times(multiple),
    `≤ ${AIM} ×`,
    multiple <= AIM ? 'reached' : 'missed',
  ];
}
