import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { TimeLimit } from '../time/time-limit.js';

/** Errors of a stream whose reader has disconnected or was too slow: not a defect. */
const GONE = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ABORT_ERR']);
/** The additional time for the last piece of an answer, after the time of the operation itself. */
const GRACE_MS = 10_000;
const BYTES_AHEAD = 65_536;

/**
 * Sends a JSON document whose pieces are made while the reader takes them: it is never in memory as a whole, and waits
 * for a slow reader, but no longer than the limit.
 * @throws what the first piece throws, before anything was sent; later errors end the connection
 */
export async function sendJsonPieces(
  request: ExpressRequest,
  response: ExpressResponse,
  pieces: AsyncGenerator<string>,
  limitMs: number,
): Promise<void> {
  const startedAt = performance.now();
  try {
    const first = await pieces.next();
    const all = Readable.from(onwards(first, pieces), { objectMode: false, highWaterMark: BYTES_AHEAD });
    response
      .status(200)
      .setHeader('Content-Type', 'application/json; charset=utf-8')
      .setHeader('Cache-Control', 'no-store')
      .setHeader('Vary', 'Accept-Encoding');
    const isZipped = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isZipped) response.setHeader('Content-Encoding', 'gzip');
    using limit = new TimeLimit(Math.max(0, Math.ceil(limitMs - (performance.now() - startedAt))) + GRACE_MS);
    const { signal } = limit;
    await (isZipped
      ? pipeline(all, createGzip({ level: 4 }), response, { signal })
      : pipeline(all, response, { signal }));
  } catch (error) {
    if (!GONE.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    // If the caller has disconnected before the first chunk, nothing consumes the stream, and its resources would never
    // be released.
    await pieces.return(undefined);
  }
}

async function* onwards(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (first.done !== true) yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
