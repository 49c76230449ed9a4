import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Every attribute that a span can have, by the semantic conventions of OpenTelemetry where those have a name. What is
 * not here cannot be exported: no path, no query, no address of a caller, no text of a statement or of an error, since
 * all of them can hold secrets and names (OPS-055).
 */
export const ATTRIBUTES = [
  'db.query.summary',
  'db.response.status_code',
  'db.system.name',
  'error.type',
  'gatehouse.job.kind',
  'http.request.method',
  'http.response.status_code',
  'http.route',
  'network.protocol.version',
  'server.address',
  'server.port',
  'url.scheme',
] as const;
export type Attribute = (typeof ATTRIBUTES)[number];
export type Attributes = Readonly<Partial<Record<Attribute, string | number>>>;

export type SpanKind = 'server' | 'client' | 'internal';

/** A stretch of work that is reported: a request, a job, or a statement or a call within it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Whether it is reported. If not, it only gives log lines their trace. */
  readonly isSampled: boolean;
  readonly hasEnded: boolean;
  /** A part of it; undefined if nothing is reported. */
  begin(name: string, kind: SpanKind, attributes: Attributes): Span | undefined;
  rename(name: string): void;
  set(attribute: Attribute, value: string | number): void;
  /** @param type a word of ours, the code of an error or the name of its class, never its message */
  fail(type: string): void;
  end(): void;
}

const running = new AsyncLocalStorage<Span | undefined>();

/** Runs work as that span: what it begins becomes a part of it. Without a span, it is no part of any. */
export function asSpan<T>(span: Span | undefined, work: () => T): T {
  return running.run(span, work);
}

/**
 * The span that runs. A timer or a connection that work has left behind is no part of it any more: once it has ended,
 * there is none.
 */
export function runningSpan(): Span | undefined {
  const span = running.getStore();
  return span === undefined || span.hasEnded ? undefined : span;
}

/**
 * A call of another server as a part of the span that runs. Those who are called learn nothing of the trace: they could
 * tell by it that two calls are about the same person (OPS-056). Of the address only the host is reported, since paths
 * and queries hold keys.
 */
export async function asCall<T>(
  name: string,
  attributes: () => Attributes,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const span = runningSpan()?.begin(name, 'client', attributes());
  return endingWith(span, () => work(span));
}

/** Ends the span with the work, as failed if the work throws. */
export async function endingWith<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    span?.fail(errorType(error));
    throw error;
  } finally {
    span?.end();
  }
}

/** What may be said of an error: the code that a program reads, or else its class. Messages repeat what was sent. */
export function errorType(error: unknown): string {
  const { code, reason } = Object(error) as { code?: unknown; reason?: unknown };
  for (const word of [reason, code]) if (typeof word === 'string' && /^[\w.]{1,60}$/.test(word)) return word;
  return error instanceof Error ? error.constructor.name : typeof error;
}
