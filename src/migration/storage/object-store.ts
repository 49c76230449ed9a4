import type { Readable } from 'node:stream';

/** Where files are kept that are too large to hand over in a request. */
export interface ObjectStore {
  /**
   * Writes a file: whole and checked, or not at all. What is there already under that name is never replaced.
   * @throws DomainError `store.…`, whatever the source throws, and the reason of the signal
   */
  write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Written>;

  /**
   * A file as it was written; the stream fails when what arrives is damaged or ends early.
   * @throws DomainError `store.…`, here or out of the stream
   */
  read(name: string, signal: AbortSignal): Promise<Readable>;
}

export interface Written {
  /** For people: `gs://bucket/name`. */
  readonly place: string;
  readonly bytes: number;
}
