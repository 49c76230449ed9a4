import type { Readable } from 'node:stream';

/** Whoever sends nothing for so long has gone. */
const SILENCE_MS = 30_000;

/** Requests, and connections of HTTP/1.1, whose body takes as long as it takes. */
const long = new WeakSet<object>();

interface Sender extends Readable {
  readonly socket: object;
}

/** Whether the limit for whole requests does not count for what this request, or the one under way on this connection, sends. */
export function maySendLong(requestOrSocket: object): boolean {
  return long.has(requestOrSocket);
}

/**
 * The body of a request that may be large, as it comes. It may take longer than requests may take, but not pause longer.
 * What is not read any more stays open: a refusal still has to be sent through it.
 */
export async function* readLongBody(request: Sender, silenceMs = SILENCE_MS): AsyncGenerator<Uint8Array> {
  const { socket } = request;
  long.add(request).add(socket);
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  try {
    for (;;) {
      const timer = setTimeout(() => request.destroy(new Error('The sender has fallen silent.')), silenceMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    long.delete(socket);
    await chunks.return?.();
  }
}
