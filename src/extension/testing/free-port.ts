import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that operating systems give to outgoing connections and to servers that name none: another program
 * would take one of those between the answer and the start of the service.
 */
const FIRST = 20_000;
const PER_PROCESS = 1_500;
const PROCESSES = 8;
const TRIES = 100;

/** Ports of one of several processes that start services at the same time. */
export class PortRange {
  private readonly first: number;
  /** A random beginning, since what ran before in this process may still hold connections. */
  private next = process.hrtime()[1] % PER_PROCESS;

  /** @param place of the process among those that run */
  constructor(place: number) {
    this.first = FIRST + (place % PROCESSES) * PER_PROCESS;
  }

  /** A port that is free at the moment. */
  async free(): Promise<number> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      this.next = (this.next + 1) % PER_PROCESS;
      const port = this.first + this.next;
      if (await isFree(port)) return port;
    }
    throw new Error(`None of ${TRIES} ports from ${this.first} on is free.`);
  }
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
