// The load generator, a process of its own: told by messages what to measure, answers with one figure or one error.
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMs, machineCpuMs, poolCpuMs, postgresCpuMs } from '../host/process-cost.mjs';
import { Connection, traffic } from './connection.mjs';
import { scenarios } from './scenario.mjs';

const MOST_OPERATIONS = 2_000_000;
const MOST_SECONDS = 600;

/** Virtual clients live as long as this process: a refresh chain continues in the next round. */
const prepared = new Map();

process.on('message', async (order) => {
  try {
    process.send({ result: await measure(order) });
  } catch (error) {
    prepared.delete(keyOf(order));
    process.send({ error: `${order.scenario} of ${order.target.name}: ${error.stack ?? error}` });
  }
});
process.on('disconnect', () => process.exit(0));

async function measure(order) {
  const clients = await prepare(order);
  const latencies = [];
  const state = { recording: false, ending: false, operations: 0 };
  const running = clients.map((client) => keepGoing(client, latencies, state));
  // A fault must end the measurement at once, not after its time.
  const faults = Promise.all(running);
  faults.catch(() => (state.ending = true));

  const seconds = Math.min(order.seconds, MOST_SECONDS);
  await Promise.race([sleep(order.warmUpSeconds * 1000), faults]);
  await loopDelayMs(order.watch.metrics); // it tells what was since it was last asked
  const before = snapshot(order.watch);
  state.recording = true;
  await Promise.race([sleep(seconds * 1000), faults]);
  state.recording = false;
  const after = snapshot(order.watch);
  const loopP99Ms = await loopDelayMs(order.watch.metrics);
  state.ending = true;
  await faults;
  return { ...summarize(latencies, before, after), loopP99Ms };
}

/** How late the event loop of a service was, 99 times of 100, including the 10 ms between two samples. Undefined without metrics. */
async function loopDelayMs(metrics) {
  if (metrics === undefined) return undefined;
  const text = await (await fetch(metrics)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)[1]) * 1000;
}

async function prepare(order) {
  const key = keyOf(order);
  const known = prepared.get(key);
  if (known) return known;
  const origin = new URL(order.target.origin);
  const clients = [];
  for (let index = 0; index < order.concurrency; index += 1) {
    clients.push(await scenarios[order.scenario].client(order.target, index, new Connection(origin)));
  }
  prepared.set(key, clients);
  return clients;
}

function keyOf({ scenario, target, concurrency }) {
  return `${scenario} ${target.name} ${target.origin} ${concurrency}`;
}

async function keepGoing(client, latencies, state) {
  while (!state.ending && state.operations < MOST_OPERATIONS) {
    const start = performance.now();
    await client();
    state.operations += 1;
    if (state.recording) latencies.push(performance.now() - start);
  }
}

function snapshot({ server, postmaster }) {
  return {
    at: performance.now(),
    requests: traffic.requests,
    server: server && cpuMs(server),
    pool: server && poolCpuMs(server),
    database: postmaster && postgresCpuMs(postmaster),
    generator: cpuMs(process.pid),
    machine: machineCpuMs(),
  };
}

function summarize(latencies, before, after) {
  const count = latencies.length;
  if (count === 0) throw new Error('not one operation was completed in the time');
  const ms = after.at - before.at;
  const sorted = Float64Array.from(latencies).sort();
  const percentile = (share) => sorted[Math.min(count - 1, Math.floor(count * share))];
  const spent = (who) => (after[who] === undefined || before[who] === undefined ? undefined : after[who] - before[who]);
  const shareOfCore = (who) => (spent(who) === undefined ? undefined : spent(who) / ms);
  const known = ['server', 'database', 'generator'].reduce((sum, who) => sum + (spent(who) ?? 0), 0);
  return {
    count,
    // As many as it begins, so near the number of one operation.
    requestsEach: (after.requests - before.requests) / count,
    perSecond: (count * 1000) / ms,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
    serverCpuMs: spent('server') === undefined ? undefined : spent('server') / count,
    // Of the server's.
    poolCpuMs: spent('pool') === undefined ? undefined : spent('pool') / count,
    databaseCpuMs: spent('database') === undefined ? undefined : spent('database') / count,
    // Cores in use, to judge the measurement: which processes were busy, and whether other programs were.
    serverCores: shareOfCore('server'),
    databaseCores: shareOfCore('database'),
    generatorCores: shareOfCore('generator'),
    otherCores: spent('machine') === undefined ? undefined : Math.max(0, (spent('machine') - known) / ms),
  };
}
