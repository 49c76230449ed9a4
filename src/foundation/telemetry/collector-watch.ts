import type { Logger } from '../log/logger.js';
import { asSpan, errorType } from '../trace/span.js';

/** A collector that is away or comes and goes must not fill the log (OPS-058). */
const SAY_EVERY_MS = 10 * 60_000;

interface Result {
  /** 0: delivered. */
  readonly code: number;
  readonly error?: Error;
}

interface Exporter<Items> {
  export(items: Items, done: (result: Result) => void): void;
  forceFlush?(): Promise<void>;
  shutdown(): Promise<void>;
}

/** Says in one line that a collector takes nothing, and in another one that it does again. */
export class CollectorWatch {
  private isFailing = false;
  private saidAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Logger,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** The exporter, whose results are looked at. */
  watch<Items>(exporter: Exporter<Items>): Required<Exporter<Items>> {
    return {
      export: (items, done) =>
        exporter.export(items, (result) => {
          // The timer of an exporter may have been started by a request, which this is no part of.
          asSpan(undefined, () => (result.code === 0 ? this.delivered() : this.failed(result.error)));
          done(result);
        }),
      forceFlush: async () => exporter.forceFlush?.(),
      shutdown: async () => exporter.shutdown(),
    };
  }

  private delivered(): void {
    if (!this.isFailing) return;
    this.isFailing = false;
    this.log.info('the collector of OpenTelemetry takes traces and metrics again');
  }

  private failed(error: unknown): void {
    if (this.isFailing || this.nowMs() - this.saidAtMs < SAY_EVERY_MS) return;
    this.isFailing = true;
    this.saidAtMs = this.nowMs();
    const { code } = Object(error) as { code?: unknown };
    const cause = typeof code === 'number' ? `status ${code}` : errorType(error);
    this.log.warn({ cause }, 'the collector of OpenTelemetry does not take traces and metrics; they are dropped');
  }
}
