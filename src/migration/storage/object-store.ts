import type { Readable } from 'node:stream';

/** Stores files that are too large for a request. */
export interface ObjectStore {
  /**
   * Writes a file completely and verified, or not at all. Never replaces an existing file.
   * @throws DomainError `store.…`, any error of the source, and the reason of the signal
   */
  write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Written>;

  /**
   * Reads a file; the stream fails if the content is damaged or ends early.
   * @throws DomainError `store.…`, here or from the stream
   */
  read(name: string, signal: AbortSignal): Promise<Readable>;
}

export interface Written {
  /** For display: `gs://bucket/name`. */
  readonly place: string;
  readonly bytes: number;
}
