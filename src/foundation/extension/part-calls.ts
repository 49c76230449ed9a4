import { Injectable } from '@nestjs/common';
import { Logger } from '../log/logger.js';
import { asExtension } from '../log/running-extension.js';
import { Timeouts } from '../time/timeouts.js';
import { HANDLE_KEPT } from './loan.js';
import { PartRecord } from './part-record.js';
import type { Filled, Seam } from './seam.js';

/** The subject of a call. */
export interface PartCall<Part> {
  readonly seam: Seam<Part>;
  readonly of: Filled<Part>;
  readonly limitMs: number;
}

/** A part of an extension has failed or was too slow; that is logged and counted already. */
export class PartFailed extends Error {
  constructor({ seam, of }: PartCall<unknown>, options: ErrorOptions) {
    super(`The part ${of.name} of the extension ${of.extension} failed (${seam.name}).`, options);
  }
}

/** Calls parts of extensions: within a time limit, and with a line in the log that names the part that failed. */
@Injectable()
export class PartCalls {
  constructor(
    private readonly log: Logger,
    private readonly record: PartRecord,
    private readonly timeouts: Timeouts = new Timeouts(),
  ) {}

  /**
   * What `work` resolves to. Its signal is aborted at the limit, or once it has failed, and what it does after that is
   * ignored. A part that does not let the event loop go is only noticed afterwards: it has failed as well.
   * @throws PartFailed if it fails or takes longer
   */
  async call<Part, T>(given: PartCall<Part>, work: (part: Part, signal: AbortSignal) => Promise<T> | T): Promise<T> {
    const end = this.begin(given);
    const limitMs = Math.min(given.limitMs, this.timeouts.partMs);
    const limit = new AbortController();
    const beganAtMs = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`It took longer than ${limitMs} ms.`);
        limit.abort(error);
        reject(error);
      }, limitMs);
    });
    try {
      // A part that throws at once, without a promise, fails in the same way.
      const working = asExtension(given.of.extension, async () => work(given.of.part, limit.signal));
      const heldMs = performance.now() - beganAtMs;
      const answer = await Promise.race([working, late]);
      if (heldMs > limitMs)
        throw new Error(
          `It kept the event loop for ${Math.round(heldMs)} ms, during which nobody was served; its limit is ${limitMs} ms. Wait asynchronously, or compute in a worker thread.`,
        );
      return answer;
    } catch (error) {
      limit.abort(error); // what it has begun besides must end as well: the database may have been the first to give up
      throw this.fail(given, error);
    } finally {
      clearTimeout(timer);
      end();
    }
  }

  /** Begins to measure a call that is guarded elsewhere. What is returned ends that. */
  begin({ seam, of }: PartCall<unknown>): () => void {
    return this.record.begin({ extension: of.extension, seam: seam.name });
  }

  /** Logs and counts that a part has used what it was given after its call had ended. */
  noteKept(given: PartCall<unknown>, error: Error): void {
    const { seam, of } = given;
    this.record.addFailure({ extension: of.extension, seam: seam.name });
    this.log.error(
      { err: error, reason: 'extension.handle_kept', extension: of.extension, seam: seam.name, part: of.name },
      HANDLE_KEPT,
    );
  }

  /** Logs what a part does to no effect. */
  warn({ seam, of }: PartCall<unknown>, facts: Readonly<Record<string, unknown>>, message: string): void {
    this.log.warn({ ...facts, extension: of.extension, seam: seam.name, part: of.name }, message);
  }

  /** Logs and counts a failure that has shown itself otherwise, such as by an answer that makes no sense. */
  fail(given: PartCall<unknown>, error: unknown): PartFailed {
    const { seam, of } = given;
    this.record.addFailure({ extension: of.extension, seam: seam.name });
    this.log.error({ err: error, extension: of.extension, seam: seam.name, part: of.name }, 'an extension failed');
    return new PartFailed(given, { cause: error });
  }
}
