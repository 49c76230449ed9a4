import { Readable } from 'node:stream';
import { newId } from '../../foundation/crypto/id.js';
import type { OutboundAddresses } from '../../foundation/outbound/outbound-addresses.js';
import { TimeLimit } from '../../foundation/time/time-limit.js';
import { chunksOf } from './chunks.js';
import { EtagSum } from './etag-sum.js';
import type { ObjectStore } from './object-store.js';
import { nameOf as placeName, type S3Place } from './place.js';
import { S3Connection } from './s3-connection.js';
import type { S3Endpoint } from './s3-endpoint.js';
import { mayRetry, nameOf, statusOf, toStoreRefusal } from './s3-failure.js';
import { objectDamaged, objectExists, objectRemains, objectTooLarge } from './store.errors.js';
import { pause, TRANSFER_LIMITS, type TransferLimits, within } from './transfer.js';

const MAX_PARTS = 10_000;
/** Time to undo an unfinished upload after the time of the job is over. */
const TAKE_BACK_MS = 10_000;
/** Metadata of a file: the id of its upload and the size of its parts. */
const WRITING = 'gatehouse-writing';
const PART = 'gatehouse-part-bytes';

/** Metadata of a file. */
interface FileFacts {
  readonly bytes: number;
  readonly etag: string;
  readonly writing: string | undefined;
  readonly partBytes: number | undefined;
  /** The ETag is derived from the MD5 of the content. */
  readonly isTagSum: boolean;
}

/** An upload in progress. */
interface Writing {
  readonly name: string;
  readonly id: string;
  uploadId: string | undefined;
  readonly parts: Array<{ readonly PartNumber: number; readonly ETag: string | undefined }>;
  /** The request that creates the file was sent, but its outcome is unknown. */
  isUnsure: boolean;
}

/** A bucket of Amazon S3 or of a compatible storage. */
export class S3Store implements ObjectStore {
  private constructor(
    private readonly connection: S3Connection,
    private readonly place: S3Place,
    private readonly limits: TransferLimits,
  ) {}

  static async open(
    place: S3Place,
    endpoint: S3Endpoint,
    addresses: OutboundAddresses,
    limits = TRANSFER_LIMITS,
  ): Promise<S3Store> {
    return new S3Store(await S3Connection.open(endpoint, place.key, addresses), place, limits);
  }

  /**
   * Uploads in parts, from which the storage creates the file at the end; an abandoned upload leaves nothing. Each part
   * is verified by its SHA-256, which the signature of its request covers.
   * https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html
   */
  async write(name: string, source: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    const writing: Writing = { name, id: newId(), uploadId: undefined, parts: [], isUnsure: false };
    try {
      await this.refuseExisting(name, signal);
      for await (const { content, isLast } of chunksOf(source, this.limits.chunkBytes, () => undefined, signal)) {
        if (isLast && writing.uploadId === undefined) await this.put(writing, content, signal);
        else await this.putPart(writing, content, signal);
        if (isLast && writing.uploadId !== undefined) await this.complete(writing, signal);
      }
    } catch (error) {
      await this.takeBack(writing);
      throw error;
    } finally {
      this.connection.close();
    }
  }

  async read(name: string, signal: AbortSignal): Promise<Readable> {
    try {
      const facts = await this.persist('read', signal, (within) => this.look(name, within));
      return Readable.from(this.download(name, facts, signal), { objectMode: false, highWaterMark: 262_144 });
    } catch (error) {
      this.connection.close();
      throw error;
    }
  }

  /** Refused before anything is sent. Most storages check again when they create the file, but not all. */
  private async refuseExisting(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.persistRaw('write', signal, (within) => this.look(name, within));
    } catch (error) {
      // A key with write permission only may not be allowed to look.
      if ([403, 404].includes(statusOf(error) ?? 0)) return;
      throw this.toRefusal('write', error);
    }
    throw objectExists(placeName(this.place));
  }

  private async put(writing: Writing, content: Buffer, signal: AbortSignal): Promise<void> {
    const { client, commands } = this.connection;
    const file = { ...this.keyOf(writing.name), Body: content, Metadata: this.metadataOf(writing), IfNoneMatch: '*' };
    await this.make(writing, signal, (abortSignal) =>
      client.send(new commands.PutObjectCommand(file), { abortSignal }),
    );
  }

  private async putPart(writing: Writing, content: Buffer, signal: AbortSignal): Promise<void> {
    const { client, commands } = this.connection;
    const file = this.keyOf(writing.name);
    if (writing.uploadId === undefined) {
      const begin = { ...file, Metadata: this.metadataOf(writing) };
      const begun = await this.persist('write', signal, (abortSignal) =>
        client.send(new commands.CreateMultipartUploadCommand(begin), { abortSignal }),
      );
      writing.uploadId = begun.UploadId;
    }
    const PartNumber = writing.parts.length + 1;
    if (PartNumber > MAX_PARTS) throw objectTooLarge(placeName(this.place), this.limits.chunkBytes * MAX_PARTS);
    const part = { ...file, UploadId: writing.uploadId, PartNumber, Body: content };
    const { ETag } = await this.persist('write', signal, (abortSignal) =>
      client.send(new commands.UploadPartCommand(part), { abortSignal }),
    );
    writing.parts.push({ PartNumber, ETag });
  }

  private async complete(writing: Writing, signal: AbortSignal): Promise<void> {
    const { client, commands } = this.connection;
    const whole = {
      ...this.keyOf(writing.name),
      UploadId: writing.uploadId,
      MultipartUpload: { Parts: writing.parts },
      IfNoneMatch: '*',
    };
    await this.make(writing, signal, (abortSignal) =>
      client.send(new commands.CompleteMultipartUploadCommand(whole), { abortSignal }),
    );
    writing.uploadId = undefined;
  }

  /**
   * Creates the file only if it does not exist:
   * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html If the answer is lost, the stored
   * metadata shows whether it was created.
   */
  private async make(
    writing: Writing,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      try {
        await within(this.limits.silenceMs, signal, ask);
        writing.isUnsure = false;
        return;
      } catch (error) {
        if (writing.isUnsure && !mayRetry(error) && !signal.aborted && (await this.isOurs(writing, signal))) {
          writing.isUnsure = false;
          return;
        }
        // Refused: the file exists or is being written by another program. Nothing of ours is stored.
        if ([409, 412].includes(statusOf(error) ?? 0)) throw objectExists(placeName(this.place), nameOf(error));
        if (statusOf(error) === undefined || (statusOf(error) ?? 0) >= 500) writing.isUnsure = true;
        await this.waitOrGiveUp('write', error, failures, signal);
      }
    }
  }

  private async isOurs({ name, id }: Writing, signal: AbortSignal): Promise<boolean> {
    const facts = await this.persistRaw('write', signal, (abortSignal) => this.look(name, abortSignal)).catch(
      () => undefined,
    );
    return facts?.writing === id;
  }

  /** Cleans up after a failed upload: parts, which cost money, and a file that was created at the last moment. */
  private async takeBack(writing: Writing): Promise<void> {
    const { client, commands } = this.connection;
    using limit = new TimeLimit(TAKE_BACK_MS);
    const { signal } = limit;
    const file = this.keyOf(writing.name);
    const { uploadId: UploadId } = writing;
    if (UploadId !== undefined) {
      await this.persistRaw('write', signal, (abortSignal) =>
        client.send(new commands.AbortMultipartUploadCommand({ ...file, UploadId }), { abortSignal }),
      ).catch(() => undefined); // It is gone already, or the bucket's rule for unfinished uploads removes it.
    }
    if (!writing.isUnsure || !(await this.isOurs(writing, signal))) return;
    try {
      await this.persistRaw('write', signal, (abortSignal) =>
        client.send(new commands.DeleteObjectCommand(file), { abortSignal }),
      );
    } catch (error) {
      throw objectRemains(placeName(this.place), nameOf(error));
    }
  }

  private async look(name: string, abortSignal: AbortSignal): Promise<FileFacts> {
    const { client, commands, isAmazon } = this.connection;
    const {
      ContentLength = 0,
      ETag = '',
      Metadata = {},
      ServerSideEncryption: sse,
      SSECustomerAlgorithm: own,
    } = await client.send(new commands.HeadObjectCommand(this.keyOf(name)), { abortSignal });
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html: with other keys the ETag is not an MD5.
    const isTagSum = own === undefined && (sse === undefined || (sse === 'AES256' && isAmazon));
    return {
      bytes: ContentLength,
      etag: ETag,
      writing: Metadata[WRITING],
      partBytes: Number(Metadata[PART]) || undefined,
      isTagSum,
    };
  }

  /** The bytes of one version of a file; resumes after a broken connection. */
  private async *download(name: string, facts: FileFacts, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { client, commands } = this.connection;
    const sum = new EtagSum(facts.partBytes);
    let at = 0;
    try {
      for (let failures = 0; at < facts.bytes; ) {
        const silence = new AbortController();
        const timer = setTimeout(() => silence.abort(new Error('ETIMEDOUT: nothing came')), this.limits.silenceMs);
        try {
          const range = at === 0 ? {} : { Range: `bytes=${at}-` };
          const part = new commands.GetObjectCommand({
            ...this.keyOf(name),
            ...range,
            ...(facts.etag === '' ? {} : { IfMatch: facts.etag }),
          });
          const { Body } = await client.send(part, { abortSignal: AbortSignal.any([signal, silence.signal]) });
          for await (const chunk of Body as unknown as AsyncIterable<Buffer>) {
            timer.refresh();
            sum.update(chunk);
            at += chunk.length;
            failures = 0;
            yield chunk;
          }
          if (at < facts.bytes) throw new Error('premature close');
        } catch (error) {
          failures += 1;
          // The file was replaced while it was being read.
          if (statusOf(error) === 412) throw objectDamaged(placeName(this.place));
          await this.waitOrGiveUp('read', error, failures, signal);
        } finally {
          clearTimeout(timer);
          silence.abort();
        }
      }
      if (at !== facts.bytes || (facts.isTagSum && sum.contradicts(facts.etag)))
        throw objectDamaged(placeName(this.place));
    } finally {
      this.connection.close();
    }
  }

  private keyOf(Key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key };
  }

  private metadataOf({ id }: Writing): Record<string, string> {
    return { [WRITING]: id, [PART]: String(this.limits.chunkBytes) };
  }

  private async persist<T>(
    doing: 'read' | 'write',
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.persistRaw(doing, signal, ask);
    } catch (error) {
      signal.throwIfAborted();
      throw this.toRefusal(doing, error);
    }
  }

  /** @throws the client's last error if retrying cannot help, or no longer */
  private async persistRaw<T>(
    doing: 'read' | 'write',
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    for (let failures = 1; ; failures += 1) {
      try {
        signal.throwIfAborted();
        return await within(this.limits.silenceMs, signal, ask);
      } catch (error) {
        signal.throwIfAborted();
        if (failures > this.limits.retries || !mayRetry(error)) throw error;
        await pause(this.limits, failures, signal);
      }
    }
  }

  /** @throws the reason of the signal; DomainError if retrying cannot help, or no longer */
  private async waitOrGiveUp(
    doing: 'read' | 'write',
    error: unknown,
    failures: number,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    if (failures > this.limits.retries || !mayRetry(error)) throw this.toRefusal(doing, error);
    await pause(this.limits, failures, signal);
  }

  private toRefusal(doing: 'read' | 'write', error: unknown): unknown {
    return toStoreRefusal(error, doing, this.place.bucket, placeName(this.place));
  }
}
