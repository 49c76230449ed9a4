import type { Server } from 'node:http';
import { Server as TcpServer } from 'node:net';
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

export interface DrainLimits {
  /** How long connections stay open that only wait: a request may be on its way. */
  readonly delayMs: number;
  /** How long requests that are being answered may then take. */
  readonly limitMs: number;
  /** False if another process takes the new connections of the port. */
  readonly accepts?: boolean;
}

/**
 * Stops a server without failing a request (OPS-001): for `delayMs` it still accepts connections and closes each after
 * its answer; then it accepts no more and lets running requests finish; requests that take longer than another
 * `limitMs` are aborted.
 */
export async function drain(server: Server, { delayMs, limitMs, accepts = true }: DrainLimits): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'));
  // The server of HTTP would at once close connections that wait as well.
  if (!accepts) TcpServer.prototype.close.call(server);
  await sleep(delayMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose request began before the draining stays open after its answer, since its client was not asked to
  // close it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const limit = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
