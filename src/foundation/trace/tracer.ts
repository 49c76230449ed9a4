import { Global, Injectable, Module } from '@nestjs/common';
import { type Attributes, asSpan, endingWith, type Span, type SpanKind } from './span.js';

/** Work that nobody waits for. */
export type JobKind = 'mail' | 'webhook delivery' | 'logout notice' | 'export' | 'import' | 'housekeeping';

/** The trace that a caller has begun (W3C Trace Context). */
export interface CallerTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  /** Whether the request is a part of it. If not, its own trace only names it. */
  readonly isContinued: boolean;
}

/** Begins spans that are no part of another one. */
export interface Roots {
  begin(name: string, kind: SpanKind, attributes: Attributes, caller?: CallerTrace): Span;
}

/** Where traces begin: requests and jobs. What they do is a part of the span that runs (`runningSpan`). */
@Injectable()
export class Tracer {
  private roots: Roots | undefined;

  /** Whether anything is traced. */
  get isOn(): boolean {
    return this.roots !== undefined;
  }

  /** Undefined: nothing is traced. */
  use(roots: Roots | undefined): void {
    this.roots = roots;
  }

  /** A request, which ends with its answer. Only if anything is traced. */
  request(name: string, attributes: Attributes, caller: CallerTrace | undefined): Span | undefined {
    return this.roots?.begin(name, 'server', attributes, caller);
  }

  async job<T>(kind: JobKind, work: () => Promise<T>): Promise<T> {
    if (!this.roots) return work();
    const span = this.roots.begin(kind, 'internal', { 'gatehouse.job.kind': kind });
    return asSpan(span, () => endingWith(span, work));
  }
}

@Global()
@Module({ providers: [Tracer], exports: [Tracer] })
export class TraceModule {}
