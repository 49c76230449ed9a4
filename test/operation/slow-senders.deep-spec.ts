import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { HttpAdapterHost } from '@nestjs/core';
import { send } from '../support/http.js';
import { paths } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

const SENDERS = 200;
/** Headers may take 15 s, and Node looks every 5 s; the rest is for a busy machine. */
const LIMIT_MS = 50_000;
/** Of hundreds that are sent before the first slow sender may be cut off. */
const LEAST_SERVED = 10;

let world: World;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
});
afterAll(() => world.close());

/** Sends a beginning, then one byte every two seconds; how long the service bears it, in milliseconds. */
async function dripped(beginning: string): Promise<number> {
  const begin = performance.now();
  const socket = connect(Number(new URL(world.origin).port), '127.0.0.1', () => socket.write(beginning));
  const drip = setInterval(() => socket.write('x'), 2000);
  socket.on('error', () => undefined); // a reset is an end as well
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  return performance.now() - begin;
}

it(
  'Senders that never finish their headers are cut off, and others are served meanwhile [OPS-004]',
  async () => {
    const head = `POST ${paths.token} HTTP/1.1\r\nHost: x\r\nX-Slow: `;
    const slow = Array.from({ length: SENDERS }, () => dripped(head));
    const silent = dripped('');
    let isOneCutOff = false;
    void Promise.race(slow).then(() => (isOneCutOff = true));
    let served = 0;
    const probe = async (): Promise<void> => {
      while (!isOneCutOff) {
        await send(world.origin, { path: paths.discovery });
        if (!isOneCutOff) served += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const probing = probe();
    expect(Math.max(...(await Promise.all([...slow, silent])))).toBeLessThan(LIMIT_MS);
    await probing;
    expect(served).toBeGreaterThan(LEAST_SERVED);
  },
  LIMIT_MS + 10_000,
);

it('Senders of a body have 30 s for the whole request', () => {
  const server = world.get(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
  expect(server.requestTimeout).toBe(30_000);
  expect(server).toHaveProperty('connectionsCheckingInterval', 5_000);
});
