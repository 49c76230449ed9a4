import type { ChildProcess } from 'node:child_process';

/** The message by which Node gives a worker a connection to serve. */
interface NewConnection {
  readonly act?: unknown;
  readonly key?: unknown;
}

interface Handle {
  close(): void;
}

/**
 * Closes the connection that a worker was given last on each port when it ends. Node keeps one until the worker has
 * said that it has it; if the worker is killed before, the client would wait for an answer for ever. Closing one that
 * the worker did take has no effect: Node has closed its own end already.
 */
export function closeWhenEnded(worker: ChildProcess): void {
  const given = new Map<unknown, Handle>();
  const send = worker.send.bind(worker) as (...values: unknown[]) => boolean;
  worker.send = (...values: unknown[]): boolean => {
    const [message, handle] = values as [NewConnection | undefined, Handle | undefined];
    if (message?.act === 'newconn' && handle) given.set(message.key, handle);
    return send(...values);
  };
  worker.once('exit', () => {
    for (const handle of given.values()) handle.close();
  });
}
