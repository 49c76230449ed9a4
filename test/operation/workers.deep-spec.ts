import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestPerson } from '../support/builders.js';
import { freePort } from '../support/free-port.js';
import { askOnce, sendUnchecked } from '../support/http.js';
import { Processes, settingsBeside } from '../support/processes.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

const SERVES = 'a worker serves';
const DISCOVERY = '/.well-known/openid-configuration';
/** Against what hangs, not against what is slow: each test starts several processes. */
const LIMIT_MS = 120_000;
jest.setTimeout(2 * LIMIT_MS);
const START = new URL('../../dist/process/start/start.js', import.meta.url);
const DYING = new URL('./dying-worker.mjs', import.meta.url).pathname;

/** Makes the people and clients; the services of the tests run on its database. */
let world: World;
let alice: TestPerson;

/** The services of a test: tests wait for processes most of the time, and so they run beside one another. */
const ofOneTest = (): Processes =>
  new Processes(() => ({ ...settingsBeside(world), WORKERS: '2', LOGIN_LIMITS: 'off' }));

/** Of tests of what a service survives: they run one after another, and the last one ends it. */
const lasting = new Processes(() => ({
  ...settingsBeside(world),
  WORKERS: '2',
  LOGIN_LIMITS: 'off',
  METRICS_PORT: String(metricsPort),
}));
let metricsPort: number;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  metricsPort = await freePort();
  alice = await world.cast.alice;
});
afterAll(async () => {
  await lasting.end();
  await world.close();
});

/** A service whose workers all take requests. */
async function start(processes: Processes, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await processes.start(env);
  await untilServing(service, 2);
  return service;
}

/** The one that lasts, while all of its workers take requests. */
async function lastingService(): Promise<ServiceProcess> {
  const service = await lasting.any();
  await untilServing(service, 2);
  return service;
}

/** The processes that have taken requests so far, in the order of their starts. */
function pids(service: ServiceProcess): number[] {
  return service
    .text()
    .split('\n')
    .filter((line) => line.includes(SERVES))
    .map((line) => (JSON.parse(line) as { pid: number }).pid);
}

async function untilServing(service: ServiceProcess, count: number): Promise<void> {
  await until(() => pids(service).length >= count, `${count} workers to serve:\n${service.text()}`);
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + LIMIT_MS; !isSo(); await sleep(20))
    if (Date.now() > deadline) throw new Error(`Waited in vain for ${what}`);
}

/** How often it has replaced all of its workers. */
function replacements(service: ServiceProcess): number {
  return service.text().split('all workers have been replaced').length - 1;
}

/** Kills a worker, and waits until another one takes requests in its place. */
function killOne(service: ServiceProcess): Promise<void> {
  const before = pids(service);
  process.kill(before.find(isAlive)!, 'SIGKILL');
  return untilServing(service, before.length + 1);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Six clients that ask again some time after they are answered. */
function load(
  service: ServiceProcess,
  pauseMs = 20,
): { readonly statuses: Array<number | 'failed'>; end: () => Promise<void> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const statuses: Array<number | 'failed'> = [];
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) {
      statuses.push(await askOnce(agent, `${service.origin}${DISCOVERY}`));
      await sleep(pauseMs);
    }
  };
  const clients = Promise.all(Array.from({ length: 6 }, client));
  return {
    statuses,
    end: async () => {
      isOver = true;
      await clients;
      agent.destroy();
    },
  };
}

describe('WORKERS=2', () => {
  it.concurrent('serves one sign-in from several processes, announces the service once, and ends all of them on SIGTERM', async () => {
    await using processes = ofOneTest();
    const service = await start(processes);
    expect(service.text().match(/Ready in/g)).toHaveLength(1);
    expect(service.text()).toContain('Processes');
    expect(new Set(pids(service)).size).toBe(2);
    for (let i = 0; i < 2; i += 1) {
      const rp = new RelyingParty(world, await world.cast.web1).goTo(service);
      const code = await rp.code(alice, { scope: 'openid offline_access' });
      const tokens = tokensOf(await rp.redeem(code, {}, service));
      const fresh = tokensOf(await rp.refresh(tokens.refresh_token, {}, service));
      expect((await rp.userinfo(fresh.access_token, service)).status).toBe(200);
    }
    service.signal('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(pids(service).filter(isAlive)).toEqual([]);
  });

  it.concurrent('fails no request on SIGTERM as long as a load balancer is told to look elsewhere [OPS-001]', async () => {
    await using processes = ofOneTest();
    const service = await start(processes, { DRAIN_SECONDS: '5' });
    const { statuses, end } = load(service);
    await sleep(300);
    service.signal('SIGTERM');
    while ((await sendUnchecked(service.origin, { path: '/health/ready' })).status === 200) await sleep(20);
    await end();
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(statuses.length).toBeGreaterThan(6);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  });

  it('replaces all processes on SIGHUP, one after another, and fails no request', async () => {
    const service = await lastingService();
    const before = pids(service);
    const { statuses, end } = load(service);
    const probed: Array<number | 'failed'> = [];
    const agent = new Agent({ keepAlive: false });
    service.signal('SIGHUP');
    const replaced = replacements(service);
    const isDone = (): boolean => replacements(service) > replaced;
    for (const deadline = Date.now() + LIMIT_MS; !isDone() && Date.now() < deadline; await sleep(50))
      probed.push(await askOnce(agent, `${service.origin}/health/ready`));
    expect(isDone()).toBe(true);
    await end();
    expect(pids(service)).toHaveLength(4);
    expect(before.filter(isAlive)).toEqual([]);
    expect(pids(service).slice(2).every(isAlive)).toBe(true);
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(probed.filter((status) => status !== 200)).toEqual([]);
  });

  it('replaces a process that is killed under load, and loses nothing that was answered', async () => {
    const service = await lastingService();
    const chains = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const rp = new RelyingParty(world, await world.cast.web1).goTo(service);
        const tokens = tokensOf(await rp.redeem(await rp.code(alice, { scope: 'openid offline_access' }), {}, service));
        return { rp, tokens };
      }),
    );
    let isKilled = false;
    let isOver = false;
    let lost = 0;
    const refreshed = chains.map(async ({ rp, tokens }) => {
      let last = tokens;
      while (!isOver) {
        try {
          last = tokensOf(await rp.refresh(last.refresh_token, {}, service));
        } catch (error) {
          // No answer: the client asks again with what it has. A refusal would be a loss.
          if (String(error).includes(' answered ')) throw error;
          lost += 1;
        }
        // Under load is the process that is killed; the next one may start at leisure.
        if (isKilled) await sleep(20);
      }
      return { rp, last };
    });
    const { statuses, end } = load(service, 2);
    await sleep(500);
    const replaced = killOne(service);
    isKilled = true;
    await replaced;
    await sleep(300);
    await end();
    isOver = true;
    for (const { rp, last } of await Promise.all(refreshed)) {
      expect((await rp.userinfo(last.access_token, service)).status).toBe(200);
      tokensOf(await rp.refresh(last.refresh_token, {}, service));
    }
    // Both processes had connections, so that not all of them broke; and each client was answered or cut off.
    const broken = statuses.filter((status) => status !== 200);
    expect(broken.every((status) => status === 'failed')).toBe(true);
    expect(broken.length + lost).toBeGreaterThan(0);
    expect(broken.length).toBeLessThan(6);
    expect(service.text()).toContain('a worker has ended');
  });

  it('adds the metrics of all processes up, also of those that are no more', async () => {
    const service = await lastingService();
    const read = async (): Promise<string> =>
      (await sendUnchecked(`http://127.0.0.1:${metricsPort}`, { path: '/metrics' })).text;
    const counted = async (): Promise<number> => {
      const line = /^http_request_duration_seconds_count\{method="GET",route="\/health\/live",status="200"\} (\d+)/m;
      return Number(line.exec(await read())?.[1] ?? 0);
    };
    const failures = async (): Promise<number> =>
      Number(/^gatehouse_worker_failures_total (\d+)$/m.exec(await read())?.[1]);
    const agent = new Agent({ keepAlive: false });
    for (let i = 0; i < 6; i += 1) await askOnce(agent, `${service.origin}/health/live`);
    expect(await counted()).toBe(6);
    expect(await read()).toMatch(/^gatehouse_workers 2$/m);
    const failed = await failures();
    await killOne(service);
    expect(await counted()).toBe(6);
    const before = replacements(service);
    service.signal('SIGHUP');
    await until(() => replacements(service) > before, 'the replacement');
    for (let i = 0; i < 4; i += 1) await askOnce(agent, `${service.origin}/health/live`);
    expect(await counted()).toBe(10);
    const text = await read();
    expect(await failures()).toBe(failed + 1);
    // Read from the database, and therefore the same in every process.
    const [age] = await world.rows<{ age: number }>(
      "SELECT extract(epoch FROM now() - activated_at)::float AS age FROM signing_key WHERE state = 'active'",
    );
    const shown = Number(/^gatehouse_signing_key_age_seconds ([\d.]+)/m.exec(text)?.[1]);
    expect(Math.abs(shown - age!.age)).toBeLessThan(5);
  });

  it.concurrent('runs extensions in each process', async () => {
    await using processes = ofOneTest();
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-workers-'));
    const file = join(folder, 'seen.mjs');
    writeFileSync(
      file,
      `import { Module } from '@nestjs/common';
       import { defineExtension } from 'gatehouse';
       class Seen { onApplicationBootstrap() { process.stdout.write('seen in ' + process.pid + '\\n'); } }
       Module({ providers: [Seen] })(Seen);
       export default defineExtension({ id: 'seen', version: '1.0.0', gatehouse: '*', module: Seen });`,
    );
    const service = await processes.start({}, START, ['start', '--with', file]);
    await untilServing(service, 2);
    expect(service.text().match(/^ {2}Extensions +seen 1\.0\.0/gm)).toHaveLength(1);
    for (const pid of pids(service)) expect(service.text()).toContain(`seen in ${pid}`);
    rmSync(folder, { recursive: true, force: true });
  });

  it.concurrent('ends with 1 when its processes end at once, over and over', async () => {
    await using processes = ofOneTest();
    const service = await processes.begin({ NODE_OPTIONS: `--import=${DYING}` });
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.text()).toContain('end as soon as they have started');
  });

  it.concurrent('ends with 1, and with the sentence of the process, when the first one cannot start', async () => {
    await using processes = ofOneTest();
    const { port } = new URL(world.origin);
    const service = await processes.begin({ PORT: port });
    expect(await service.exit).toEqual({ code: 1, signal: null });
    expect(service.text()).toContain(`The service cannot listen on 127.0.0.1 port ${port}`);
  });

  it('leaves no process behind when the supervisor is killed', async () => {
    const service = await lastingService();
    await service.kill();
    await until(() => !pids(service).some(isAlive), 'the workers to end');
  });

  it.concurrent('starts one embedded PostgreSQL for all processes, and stops it with them', async () => {
    await using processes = ofOneTest();
    const service = await start(processes, { DATABASE_URL: '', MASTER_KEY: '', PUBLIC_URL: '' });
    expect((await sendUnchecked(service.origin, { path: '/health/ready' })).status).toBe(200);
    service.signal('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
  });
});
