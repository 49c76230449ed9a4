import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const SWEEP_MS = 100;

/** @throws the error of the operating system, such as EADDRINUSE */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Stops a server without failing a request (OPS-001): for `delayMs` it still accepts connections and closes each after
 * its answer; then it accepts no more and lets running requests finish; requests that take longer than another
 * `limitMs` are aborted.
 */
export async function drain(server: Server, { delayMs, limitMs }: { delayMs: number; limitMs: number }): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  await sleep(delayMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose request began before the draining stays open after its answer, since its client was not asked to close it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
