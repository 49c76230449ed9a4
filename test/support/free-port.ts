import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that operating systems give to outgoing connections and to servers that name none: another program
 * would take one of those between this answer and the start of the service. Each worker of the tests has its own.
 */
const FIRST = 20_000;
const PER_WORKER = 1_500;
const WORKERS = 8;
const TRIES = 100;

const first = FIRST + (Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS) * PER_WORKER;
/** Files of one worker follow one another, and a connection of the last one may still hold its port. */
let next = process.hrtime()[1] % PER_WORKER;

export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    next = (next + 1) % PER_WORKER;
    const port = first + next;
    if (await isFree(port)) return port;
  }
  throw new Error(`None of ${TRIES} ports from ${first} on is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return true;
  } catch {
    return false;
  }
}
