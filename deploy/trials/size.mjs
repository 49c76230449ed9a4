/* What a sign-in costs, at two loads and with one process and two: processor time, memory and connections. See README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDatabase, maintenanceUrl } from './database.mjs';
import { promise, trial } from './machine.mjs';
import { Api, Client } from './traffic.mjs';

const SECONDS = Number(process.env.SECONDS ?? 15);
/** Sign-ins per second, each with two refreshes. */
const LOADS = (process.env.LOADS ?? '2,8').split(',').map(Number);
const PROCESSES = [1, 2];
const PEOPLE = 40;
/** Of `stat` in /proc: clock ticks per second, and bytes per page. */
const TICKS = 100;
const PAGE = 4096;

await trial(async (machine) => {
  const server = await machine.startPostgres('server', machine.port());
  console.log(`${cpus().length} x ${cpus()[0].model}, ${SECONDS} s each`);
  for (const workers of PROCESSES) {
    const database = `gatehouse_${workers}`;
    await inDatabase(maintenanceUrl(server.url), `CREATE DATABASE ${database}`);
    const service = await machine.startService(machine.port(), {
      DATABASE_URL: server.url.replace(/gatehouse$/, database),
      WORKERS: String(workers),
      FIRST_TOKEN_PATH: `${machine.folder}/token-${workers}`,
    });
    const api = new Api({ ...service, token: readFileSync(`${machine.folder}/token-${workers}`, 'utf8').trim() });
    const [clientId, people] = [await api.addApplication(), await api.addPeople(PEOPLE)];
    for (const load of LOADS) {
      const [before, databaseBefore] = [cpuOf(service.child.pid), cpuOf(server.child.pid)];
      const { signIns, failures, tookMs } = await run(service.origin, clientId, people, load);
      const own = ((cpuOf(service.child.pid) - before) * 1_000) / signIns;
      const ofDatabase = ((cpuOf(server.child.pid) - databaseBefore) * 1_000) / signIns;
      const memory = treeOf(service.child.pid).reduce((sum, { rss }) => sum + rss, 0) / 1e6;
      console.log(
        `${workers} process(es), ${load} a second: ${signIns} sign-ins, median ${tookMs.toFixed(0)} ms; for each ` +
          `${own.toFixed(0)} ms of the service and ${ofDatabase.toFixed(0)} ms of PostgreSQL; ${memory.toFixed(0)} MB resident`,
      );
      promise(failures.length === 0, `no request failed${failures.length ? `: ${failures[0]}` : ''}`);
    }
    service.child.kill('SIGTERM');
    await sleep(1_000);
  }
});

async function run(origin, clientId, people, load) {
  const [failures, times, pending] = [[], [], []];
  for (let n = 0; n < load * SECONDS; n += 1) {
    pending.push(
      (async () => {
        const client = new Client(origin, clientId, `192.0.2.${n % 250}`);
        const start = performance.now();
        let tokens = await client.signIn(people[n % people.length]);
        times.push(performance.now() - start);
        for (let i = 0; i < 2; i += 1) tokens = await client.refresh(tokens);
        client.close();
      })().catch((error) => failures.push(error.message)),
    );
    await sleep(1_000 / load);
  }
  await Promise.all(pending);
  return { signIns: times.length, failures, tookMs: times.sort((a, b) => a - b)[times.length >> 1] ?? 0 };
}

/** Seconds of processor time of a process and of those below it, also of those that have ended. */
function cpuOf(pid) {
  return treeOf(pid).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
}

function treeOf(root) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1].split(' ');
        const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
        return [{ pid: Number(name), parent: Number(fields[1]), ticks, rss: Number(fields[21]) * PAGE }];
      } catch {
        return []; // ended meanwhile
      }
    });
  const below = (pid) => all.filter(({ parent }) => parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return [...all.filter(({ pid }) => pid === root), ...below(root)];
}
