import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProtobufFields } from './protobuf-fields.js';

type Values = Readonly<Record<string, string | number | boolean>>;

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number;
  readonly attributes: Values;
  readonly links: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>;
  readonly events: number;
  readonly isFailed: boolean;
  readonly message: string;
  readonly resource: Values;
}

export interface ReceivedPoint {
  readonly name: string;
  readonly attributes: Values;
  /** Of a histogram the sum. */
  readonly value: number;
  readonly count: number;
  readonly resource: Values;
}

/** How it treats what it gets: takes it, refuses it, or never answers. */
type Mood = 'takes' | 'refuses' | 'is silent';

/** What a collector of OpenTelemetry is sent over HTTP (OTLP in the binary form). */
export class Collector {
  readonly spans: ReceivedSpan[] = [];
  readonly points: ReceivedPoint[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Everything that was sent, to search. */
  readonly bodies: Buffer[] = [];
  mood: Mood = 'takes';

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.headers.push(request.headers);
        if (this.mood === 'is silent') return;
        if (this.mood === 'takes') this.take(request.url ?? '', Buffer.concat(chunks));
        response.writeHead(this.mood === 'takes' ? 200 : 400, { 'Content-Type': 'application/x-protobuf' }).end();
      });
    });
  }

  static async open(port = 0): Promise<Collector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new Collector(server);
  }

  /** OTEL_EXPORTER_OTLP_ENDPOINT */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings that lead here, and have it told at once. */
  get settings(): Readonly<Record<string, string>> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: this.endpoint,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '300',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
    };
  }

  /** The first span like that, once it has come. @throws Error if none has come in time */
  async span(isMeant: (span: ReceivedSpan) => boolean, limitMs = 10_000): Promise<ReceivedSpan> {
    return this.first(() => this.spans.find(isMeant), limitMs);
  }

  async named(name: string): Promise<ReceivedSpan> {
    return this.span((span) => span.name === name);
  }

  async point(name: string, isMeant: (point: ReceivedPoint) => boolean = () => true): Promise<ReceivedPoint> {
    return this.first(() => this.points.find((point) => point.name === name && isMeant(point)), 10_000);
  }

  partsOf({ traceId, spanId }: ReceivedSpan): ReceivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId && span.parentId === spanId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async first<T>(find: () => T | undefined, limitMs: number): Promise<T> {
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(20)) {
      const found = find();
      if (found !== undefined) return found;
    }
    throw new Error(`The collector got none. Spans: ${[...new Set(this.spans.map(({ name }) => name))].join(', ')}`);
  }

  private take(path: string, body: Buffer): void {
    this.bodies.push(body);
    for (const of of new ProtobufFields(body).messages(1)) {
      const resource = valuesOf(of.messages(1)[0], 1);
      for (const scope of of.messages(2))
        for (const item of scope.messages(2))
          if (path === '/v1/traces') this.spans.push(spanOf(item, resource));
          else this.points.push(...pointsOf(item, resource));
    }
  }
}

function spanOf(span: ProtobufFields, resource: Values): ReceivedSpan {
  const [status] = span.messages(15);
  return {
    name: span.text(5),
    traceId: span.hex(1),
    spanId: span.hex(2),
    parentId: span.hex(4),
    kind: span.whole(6),
    attributes: valuesOf(span, 9),
    links: span.messages(13).map((link) => ({ traceId: link.hex(1), spanId: link.hex(2) })),
    events: span.messages(11).length,
    isFailed: status?.whole(3) === 2,
    message: status?.text(2) ?? '',
    resource,
  };
}

function pointsOf(metric: ProtobufFields, resource: Values): ReceivedPoint[] {
  const name = metric.text(1);
  const numbers = [...metric.messages(5), ...metric.messages(7)].flatMap((of) => of.messages(1));
  const histograms = metric.messages(9).flatMap((of) => of.messages(1));
  return [
    ...numbers.map((point) => ({
      name,
      attributes: valuesOf(point, 7),
      value: point.has(6) ? point.fixed64(6) : point.double(4),
      count: 1,
      resource,
    })),
    ...histograms.map((point) => ({
      name,
      attributes: valuesOf(point, 9),
      value: point.double(5),
      count: point.fixed64(4),
      resource,
    })),
  ];
}

function valuesOf(message: ProtobufFields | undefined, field: number): Values {
  const pairs = message?.messages(field).map((pair) => {
    const [value] = pair.messages(2);
    if (!value) return [pair.text(1), ''] as const;
    if (value.has(1)) return [pair.text(1), value.text(1)] as const;
    return [
      pair.text(1),
      value.has(2) ? value.whole(2) === 1 : value.has(3) ? value.whole(3) : value.double(4),
    ] as const;
  });
  return Object.fromEntries(pairs ?? []);
}
