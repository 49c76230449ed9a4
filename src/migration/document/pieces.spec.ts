import { describe, expect, it } from '@jest/globals';
import { inPieces } from './pieces.js';

async function* arriving(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

describe('A document in pieces', () => {
  it('has the same bytes', async () => {
    const chunks = [1, 4_096, 10_000, 0, 65_536].map((length) => Buffer.alloc(length, length % 251));
    const pieces: Uint8Array[] = [];
    for await (const piece of inPieces(arriving(...chunks))) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(4_096);
  });

  it('lets requests of others go on between two pieces that take long, although all of it has arrived', async () => {
    let turns = 0;
    let isOver = false;
    const others = (): void => {
      turns += 1;
      if (!isOver) setImmediate(others);
    };
    setImmediate(others);
    for await (const _ of inPieces(arriving(Buffer.alloc(10 * 4_096)))) work(2);
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
