import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { GrpcClient, type Method, methodsOf } from '../grpc/grpc-clients.js';
import { CutLine } from '../support/cut-line.js';
import { workerDatabase } from '../support/database.js';
import { askOnce, sendUnchecked } from '../support/http.js';
import { askOver, connectHttp2, sendHttp2 } from '../support/http2.js';
import { Processes } from '../support/processes.js';
import type { ServiceProcess } from '../support/service-process.js';
import { untilLocked } from './lock-waits.js';

/** After that long the service cuts off whatever is still open (15 s), less a margin for a busy machine. */
const BEFORE_CUT_OFF_MS = 12_000;

/** Of a process that has not much to end. */
const QUICK_MS = 10_000;

/** Between two requests of a client that asks all the time: some hundred a second come from all clients. */
const PAUSE_MS = 10;

async function expectQuickEnd(service: ServiceProcess): Promise<void> {
  const asked = performance.now();
  service.signal('SIGTERM');
  expect(await service.exit).toEqual({ code: 0, signal: null });
  expect(performance.now() - asked).toBeLessThan(QUICK_MS);
}

// They wait most of the time, some for a documented limit, and so they run beside one another: those of one block do.
// The longest is the first.
describe('SIGTERM', () => {
  it.concurrent('while the database does not respond, and requests wait for it, ends with 0 within the documented time', async () => {
    await using processes = new Processes();
    const database = await workerDatabase();
    const { host = '', port = 5432 } = database.connection;
    const line = await CutLine.to({ host, port });
    const url = new URL(database.url);
    const service = await processes.start({
      DATABASE_URL: `postgresql://${url.username}@127.0.0.1:${line.port}${url.pathname}`,
      DRAIN_SECONDS: '0',
    });
    const agent = new Agent({ keepAlive: true });
    try {
      line.swallow();
      const waiting = askOnce(agent, `${service.origin}/oauth/v2/authorize?client_id=nobody`);
      await sleep(200);
      const asked = performance.now();
      service.signal('SIGTERM');
      expect(await service.exit).toEqual({ code: 0, signal: null });
      // 15 s for the request and 5 s for the database.
      expect(performance.now() - asked).toBeLessThan(25_000);
      await waiting;
    } finally {
      agent.destroy();
      await line.close();
      await database.release();
    }
  });

  it.concurrent('fails no request of a load balancer that asks whether the service is ready [OPS-001]', async () => {
    await using processes = new Processes();
    const service = await processes.start({ DRAIN_SECONDS: '4' }); // on a busy machine the last probe comes late
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const statuses: Array<number | 'failed'> = [];
    let ready = true;
    const sender = async (): Promise<void> => {
      while (ready) {
        statuses.push(await askOnce(agent, `${service.origin}/.well-known/openid-configuration`));
        await sleep(PAUSE_MS);
      }
    };
    const probe = async (): Promise<void> => {
      while (ready) {
        ready = (await askOnce(agent, `${service.origin}/health/ready`)) === 200;
        await sleep(100);
      }
    };
    const traffic = Promise.all([probe(), ...Array.from({ length: 6 }, sender)]);
    while (statuses.length <= 50) await sleep(10);
    service.signal('SIGTERM');
    await traffic;
    const probed = await sendUnchecked(service.origin, { path: '/health/ready' });
    expect([probed.status, probed.header('connection')]).toEqual([503, 'close']); // the listener is still open
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(statuses.length).toBeGreaterThan(50); // some were under way at the signal
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    agent.destroy();
  });

  it.concurrent('lets a running request end, and closes connections that only wait [OPS-002]', async () => {
    await using processes = new Processes();
    const service = await processes.start();
    const agent = new Agent({ keepAlive: true });
    expect(await askOnce(agent, `${service.origin}/health/live`)).toBe(200); // from now on an idle connection
    const blocker = new pg.Client(service.databaseUrl);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
    const request = askOnce(agent, `${service.origin}/oauth/v2/authorize?client_id=nobody`);
    await untilLocked(service.databaseUrl);
    service.signal('SIGTERM');
    await sleep(300);
    await blocker.query('COMMIT');
    await blocker.end();
    const committed = performance.now();
    expect(await request).toBe(400);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect(performance.now() - committed).toBeLessThan(BEFORE_CUT_OFF_MS);
    agent.destroy();
  });

  it.concurrent('fails no gRPC call, lets a running HTTP/2 request end, and does not wait for listening clients', async () => {
    await using processes = new Processes();
    const service = await processes.start({ DRAIN_SECONDS: '4' }); // on a busy machine the last call comes late
    const { Check, Watch } = methodsOf('grpc.health.v1.Health') as Record<'Check' | 'Watch', Method>;
    const [caller, watcher, idle] = [
      new GrpcClient(service.origin),
      new GrpcClient(service.origin),
      connectHttp2(service.origin),
    ];
    await caller.call(Check, {}); // the first call loads the gRPC server
    const isWatching = Promise.withResolvers<void>();
    const watched = watcher.ask(Watch, {}, () => isWatching.resolve());
    const blocker = new pg.Client(service.databaseUrl);
    await blocker.connect();
    await blocker.query('BEGIN; LOCK TABLE client IN ACCESS EXCLUSIVE MODE');
    const running = sendHttp2(service.origin, { path: '/oauth/v2/authorize?client_id=nobody' });
    const codes: number[] = [];
    let serving = true;
    const calling = (async () => {
      while (serving) {
        const { code, answer } = await caller.call(Check, {});
        codes.push(code);
        serving = code === 0 && answer?.['status'] === 'SERVING';
        await sleep(PAUSE_MS);
      }
    })();
    await Promise.all([isWatching.promise, untilLocked(service.databaseUrl)]);
    service.signal('SIGTERM');
    await calling;
    await blocker.query('COMMIT');
    await blocker.end();
    expect((await running).reply.status).toBe(400);
    expect((await watched).map(({ status }) => status)).toEqual(['SERVING', 'NOT_SERVING']);
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect([...new Set(codes)]).toEqual([0]);
    for (const client of [caller, watcher]) client.close();
    idle.destroy();
  });

  it.concurrent('ends in bounded time although a client of HTTP/2 never finishes what it asks', async () => {
    await using processes = new Processes();
    const service = await processes.start();
    const session = connectHttp2(service.origin);
    const open = askOver(session, {
      method: 'POST',
      path: '/oauth/v2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a',
      halfOpen: true,
    });
    await sleep(300);
    service.signal('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
    expect((await open).reply.status).toBe(0);
  });

  it.concurrent('is obeyed once, however often it comes', async () => {
    await using processes = new Processes();
    const service = await processes.start();
    service.signal('SIGTERM');
    service.signal('SIGINT');
    service.signal('SIGTERM');
    expect(await service.exit).toEqual({ code: 0, signal: null });
  });

  it.concurrent.each([0, 100, 300, 600, 1_000, 1_500, 2_500])(
    'during the start ends it with 0 %i ms after it takes signals',
    async (ms) => {
      await using processes = new Processes();
      const service = await processes.begin({});
      await sleep(ms);
      await expectQuickEnd(service);
    },
  );

  it.concurrent('during the start ends it with 0 while another process changes the schema', async () => {
    await using processes = new Processes();
    const database = await workerDatabase();
    const holder = new pg.Client(database.connection);
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock(1734440037, 1)');
    const service = await processes.begin({ DATABASE_URL: database.url });
    await untilLocked(database.url);
    await expectQuickEnd(service);
    await holder.end();
    await database.release();
  });

  it.concurrent('during the start ends it with 0 while the database accepts connections and does not respond', async () => {
    await using processes = new Processes();
    const line = await CutLine.to({ host: '127.0.0.1', port: 1 });
    line.swallow();
    const service = await processes.begin({ DATABASE_URL: `postgresql://gatehouse@127.0.0.1:${line.port}/gatehouse` });
    await sleep(2_000);
    await expectQuickEnd(service);
    await line.close();
  });
});
