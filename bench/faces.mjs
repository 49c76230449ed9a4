// The same operations through JSON, gRPC and gRPC-web: see README.md.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { startChild } from './host/child.mjs';
import { openWorkspace } from './host/workspace.mjs';
import { FACES, OPERATIONS, PAGE } from './load/faces.mjs';
import { Load } from './load/load.mjs';
import { medianFigure } from './report/median.mjs';
import { percent, short, table } from './report/table.mjs';

const PROGRAM = new URL('../dist/main.js', import.meta.url).pathname;
const PORT = Number(process.env.BENCH_PORT ?? 4300) + 40;
const FIRST_WARM_UP_SECONDS = 3;
const WARM_UP_SECONDS = 1;

checkNodeVersion();
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    concurrency: { type: 'string', default: '16' },
  },
});
const [seconds, rounds, concurrency] = [values.seconds, values.rounds, values.concurrency].map(Number);

const { folder, database, close } = await openWorkspace();
const load = new Load();
try {
  await bench();
} finally {
  load.stop();
  await close();
}

async function bench() {
  const { target, pid } = await startService();
  const faces = Object.keys(FACES);
  const figures = new Map();
  for (let round = 0; round < rounds; round += 1) {
    for (const operation of Object.keys(OPERATIONS)) {
      // Who goes first changes from round to round, so that whatever else the machine does disturbs all alike.
      for (const face of faces.map((_, index) => faces[(index + round) % faces.length])) {
        const scenario = `${operation}, ${face}`;
        const warmUpSeconds = round === 0 ? FIRST_WARM_UP_SECONDS : WARM_UP_SECONDS;
        const figure = await load.measure({
          scenario,
          target,
          seconds,
          concurrency,
          warmUpSeconds,
          watch: { server: pid, postmaster: database.postmaster },
        });
        figures.set(scenario, [...(figures.get(scenario) ?? []), figure]);
        process.stderr.write(
          `round ${round + 1} of ${rounds}, ${scenario}: ${Math.round(figure.perSecond)} a second\n`,
        );
      }
    }
  }
  print(figures);
}

/** Our service on an empty database, with a page of projects. */
async function startService() {
  const origin = `http://127.0.0.1:${PORT}`;
  const dataDir = join(folder, 'data');
  const env = {
    NODE_ENV: 'development',
    ADMIN_RATE: '1000000',
    HOST: '127.0.0.1',
    PORT: String(PORT),
    PUBLIC_URL: origin,
    DEMO_PORT: 'off',
    DATABASE_URL: await database.create('bench_faces'),
    DATA_DIR: dataDir,
    MASTER_KEY: 'the master key of a benchmark',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  };
  const { pid } = await startChild({
    name: 'our service',
    program: PROGRAM,
    nodeArgs: ['--max-semi-space-size=4'],
    env,
    ready: /Ready in/,
  });
  const token = (await readFile(join(dataDir, 'admin.pat'), 'utf8')).trim();
  let projectId;
  for (let count = 0; count < PAGE; count += 1) projectId = await addProject(origin, token, `project ${count}`);
  return { pid, target: { name: 'ours', origin, token, projectId } };
}

async function addProject(origin, token, name) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const reply = await fetch(`${origin}/management/v1/projects`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  });
  if (!reply.ok) throw new Error(`no project was added: ${reply.status} ${await reply.text()}`);
  return (await reply.json()).id;
}

function print(figures) {
  const rows = Object.keys(OPERATIONS).flatMap((operation) => {
    const medians = Object.keys(FACES).map((face) => [face, medianFigure(figures.get(`${operation}, ${face}`))]);
    const [[, json]] = medians;
    return medians.map(([face, figure]) => [
      operation,
      face,
      short(figure.perSecond),
      percent(figure.perSecond / json.perSecond),
      short(figure.p50),
      percent(figure.p50 / json.p50),
      short(figure.p99),
      percent(figure.p99 / json.p99),
      short(figure.serverCpuMs),
      percent(figure.serverCpuMs / json.serverCpuMs),
      short(figure.databaseCpuMs),
      short(figure.serverCores),
      short(figure.generatorCores),
      short(figure.otherCores),
    ]);
  });
  const header = [
    'operation',
    'through',
    'a second',
    'of JSON',
    'p50',
    'of JSON',
    'p99',
    'of JSON',
    'server CPU',
    'of JSON',
    'database CPU',
    'cores: server',
    'generator',
    'others',
  ];
  process.stdout.write(`${table(header, rows)}\n`);
}
