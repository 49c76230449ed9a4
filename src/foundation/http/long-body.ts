import type { Readable } from 'node:stream';

/** A sender that is silent for this long has gone. */
const SILENCE_MS = 30_000;

/** Requests, and HTTP/1.1 connections, without a time limit for the body. */
const long = new WeakSet<object>();

interface Sender extends Readable {
  readonly socket: object;
}

/** Whether the limit for whole requests does not apply to this request, or to the current one on this connection. */
export function maySendLong(requestOrSocket: object): boolean {
  return long.has(requestOrSocket);
}

/**
 * The stream of a request body that may be large. It may take longer than other requests, but not pause longer. The
 * connection stays open even if the rest is not read: a refusal must still be sent through it.
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
