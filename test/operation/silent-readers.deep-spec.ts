import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { send } from '../support/http.js';
import { bareHttp2, FRAME, headerBlock, http2Frame } from '../support/http2.js';
import { png } from '../support/images.js';
import { paths } from '../support/relying-party.js';
import { type ServiceProcess, startProcess } from '../support/service-process.js';
import { startWorld } from '../support/world.js';

const READERS = 500;
const MOST_MEGABYTES = 50;
const STREAMS = 100;
const LARGEST = ['/docs-json', '/docs-yaml', '/docs/reference'];
const OTHERS = ['/docs', '/docs/assets/x/swagger-ui-bundle.js', paths.discovery, '/ui/login/signed-out'];

/** RFC 9113 §6.5.2, §6.9: nothing is wanted on any stream; or all, and then nothing is read from the connection. */
const WINDOW = { none: 0, all: 2 ** 31 - 1 } as const;

const open: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Connections on which the path is asked for, and nothing is read: more than the operating system takes for them. */
async function silent(origin: string, path: string, count: number, write = getOf): Promise<Socket[]> {
  const { hostname, port } = new URL(origin);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname).pause();
      socket.on('error', () => undefined); // a reset is an end as well
      open.push(() => socket.destroy());
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(write(path));
      return socket;
    }),
  );
}

function getOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(5);
}

async function silentHttp2(origin: string, path: string, window: number): Promise<Socket> {
  const socket = await bareHttp2(origin);
  open.push(() => socket.destroy());
  const size = Buffer.from([0, 4, 0, 0, 0, 0]);
  size.writeUInt32BE(window, 2);
  const fields = headerBlock([
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', path],
  ]);
  const asked = Array.from({ length: STREAMS }, (_, index) =>
    http2Frame(FRAME.headers, fields, { flags: 0x5, stream: 2 * index + 1 }),
  );
  const more = Buffer.alloc(4);
  more.writeUInt32BE(WINDOW.all - 65_535);
  socket.pause().write(Buffer.concat([http2Frame(FRAME.settings, size), http2Frame(8, more), ...asked]));
  return socket;
}

async function setLogo(service: ServiceProcess): Promise<string> {
  const token = readFileSync(join(service.dataDir, 'admin.pat'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const { orgId } = JSON.parse(readFileSync(join(service.dataDir, 'first-run.json'), 'utf8')) as { orgId: string };
  const call = async (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    type: string,
    method = 'POST',
  ): Promise<number> =>
    (await fetch(`${service.origin}${path}`, { method, headers: { ...headers, 'content-type': type }, body })).status;
  expect([
    await call('/management/v1/policies/label', '{}', 'application/json'),
    await call('/management/v1/policies/label/logo', Uint8Array.from(png({ bytes: 500_000 })), 'image/png', 'PUT'),
    await call('/management/v1/policies/label/_activate', '{}', 'application/json'),
  ]).toEqual([200, 200, 200]);
  return `/assets/${orgId}/logo`;
}

describe('Readers who take nothing of their answers', () => {
  it('cost next to no memory, hundreds of them, on whichever public path [OPS-014]', async () => {
    const service = await startProcess();
    open.push(() => service.close());
    const { origin } = service;
    const logo = await setLogo(service);
    const asked = [...LARGEST, ...OTHERS, logo];
    // What is made once, and what the first of several answers at once take.
    for (const path of asked) await Promise.all([1, 2, 3, 4].map(() => send(origin, { path })));
    const before = service.peakMegabytes();
    for (const path of asked) await silent(origin, path, READERS / asked.length);
    await silent(origin, OTHERS[0]!, READERS / 5, (path) => getOf(path).repeat(STREAMS / 5));
    await sleep(500);
    expect((await send(origin, { path: '/health/ready' })).status).toBe(200);
    expect(service.peakMegabytes() - before).toBeLessThan(MOST_MEGABYTES);
  }, 120_000);

  it('do not cost more by asking a hundred times over one connection of HTTP/2 [OPS-014]', async () => {
    const service = await startProcess();
    open.push(() => service.close());
    const { origin } = service;
    await send(origin, { path: '/docs-json' });
    const before = service.peakMegabytes();
    for (const window of Object.values(WINDOW))
      for (let count = 0; count < 5; count += 1) await silentHttp2(origin, '/docs-json', window);
    await sleep(500);
    expect((await send(origin, { path: '/health/ready' })).status).toBe(200);
    expect(service.peakMegabytes() - before).toBeLessThan(MOST_MEGABYTES);
  }, 120_000);

  it('lose their connections once the answer has made no progress for the limit [OPS-014]', async () => {
    // Node looks at the end of that time whether anything has moved since its beginning: 25 to 50 s.
    expect(new Timeouts().unreadMs).toBe(25_000);
    const timeouts = new Timeouts(10_000, 10_000, 10_000, 500);
    const world = await startWorld({ realTime: true, timeouts });
    open.push(() => world.close());
    const { origin } = world;
    await send(origin, { path: '/docs-json' }); // made once
    const connections = async (): Promise<number> =>
      new Promise((resolve) => world.application.getHttpServer().getConnections((_: unknown, n: number) => resolve(n)));
    // Counted as they come: on a slow machine the first are cut before the last is there.
    let accepted = 0;
    world.application.getHttpServer().on('connection', () => (accepted += 1));
    await silent(origin, '/docs-json', 20);
    for (const window of Object.values(WINDOW))
      for (let count = 0; count < 2; count += 1) await silentHttp2(origin, '/docs-json', window);
    for (let tries = 0; accepted < 24 && tries < 100; tries += 1) await sleep(10);
    expect(accepted).toBeGreaterThanOrEqual(24);
    // Long answers are sent in turn, so that each waits until the ones before it are cut.
    for (let tries = 0; (await connections()) > 1 && tries < 900; tries += 1) await sleep(100);
    // That of the one who has read.
    expect(await connections()).toBeLessThanOrEqual(1);
  }, 120_000);
});
