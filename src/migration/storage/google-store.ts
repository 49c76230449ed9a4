import { Readable } from 'node:stream';
import type { CRC32C, File } from '@google-cloud/storage';
import { chunksOf } from './chunks.js';
import { type Asked, GoogleConnection, type GoogleSettings, type Metadata } from './google-connection.js';
import { isUploadGone, mayRetry, statusOf, toStoreRefusal } from './google-failure.js';
import type { ObjectStore } from './object-store.js';
import type { ServiceAccount } from './service-account.js';
import { damagedRemains, objectDamaged, storeUnavailable } from './store.errors.js';
import { pause, TRANSFER_LIMITS, type TransferLimits, unlessAborted, within } from './transfer.js';

const INCOMPLETE = 308;

/**
 * A bucket of Google Cloud Storage, through its official client. Uploads and downloads are requests of our own, because
 * the client's streams do not resume after a broken connection (docs/adr/0025-object-storage.md).
 */
export class GoogleStore implements ObjectStore {
  private constructor(
    private readonly connection: GoogleConnection,
    private readonly limits: TransferLimits,
  ) {}

  static async open(
    bucket: string,
    account: ServiceAccount,
    settings: GoogleSettings & { readonly limits?: TransferLimits },
  ): Promise<GoogleStore> {
    return new GoogleStore(await GoogleConnection.open(bucket, account, settings), settings.limits ?? TRANSFER_LIMITS);
  }

  /**
   * Uploads in chunks to a session, which creates the file with the last chunk; an abandoned upload leaves nothing.
   * https://cloud.google.com/storage/docs/performing-resumable-uploads
   */
  async write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const file = this.connection.file(name);
    const sum = this.connection.checksum();
    // The upload fails if the file exists: https://cloud.google.com/storage/docs/request-preconditions
    const [session] = await this.persist('write', name, signal, () =>
      file.createResumableUpload({ preconditionOpts: { ifGenerationMatch: 0 } }),
    );
    let at = 0;
    for await (const { content, isLast } of chunksOf(
      source,
      this.limits.chunkBytes,
      (part) => sum.update(part),
      signal,
    )) {
      const metadata = await this.sendChunk({ session, name, content, at, isLast, crc32c: sum.toString() }, signal);
      at += content.length;
      if (isLast) await this.checkArrived(file, metadata, sum.toString(), at);
    }
  }

  async read(name: string, signal: AbortSignal): Promise<Readable> {
    const sum = this.connection.checksum();
    const [metadata] = await this.persist('read', name, signal, () => this.connection.file(name).getMetadata());
    return Readable.from(this.download(name, metadata, sum, signal), { objectMode: false, highWaterMark: 262_144 });
  }

  /** Returns the metadata of the file once it is complete. */
  private async sendChunk(chunk: Sent, signal: AbortSignal): Promise<Metadata | undefined> {
    const { session, name, content, at, isLast, crc32c } = chunk;
    const end = at + content.length;
    const total = isLast ? String(end) : '*';
    let from = at;
    let isUnsure = false;
    for (let failures = 0; ; ) {
      try {
        const range = isUnsure
          ? `bytes */${total}`
          : from === end
            ? `bytes */${end}`
            : `bytes ${from}-${end - 1}/${total}`;
        const sum = isLast && !isUnsure ? { 'X-Goog-Hash': `crc32c=${crc32c}` } : {};
        const body = isUnsure ? Buffer.alloc(0) : content.subarray(from - at);
        const answer = await within(this.limits.silenceMs, signal, (limited) =>
          this.connection.ask<Metadata>({
            method: 'PUT',
            url: session,
            signal: limited,
            isExpected: (status) => status < 300 || status === INCOMPLETE,
            headers: { 'Content-Range': range, ...sum },
            body,
          }),
        );
        if (answer.status !== INCOMPLETE) return answer.data;
        const kept = Number(/-(\d+)$/.exec(answer.headers.get('range') ?? '')?.[1] ?? -1) + 1;
        // Bytes that the storage had confirmed are no longer in memory.
        if (kept < at || kept > end)
          throw storeUnavailable(this.placeOf(name), `the storage has ${kept} bytes of ${at} to ${end}`);
        if (kept === end && !isLast) return undefined;
        if (kept === from && !isUnsure) failures += 1;
        if (failures > this.limits.retries) throw storeUnavailable(this.placeOf(name), 'the storage keeps nothing');
        from = kept;
        isUnsure = false;
      } catch (error) {
        failures += 1;
        if (isUploadGone(error)) throw storeUnavailable(this.placeOf(name), 'the upload was forgotten');
        await this.waitOrGiveUp('write', error, name, failures, signal);
        isUnsure = true;
      }
    }
  }

  private async checkArrived(
    file: File,
    { crc32c, size, generation }: Metadata = {},
    expected: string,
    bytes: number,
  ): Promise<void> {
    if (crc32c === expected && Number(size) === bytes) return;
    const place = this.placeOf(file.name);
    try {
      await file.delete({
        ignoreNotFound: true,
        ...(generation === undefined ? {} : { ifGenerationMatch: generation }),
      });
    } catch (error) {
      throw damagedRemains(place, String(statusOf(error) ?? ''));
    }
    throw objectDamaged(place);
  }

  /** The bytes of one generation of a file; resumes after a broken connection. */
  private async *download(
    name: string,
    { size, crc32c, generation }: Metadata,
    sum: CRC32C,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const bytes = Number(size);
    let at = 0;
    for (let failures = 0; at < bytes; ) {
      const silence = new AbortController();
      const timer = setTimeout(() => silence.abort(new Error('ETIMEDOUT: nothing came')), this.limits.silenceMs);
      try {
        const { data } = await this.connection.ask<Readable>(
          this.part(name, generation, at, AbortSignal.any([signal, silence.signal])),
        );
        for await (const chunk of data as AsyncIterable<Buffer>) {
          timer.refresh();
          sum.update(chunk);
          at += chunk.length;
          failures = 0;
          yield chunk;
        }
        if (at < bytes) throw new Error('premature close');
      } catch (error) {
        failures += 1;
        await this.waitOrGiveUp('read', error, name, failures, signal);
      } finally {
        clearTimeout(timer);
        silence.abort();
      }
    }
    if (at !== bytes || (crc32c !== undefined && sum.toString() !== crc32c)) throw objectDamaged(this.placeOf(name));
  }

  private part(name: string, generation: string | number | undefined, from: number, signal: AbortSignal): Asked {
    const query = new URLSearchParams({
      alt: 'media',
      ...(generation === undefined ? {} : { generation: String(generation) }),
    });
    const headers = { 'Accept-Encoding': 'identity', ...(from === 0 ? {} : { Range: `bytes=${from}-` }) };
    return {
      method: 'GET',
      url: `${this.connection.urlOf(name)}?${query}`,
      headers,
      signal,
      responseType: 'stream',
      isExpected: (status) => status === (from === 0 ? 200 : 206),
    };
  }

  private async persist<T>(
    doing: 'read' | 'write',
    name: string,
    signal: AbortSignal,
    ask: () => Promise<T>,
  ): Promise<T> {
    for (let failures = 1; ; failures += 1) {
      try {
        return await within(this.limits.silenceMs, signal, (limited) => unlessAborted(ask(), limited));
      } catch (error) {
        await this.waitOrGiveUp(doing, error, name, failures, signal);
      }
    }
  }

  /** @throws the reason of the signal; DomainError if retrying cannot help, or no longer */
  private async waitOrGiveUp(
    doing: 'read' | 'write',
    error: unknown,
    name: string,
    failures: number,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    if (failures > this.limits.retries || !mayRetry(error)) {
      throw toStoreRefusal(error, {
        doing,
        bucket: this.connection.bucketName,
        place: this.placeOf(name),
        tokensFrom: this.connection.tokensFrom,
      });
    }
    await pause(this.limits, failures, signal);
  }

  private placeOf(name: string): string {
    return `gs://${this.connection.bucketName}/${name}`;
  }
}

interface Sent {
  /** Address of the upload, which is all that is needed to continue it. */
  readonly session: string;
  readonly name: string;
  readonly content: Buffer;
  /** Offset in the file. */
  readonly at: number;
  readonly isLast: boolean;
  /** Checksum of the file up to the end of this chunk. */
  readonly crc32c: string;
}
