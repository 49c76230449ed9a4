import { setTimeout as sleep } from 'node:timers/promises';
import { types } from 'node:util';
import { DomainError } from '../../foundation/error/domain-error.js';
import type { PartCall, PartCalls } from '../../foundation/extension/part-calls.js';
import type { Filled } from '../../foundation/extension/seam.js';
import { asExtension } from '../../foundation/log/running-extension.js';
import { TimeLimit } from '../../foundation/time/time-limit.js';
import { HandedContent } from './handed-content.js';
import {
  type ExtObjectStore,
  OBJECT_STORE,
  ObjectExists,
  ObjectMissing,
  type ObjectStore,
  objectStoreName,
} from './object-store.js';
import { extStoreFailed, objectExists, objectMissing } from './store.errors.js';
import { TRANSFER_LIMITS, unlessAborted } from './transfer.js';
import { WaitLimit } from './wait-limit.js';

export interface StoreLimits {
  /** The time in which a store takes or gives the next piece, and finishes after the last one. */
  readonly silenceMs: number;
  /** The time in which a store cleans up after that. */
  readonly graceMs: number;
}

const STORE_LIMITS: StoreLimits = { silenceMs: TRANSFER_LIMITS.silenceMs, graceMs: 10_000 };

/**
 * An object store of an extension, which may fail, hang and lie: nothing of that reaches further than the job, and the
 * log names it.
 */
export class GuardedStore implements ObjectStore {
  constructor(
    private readonly store: Filled<ExtObjectStore>,
    private readonly calls: PartCalls,
    private readonly limits: StoreLimits = STORE_LIMITS,
  ) {}

  /** @throws DomainError Unavailable `extension.object_store_failed`, and as the interface says */
  async write(path: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waitLimit = new WaitLimit(this.limits.silenceMs);
    const stop = AbortSignal.any([signal, waitLimit.signal]);
    const handed = new HandedContent(content, waitLimit, stop);
    try {
      waitLimit.start();
      await this.givenUp(async () => this.store.part.write(path, handed, stop), stop);
      if (!handed.isWhole) throw new StoreFault('write has resolved although its content had not ended.');
    } catch (error) {
      throw this.toFailure(path, error, signal, handed);
    } finally {
      waitLimit.stop();
      handed.end();
    }
  }

  /**
   * @throws DomainError Unavailable `extension.object_store_failed`, here or from the iteration, and as the interface
   * says
   */
  async read(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    signal.throwIfAborted();
    const waitLimit = new WaitLimit(this.limits.silenceMs);
    const stop = AbortSignal.any([signal, waitLimit.signal]);
    try {
      waitLimit.start();
      const content: unknown = await this.givenUp(async () => this.store.part.read(path, stop), stop);
      const iterator = (content as Partial<AsyncIterable<unknown>> | undefined)?.[Symbol.asyncIterator]?.();
      if (typeof iterator?.next !== 'function')
        throw new StoreFault('read has answered something that cannot be iterated.');
      return this.pieces(path, iterator, { waitLimit, signal, stop });
    } catch (error) {
      throw this.toFailure(path, error, signal);
    } finally {
      waitLimit.stop();
    }
  }

  private async *pieces(
    path: string,
    iterator: AsyncIterator<unknown>,
    { waitLimit, signal, stop }: { waitLimit: WaitLimit; signal: AbortSignal; stop: AbortSignal },
  ): AsyncGenerator<Uint8Array> {
    let hasEnded = false;
    try {
      for (;;) {
        waitLimit.start();
        const next = await unlessAborted(
          asExtension(this.store.extension, async () => iterator.next()),
          stop,
        );
        waitLimit.stop();
        if (next.done === true) break;
        const { value } = next;
        if (!types.isUint8Array(value)) throw new StoreFault('read gives pieces that are not bytes.');
        yield value;
      }
      hasEnded = true;
    } catch (error) {
      throw this.toFailure(path, error, signal);
    } finally {
      waitLimit.stop();
      if (!hasEnded) await this.letGo(iterator);
    }
  }

  /** What `work` resolves to. Once `stop` is aborted it has a while to clean up, and what it does later is ignored. */
  private async givenUp<T>(work: () => Promise<T>, stop: AbortSignal): Promise<T> {
    const end = this.calls.begin(this.call);
    const over = new AbortController();
    const working = asExtension(this.store.extension, work);
    const late = unlessAborted(new Promise<never>(() => undefined), stop).catch(async (cause: unknown) => {
      await sleep(this.limits.graceMs, undefined, { signal: over.signal, ref: false });
      throw new StoreFault(`It goes on ${this.limits.graceMs} ms after its signal was aborted.`, { cause });
    });
    late.catch(() => undefined); // It is ended below.
    try {
      return await Promise.race([working, late]);
    } finally {
      over.abort();
      end();
    }
  }

  private async letGo(iterator: AsyncIterator<unknown>): Promise<void> {
    using limit = new TimeLimit(this.limits.graceMs);
    const ending = (async () => iterator.return?.())().catch(() => undefined);
    await Promise.race([ending, limit.passed]);
  }

  /** What to throw for an error: only one that is the extension's own fault is logged and counted as its failure. */
  private toFailure(path: string, error: unknown, signal: AbortSignal, content?: HandedContent): unknown {
    const place = `${objectStoreName(this.store)}/${path}`;
    const failed = error instanceof StoreFault ? this.fail(error) : undefined;
    if (content?.hasFailed === true) return content.failure;
    if (signal.aborted) return signal.reason;
    if (error instanceof ObjectExists) return objectExists(place, error);
    if (error instanceof ObjectMissing) return objectMissing(place, error);
    if (error instanceof DomainError) return error;
    return extStoreFailed(place, failed ?? this.fail(error));
  }

  private fail(error: unknown): Error {
    return this.calls.fail(this.call, types.isNativeError(error) ? error : new Error(String(error)));
  }

  private get call(): PartCall<ExtObjectStore> {
    return { seam: OBJECT_STORE, of: this.store, limitMs: this.limits.silenceMs };
  }
}

/** What no store may do, whatever has happened before. */
class StoreFault extends Error {}
