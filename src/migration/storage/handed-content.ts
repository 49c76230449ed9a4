import { unlessAborted } from './transfer.js';
import type { WaitLimit } from './wait-limit.js';

/**
 * Content in the hands of an extension: piece by piece as it asks, once, and nothing after the end of the call.
 * Remembers whether all of it was taken, and what the content itself failed with. Ends with an error once `stop` is
 * aborted, so that a store that only iterates ends as well. The limit holds for the extension, not for the content.
 */
export class HandedContent implements AsyncIterable<Uint8Array> {
  /** Whether the end was reached. */
  isWhole = false;
  hasFailed = false;
  failure: unknown;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private isTaken = false;
  private hasEnded = false;

  constructor(
    content: AsyncIterable<Uint8Array>,
    private readonly waitLimit: WaitLimit,
    private readonly stop: AbortSignal,
  ) {
    this.pieces = content[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    if (this.isTaken) throw new Error('The content can be iterated once.');
    this.isTaken = true;
    return {
      next: () => this.next(),
      return: async () => {
        this.end();
        return { done: true, value: undefined };
      },
    };
  }

  /** Ends the content and gives it back; whatever asks later gets an error. */
  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    // A piece that is being made comes first; nobody waits for that.
    void Promise.resolve(this.pieces.return?.()).catch(() => undefined);
  }

  private async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.isWhole) return { done: true, value: undefined };
    if (this.hasEnded) throw new Error('This content has ended.');
    this.stop.throwIfAborted();
    this.waitLimit.stop();
    try {
      const next = await unlessAborted(this.made(), this.stop);
      this.isWhole = next.done === true;
      return next;
    } finally {
      if (!this.hasEnded) this.waitLimit.start();
    }
  }

  private async made(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.pieces.next();
    } catch (error) {
      this.hasFailed = true;
      this.failure = error;
      throw error;
    }
  }
}
