import { setImmediate } from 'node:timers/promises';

/** The size of some ten users. */
const PIECE_BYTES = 4_096;
/** A user who signs in meanwhile waits for several turns of the event loop, each at least as long as this. */
const TURN_MS = 1;

/**
 * Passes the same bytes on in small pieces, with a turn of the event loop between them whenever working on them has
 * taken a millisecond: what arrives at once, such as 64 kB of a body, takes ten times as long, and requests of others
 * would wait for all of it in each of their own turns.
 */
export async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let turnEndsAt = performance.now() + TURN_MS;
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      yield chunk.subarray(at, at + PIECE_BYTES);
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
  }
}
