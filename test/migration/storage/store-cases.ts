import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { DomainError } from '../../../src/foundation/error/domain-error.js';
import type { ObjectStore } from '../../../src/migration/storage/object-store.js';
import { TRANSFER_LIMITS, type TransferLimits } from '../../../src/migration/storage/transfer.js';

/** What the tests of every object storage share. */

/**
 * The size of the chunks and parts in which files are sent: smaller than in production, and more than one read of a
 * stream.
 */
export const PART = 524_288;
/** More than two parts. */
export const LARGE = Buffer.alloc(2 * PART + 1_000, 'every organization with all that belongs to it, ');
/** The same for the size that production has. */
export const LARGE_IN_PRODUCTION = Buffer.alloc(2 * TRANSFER_LIMITS.chunkBytes + 1_000, 'every organization ');
export const NAME = '2026/all.json';

/** A storage server of its own, and the store as the service opens it. */
export abstract class StorePlace<Kind extends string> {
  readonly abort = new AbortController();
  /** Longer than any test, unless silence is what it is about. */
  silenceMs = 60_000;
  chunkBytes = PART;

  abstract readonly server: {
    readonly asked: readonly string[];
    order(kind: Kind, ...faults: Array<'silence'>): void;
  };

  abstract open(bucket?: string): Promise<ObjectStore>;

  protected get limits(): TransferLimits {
    return { chunkBytes: this.chunkBytes, retries: 3, maxDelayMs: 20, silenceMs: this.silenceMs };
  }

  async write(source: Buffer | AsyncIterable<Uint8Array>, name = NAME, bucket = 'moves'): Promise<unknown> {
    return (await this.open(bucket)).write(name, Buffer.isBuffer(source) ? pieces(source) : source, this.abort.signal);
  }

  async read(name = NAME, bucket = 'moves'): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of await (await this.open(bucket)).read(name, this.abort.signal))
      chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  async untilAsked(kind: Kind): Promise<void> {
    while (!this.server.asked.includes(kind)) await sleep(5);
  }
}

export function pieces(content: Buffer, size = 65_536): Readable {
  return Readable.from(
    (function* cut() {
      for (let from = 0; from < content.length; from += size) yield content.subarray(from, from + size);
    })(),
  );
}

export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
}

/** The reason of a refusal, whose text must not contain `secrets`. */
export async function reasonOf(work: Promise<unknown>, secrets: RegExp): Promise<string> {
  const error = await errorOf(work);
  if (!(error instanceof DomainError)) throw new Error(`Not refused: ${String(error)}`);
  expect(`${error.message} ${String(error.cause)}`).not.toMatch(secrets);
  return error.reason;
}

/** Reading from a silent storage. `full` runs a test with a place in which the file `NAME` contains `LARGE`. */
export function itEndsSilence<Place extends StorePlace<'look' | 'download'>>(
  full: (work: (place: Place) => Promise<void>) => () => Promise<void>,
): void {
  for (const kind of ['look', 'download'] as const) {
    it.concurrent(
      `is retried if the storage is silent for too long (${kind})`,
      full(async (place) => {
        place.silenceMs = 2_000;
        place.server.order(kind, 'silence');
        expect((await place.read()).equals(LARGE)).toBe(true);
      }),
    );

    it.concurrent(
      `ends if it is cancelled while the storage is silent (${kind})`,
      full(async (place) => {
        place.server.order(kind, 'silence');
        const error = errorOf(place.read());
        await place.untilAsked(kind);
        place.abort.abort(new Error('too slow'));
        expect(await error).toEqual(new Error('too slow'));
      }),
    );
  }
}
