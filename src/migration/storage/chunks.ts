import { addAbortSignal, Readable } from 'node:stream';

export interface Chunk {
  readonly content: Buffer;
  readonly isLast: boolean;
}

/**
 * The source in pieces of one size; a piece holds good until the next is asked for. `take` gets the bytes as they come,
 * little by little: the sum of a whole chunk would keep everybody else waiting.
 */
export async function* chunksOf(
  source: AsyncIterable<Uint8Array>,
  bytes: number,
  take: (part: Buffer) => void,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  try {
    for await (const piece of addAbortSignal(signal, Readable.from(source)) as AsyncIterable<Uint8Array>) {
      for (let taken = 0; taken < piece.length; ) {
        if (filled === bytes) {
          yield { content: buffer, isLast: false };
          filled = 0;
        }
        const part = piece.subarray(taken, taken + bytes - filled);
        buffer.set(part, filled);
        take(buffer.subarray(filled, filled + part.length));
        filled += part.length;
        taken += part.length;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
  signal.throwIfAborted();
  yield { content: buffer.subarray(0, filled), isLast: true };
}
