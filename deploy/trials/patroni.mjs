/* The primary of a Patroni cluster is killed, cut off and replaced under load: what was answered is there. See README.md. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.mjs';
import { inDatabase } from './database.mjs';
import { Load } from './failover-load.mjs';
import { promise, trial, until } from './machine.mjs';
import { Watch } from './readiness-watch.mjs';
import { Api } from './traffic.mjs';

/** How often the primary is killed; the rest is tried a fifth as often. */
const ROUNDS = Number(process.env.ROUNDS ?? 10);
/** Without PgBouncer the pools of the service themselves notice that a primary has gone. */
const POOLED = process.env.POOLER !== 'off';
const BEFORE_MS = 3_000;
const AFTER_MS = 3_000;
const RETURN_MS = 120_000;
/** As many as the pools of both processes have, and more: whoever hangs would be met. */
const BURST = 48;
const READY_WITHIN_MS = 2_000;

/** What happens to the machine of the primary, and what is done about it afterwards. */
const KINDS = {
  'PostgreSQL killed': { act: (node) => node.killServer() },
  'machine lost': { act: (node) => node.killAll(), after: (node) => node.startAgain() },
  'network cut': { act: (node) => node.plug(false), after: (node) => node.plug(true) },
  'Patroni hangs': { act: (node) => node.signalPatroni('SIGSTOP'), after: (node) => node.signalPatroni('SIGCONT') },
  switchover: { act: (_, cluster) => cluster.switchOver() },
};

await trial(async (machine) => {
  const cluster = new Cluster(machine);
  await cluster.start();
  await inDatabase(cluster.superuser, "CREATE ROLE gatehouse LOGIN PASSWORD 'letters'");
  // As docs/operations.md says of poolers.
  for (const limit of ['statement_timeout', 'idle_in_transaction_session_timeout'])
    await inDatabase(cluster.superuser, `ALTER ROLE gatehouse SET ${limit} = '15s'`);
  await inDatabase(cluster.superuser, 'CREATE DATABASE gatehouse OWNER gatehouse');
  await inDatabase(cluster.superuser, 'CREATE DATABASE probe OWNER gatehouse');

  const ports = [machine.port(), machine.port()];
  const [origin, ...others] = ports.map((port) => `http://127.0.0.1:${port}`);
  const { DATABASE_URL, DATABASE_DIRECT_URL } = cluster.urls;
  const env = POOLED ? { DATABASE_URL, DATABASE_DIRECT_URL } : { DATABASE_URL: DATABASE_DIRECT_URL };
  const first = await machine.startService(ports[0], { ...env, PUBLIC_URL: origin });
  await machine.startService(ports[1], { ...env, PUBLIC_URL: origin });
  const apis = [origin, ...others].map((one) => new Api({ origin: one, token: first.token }));
  const watch = await Watch.start(DATABASE_DIRECT_URL.replace(/gatehouse$/, 'probe'), [origin, ...others]);
  const load = await Load.start(apis);
  machine.endings.push(() => {
    load.isOver = true;
    watch.isOver = true;
  });

  const rounds = [];
  const kills = Array.from({ length: ROUNDS }, (_, n) => Object.keys(KINDS)[n % 2]);
  const rest = Object.keys(KINDS).slice(2);
  const all = [...kills, ...Array.from({ length: Math.ceil(ROUNDS / 5) }, () => rest).flat()];
  for (const kind of all.filter((one) => one.includes(process.env.ONLY ?? ''))) {
    const round = await play(kind, { cluster, watch, load, apis });
    rounds.push(round);
    console.log(`${rounds.length}. ${kind}: ${JSON.stringify(round)}`);
  }
  const { refused, ...done } = await load.end();
  const lost = await load.lostSince({ changes: 0, signIns: 0 }, DATABASE_DIRECT_URL);
  await watch.end();
  console.log(`${JSON.stringify(done)}; others: ${JSON.stringify(refused)}`);
  for (const kind of new Set(rounds.map((round) => round.kind)))
    console.log(
      rowOf(
        kind,
        rounds.filter((round) => round.kind === kind),
      ),
    );

  const always = (isSo) => rounds.every(isSo);
  promise(
    lost.length === 0,
    `nothing that was answered is lost: changes, sign-ins, refreshes${lost
      .slice(0, 9)
      .map((what) => `; ${what}`)
      .join('')}`,
  );
  promise(
    always(({ wrongReadyMs, wrongUnreadyMs }) => Math.max(wrongReadyMs, wrongUnreadyMs) <= READY_WITHIN_MS),
    'readiness says so within two seconds, when the database goes and when it is back',
  );
  promise(
    always(({ left }) => left === 0),
    'no connection stays at the old primary',
  );
  promise(
    always(({ failed }) => failed === 0),
    'afterwards each connection of the pools works',
  );
  promise(
    always(({ listening }) => listening === apis.length),
    'each process hears what the others announce',
  );
  promise(
    Object.keys(refused).every((what) => what.startsWith('503')),
    'every other answer is 503',
  );
});

async function play(kind, { cluster, watch, load, apis }) {
  await until(
    async () => (await cluster.isWhole()) && watch.isGood,
    () => `the cluster to be whole: ${cluster.said}`,
    RETURN_MS,
  );
  await sleep(BEFORE_MS);
  let old;
  await until(
    async () => (old = await cluster.leader()),
    () => `a primary: ${cluster.said}`,
  );
  const [fromMs, before] = [performance.now(), load.mark()];
  await KINDS[kind].act(old, cluster);
  await until(
    async () => ![undefined, old].includes(await cluster.leader()),
    () => 'another primary',
    RETURN_MS,
  );
  await until(
    () => watch.isGood,
    () => 'readiness',
    RETURN_MS,
  );
  await sleep(AFTER_MS);
  const toMs = performance.now();
  const burst = await Promise.all(
    Array.from({ length: BURST }, (_, n) =>
      apis[n % apis.length].ask('POST', '/management/v1/projects', { name: `burst ${toMs} ${n}` }),
    ),
  );
  const left = cluster.connectionsTo(old);
  const [{ listening }] = await inDatabase(
    cluster.superuser,
    "SELECT count(*)::int AS listening FROM pg_stat_activity WHERE application_name = 'gatehouse changes'",
  );
  await KINDS[kind].after?.(old, cluster);
  return {
    kind,
    gapMs: load.gap(fromMs, toMs),
    ...watch.between(fromMs, toMs),
    lost: await load.lostSince(before, cluster.urls.DATABASE_DIRECT_URL),
    left,
    failed: burst.filter(({ status }) => status !== 200).length,
    listening,
  };
}

/** Of the table in docs/operations.md. */
function rowOf(kind, rounds) {
  const figures = ['gapMs', 'awayMs', 'wrongReadyMs', 'wrongUnreadyMs'].map((name) => {
    const sorted = rounds.map((round) => round[name] / 1_000).sort((a, b) => a - b);
    return `${sorted[sorted.length >> 1]?.toFixed(1)} s, ${sorted.at(-1)?.toFixed(1)} s`;
  });
  return `| ${[kind, rounds.length, ...figures].join(' | ')} |`;
}
