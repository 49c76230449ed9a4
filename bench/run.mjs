// `npm run bench`: see README.md.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../scripts/build.mjs';
import { checkNodeVersion } from '../src/foundation/config/node-version.mjs';
import { stopAll } from './host/child.mjs';
import { openDatabase } from './host/database.mjs';
import { ensureInstalled } from './host/prepare.mjs';
import { ensureDistribution, whatKeycloakLacks } from './keycloak/distribution.mjs';
import { Keycloak } from './keycloak/keycloak.mjs';
import { MACHINE_LIMITS, measureLimit, startBareRoute } from './limits/limits.mjs';
import { Load } from './load/load.mjs';
import { HELP, readOptions } from './options.mjs';
import { besideForm } from './ours/forms.mjs';
import { Ours } from './ours/ours.mjs';
import { Peer } from './peer/peer.mjs';
import { print, summarize } from './report/report.mjs';

const FIRST_PORT = Number(process.env.BENCH_PORT ?? 4300);
/** The first round also compiles code and makes PostgreSQL plan on each of its connections. */
const FIRST_WARM_UP_SECONDS = 3;
const WARM_UP_SECONDS = 1;
/** In the first round, on both sides, of what a process of ours answers that answers nothing else: V8 has not compiled its code yet. */
const APART_WARM_UP_SECONDS = 20;
const LIMIT_SECONDS = 1;
/** Our own processes have some twenty ports. */
const BESIDE_PORTS = 40;
const RESULTS = new URL('./results/', import.meta.url);

checkNodeVersion();
const options = optionsOrUsage();
if (options) process.exitCode = await bench();

function optionsOrUsage() {
  try {
    const given = readOptions(process.argv.slice(2));
    if (!given.help) return given;
    process.stdout.write(`${HELP}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
  return undefined;
}

/** @returns the exit code: 1 when anything answered unexpectedly, or Keycloak cannot be started here */
async function bench() {
  const lack = options.keycloak ? whatKeycloakLacks() : undefined;
  if (lack) {
    progress(lack);
    return 1;
  }
  if (options.peer) ensureInstalled();
  if (options.keycloak) ensureDistribution();
  // SKIP_BUILD=1 measures the last build, as it does in the tests.
  if (process.env.SKIP_BUILD !== '1') await ensureBuilt();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const load = new Load();
  const opening = openDatabase(folder, options.keycloak ? FIRST_PORT + 3 : undefined);
  let cleaning;
  const cleanUp = () => (cleaning ??= stopEverything());
  const stopEverything = async () => {
    load.stop();
    await stopAll();
    try {
      const opened = await opening.catch(() => undefined);
      await opened?.close();
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const interrupted = () => void cleanUp().finally(() => process.exit(130));
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  try {
    const database = await opening;
    const run = await measureAll(database, load, folder);
    const summary = summarize(run);
    print(summary, run, (text) => process.stdout.write(text));
    await save(summary, run);
    return run.cases.some(({ faults }) => faults.length > 0) ? 1 : 0;
  } finally {
    await cleanUp();
  }
}

async function measureAll(database, load, folder) {
  const contestants = await startContestants(database, folder);
  const bare = await startBareRoute(FIRST_PORT);
  const run = {
    machine: { cpu: cpus()[0].model.trim(), cores: cpus().length, node: process.version, ...database.setting },
    options: { ...options, cases: undefined },
    limits: [],
    cases: options.cases.map((one) => ({ ...one, figures: {}, faults: [] })),
  };

  for (let round = 0; round < options.rounds; round += 1) {
    progress(`round ${round + 1} of ${options.rounds}`);
    run.limits.push(await measureLimits(database, load, bare));
    // Who goes first changes from round to round.
    const order = round % 2 === 0 ? contestants : [...contestants].reverse();
    for (const measured of run.cases) {
      for (const contestant of order) await measureCase(measured, contestant, load, database, round === 0);
    }
  }

  await bare.child.stop();
  for (const contestant of contestants) run[contestant.name] = await contestant.finish();
  return run;
}

async function startContestants(database, folder) {
  const contestants = [];
  if (options.ours) contestants.push(await Ours.start(database, FIRST_PORT + 10, folder, options));
  if (options.beside) {
    const form = besideForm(options.beside);
    contestants.push(await Ours.start(database, FIRST_PORT + BESIDE_PORTS, folder, options, form));
  }
  if (options.peer) contestants.push(await Peer.start(database, FIRST_PORT + 1));
  if (options.keycloak) contestants.push(await Keycloak.start(database, FIRST_PORT + 2));
  return contestants;
}

async function measureLimits(database, load, bare) {
  const limits = {};
  for (const kind of MACHINE_LIMITS) limits[kind] = await measureLimit(kind, LIMIT_SECONDS, database.url);
  const figure = await load.measure(
    orderFor('bare', { target: bare.target, pid: bare.child.pid }, database, WARM_UP_SECONDS, options.concurrency),
  );
  return { bare: figure.perSecond, ...limits };
}

async function measureCase(measured, contestant, load, database, isFirst) {
  if (contestant.lacks(measured) || measured.faults.some((fault) => fault.startsWith(contestant.name))) return;
  try {
    const service = await contestant.service(measured.service ?? 'ours');
    const isApart = (measured.service ?? 'ours') !== 'ours';
    const firstWarmUp = service.firstWarmUpSeconds ?? (isApart ? APART_WARM_UP_SECONDS : FIRST_WARM_UP_SECONDS);
    const warmUpSeconds = isFirst ? firstWarmUp : WARM_UP_SECONDS;
    const scenario = contestant.scenarioOf(measured);
    const concurrency = measured.clients ?? options.concurrency;
    const figure = await load.measure(orderFor(scenario, service, database, warmUpSeconds, concurrency));
    (measured.figures[contestant.name] ??= []).push(figure);
    progress(`  ${measured.name}, ${contestant.name}: ${Math.round(figure.perSecond)} a second`);
  } catch (error) {
    // Half a figure is none: what answered wrongly once is not reported at all.
    delete measured.figures[contestant.name];
    measured.faults.push(`${contestant.name}: ${error.message}`);
    progress(`  ${measured.name}, ${contestant.name}: ${error.message}`);
  }
}

function orderFor(scenario, { target, pid: server, metrics }, { postmaster }, warmUpSeconds, concurrency) {
  const { seconds } = options;
  return { scenario, target, seconds, concurrency, warmUpSeconds, watch: { server, postmaster, metrics } };
}

async function save(summary, run) {
  await mkdir(RESULTS, { recursive: true });
  const name = `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.json`;
  await writeFile(new URL(name, RESULTS), `${JSON.stringify({ summary, run }, undefined, 2)}\n`);
  progress(`written to bench/results/${name}`);
}

function progress(line) {
  process.stderr.write(`${line}\n`);
}
