import { PassThrough, pipeline, type Transform } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { ObjectStoreConfig } from '../../foundation/config/config.js';
import { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { asCall } from '../../foundation/trace/span.js';
import { GoogleStore } from './google-store.js';
import { LocalStore } from './local-store.js';
import type { ObjectStore } from './object-store.js';
import type { Place } from './place.js';
import { endpointOf } from './s3-endpoint.js';
import { S3Store } from './s3-store.js';
import { notGzip, storeUnknown } from './store.errors.js';

/** RFC 1952 §2.3.1. */
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Writes and reads files where a request says. Files named `….gz` are written compressed; compression of files that are
 * read is detected.
 */
@Injectable()
export class ObjectStores {
  constructor(
    private readonly config: ObjectStoreConfig,
    private readonly addresses: OutboundAddresses,
  ) {}

  /**
   * Checks beforehand that the store is available.
   * @throws DomainError FailedPrecondition `store.unknown`, `store.endpoint_refused`
   */
  check(place: Place): void {
    if (place.kind === 'directory' && this.config.directory === undefined) throw storeUnknown();
    if (place.kind === 's3') endpointOf(place, this.config.s3Endpoints);
  }

  /**
   * Returns the size of the file in bytes.
   * @throws as `ObjectStore.write`
   */
  async write(place: Place, document: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number> {
    const store = await this.open(place);
    const size = { bytes: 0 };
    const content = place.path.endsWith('.gz') ? through(document, createGzip({ level: 4 })) : document;
    await called('write', place, () => store.write(place.path, counted(content, size), signal));
    return size.bytes;
  }

  /** @throws as `ObjectStore.read` */
  async read(place: Place, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const store = await this.open(place);
    return unzipped(await called('read', place, () => store.read(place.path, signal)), place);
  }

  private async open(place: Place): Promise<ObjectStore> {
    if (place.kind === 's3') return S3Store.open(place, endpointOf(place, this.config.s3Endpoints), this.addresses);
    if (place.kind === 'bucket') return GoogleStore.open(place.bucket, place.account, this.config);
    if (this.config.directory === undefined) throw storeUnknown();
    return new LocalStore(this.config.directory);
  }
}

/** Reported by what is done: the names of buckets and files are their owner's. The content is read after `read`. */
async function called<T>(act: 'read' | 'write', place: Place, work: () => Promise<T>): Promise<T> {
  return place.kind === 'directory' ? work() : asCall(`object storage ${act}`, () => ({}), work);
}

async function* counted(content: AsyncIterable<Uint8Array>, size: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    size.bytes += piece.length;
    yield piece;
  }
}

async function* unzipped(file: AsyncIterable<Uint8Array>, place: Place): AsyncGenerator<Uint8Array> {
  const beginning: Uint8Array[] = [];
  const chunks = file[Symbol.asyncIterator]();
  while (Buffer.concat(beginning).length < GZIP.length) {
    const next = await chunks.next();
    if (next.done === true) break;
    beginning.push(next.value);
  }
  async function* all(): AsyncGenerator<Uint8Array> {
    yield* beginning;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  try {
    if (!Buffer.concat(beginning).subarray(0, GZIP.length).equals(GZIP)) yield* all();
    else yield* through(all(), createGunzip());
  } catch (error) {
    throw String((error as { readonly code?: unknown }).code).startsWith('Z_') ? notGzip(place.path) : error;
  } finally {
    await chunks.return?.();
  }
}

/** Errors of the source become errors of the result. */
function through(source: AsyncIterable<Uint8Array>, transform: Transform): AsyncIterable<Uint8Array> {
  pipeline(source, transform, () => undefined);
  return transform;
}

/**
 * Passes a document on while it is also being written. The last piece comes only when the file is stored, so receiving
 * all of it proves that; ending the iteration early ends the writing.
 */
export async function* alongside(
  pieces: AsyncGenerator<string>,
  write: (document: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<unknown>,
): AsyncGenerator<string> {
  const stop = new AbortController();
  const file = new PassThrough({ highWaterMark: 262_144 }).on('error', () => undefined);
  const first = await pieces.next();
  const written = write(file, stop.signal);
  written.catch(() => file.destroy());
  try {
    let held = first;
    while (held.done !== true) {
      if (!file.write(held.value)) await Promise.race([new Promise((resolve) => file.once('drain', resolve)), written]);
      const next = await pieces.next();
      if (next.done === true) {
        file.end();
        await written;
      }
      yield held.value;
      held = next;
    }
  } finally {
    stop.abort(new Error('given up'));
    file.destroy();
    await pieces.return(undefined);
    await written.catch(() => undefined);
  }
}
