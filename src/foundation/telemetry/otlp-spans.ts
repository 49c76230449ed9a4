import type { Context, Span as OfficialSpan, Tracer as OfficialTracer, SpanOptions } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import type { SamplerName, TelemetryConfig } from '../config/config.js';
import { readVersion } from '../config/version.js';
import type { Attribute, Attributes, Span, SpanKind } from '../trace/span.js';
import type { CallerTrace, Roots } from '../trace/tracer.js';
import type { CollectorWatch } from './collector-watch.js';
import { exporterOptions } from './exporter-options.js';
import type { OfficialPackages } from './official-packages.js';

/** More than any of our attributes has: a limit for words that extensions make up. */
const MOST_CHARACTERS = 256;
/** The limit of the exporter comes first: it knows what has failed. */
const GRACE_MS = 1_000;

/** Spans by the official packages. Nothing is registered for the whole process, which may be a team's own program. */
export class OtlpSpans implements Roots {
  private readonly tracer: OfficialTracer;

  private constructor(
    private readonly packages: OfficialPackages,
    private readonly provider: TracerProvider,
  ) {
    this.tracer = provider.getTracer('gatehouse', readVersion());
  }

  /** Only if spans are sent anywhere. */
  static to(packages: OfficialPackages, config: TelemetryConfig, resource: Resource, watch: CollectorWatch): OtlpSpans {
    const { BatchSpanProcessor, TracerProvider: Provider } = packages.trace;
    const exporter = watch.watch(new packages.TraceExporter(exporterOptions(config.tracesUrl!, config)));
    // What the collector does not take in time is dropped, so that neither memory nor requests depend on it (OPS-058).
    const processor = new BatchSpanProcessor({
      exporter,
      ...config.queue,
      scheduledDelayMillis: config.queueDelayMs,
      exportTimeoutMillis: config.timeoutMs + GRACE_MS,
    });
    const provider = new Provider({
      resource,
      sampler: samplerOf(packages, config.sampler, config.sampledRatio),
      spanProcessors: [processor],
      spanLimits: { attributeValueLengthLimit: MOST_CHARACTERS },
    });
    return new OtlpSpans(packages, provider);
  }

  begin(name: string, kind: SpanKind, attributes: Attributes, caller?: CallerTrace): Span {
    const { ROOT_CONTEXT, trace } = this.packages.api;
    const options: SpanOptions = { kind: this.kindOf(kind), attributes };
    if (!caller) return this.started(name, options, ROOT_CONTEXT);
    const { traceId, spanId, isSampled, isContinued } = caller;
    const context = { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true };
    return isContinued
      ? this.started(name, options, trace.setSpanContext(ROOT_CONTEXT, context))
      : this.started(name, { ...options, links: [{ context }] }, ROOT_CONTEXT);
  }

  /** Begins a part of a span. */
  beginWithin(around: Context, name: string, kind: SpanKind, attributes: Attributes): Span {
    return this.started(name, { kind: this.kindOf(kind), attributes }, around);
  }

  contextOf(span: OfficialSpan): Context {
    const { ROOT_CONTEXT, trace } = this.packages.api;
    return trace.setSpan(ROOT_CONTEXT, span);
  }

  get failed(): number {
    return this.packages.api.SpanStatusCode.ERROR;
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    await this.provider.shutdown();
  }

  private started(name: string, options: SpanOptions, context: Context): Span {
    return new OtlpSpan(this, this.tracer.startSpan(name, options, context));
  }

  private kindOf(kind: SpanKind): number {
    const { SpanKind: kinds } = this.packages.api;
    return { server: kinds.SERVER, client: kinds.CLIENT, internal: kinds.INTERNAL }[kind];
  }
}

class OtlpSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  hasEnded = false;
  private context: Context | undefined;

  constructor(
    private readonly spans: OtlpSpans,
    private readonly span: OfficialSpan,
  ) {
    const { traceId, spanId } = span.spanContext();
    this.traceId = traceId;
    this.spanId = spanId;
    this.isSampled = span.isRecording();
  }

  begin(name: string, kind: SpanKind, attributes: Attributes): Span | undefined {
    if (!this.isSampled) return undefined;
    this.context ??= this.spans.contextOf(this.span);
    return this.spans.beginWithin(this.context, name, kind, attributes);
  }

  rename(name: string): void {
    this.span.updateName(name);
  }

  set(attribute: Attribute, value: string | number): void {
    this.span.setAttribute(attribute, value);
  }

  fail(type: string): void {
    this.span.setAttribute('error.type' satisfies Attribute, type);
    this.span.setStatus({ code: this.spans.failed });
  }

  end(): void {
    this.hasEnded = true;
    this.span.end();
  }
}

function samplerOf({ trace }: OfficialPackages, name: SamplerName, ratio: number) {
  const { AlwaysOffSampler, AlwaysOnSampler, ParentBasedSampler, TraceIdRatioBasedSampler } = trace;
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
