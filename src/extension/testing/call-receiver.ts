import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of the service to another server. @public */
export interface ReceivedCall {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver does with a call: responds with a status, closes the connection, or decides later. @public */
export type CallBehaviour = number | 'close' | ((response: ServerResponse) => void);

/**
 * Other servers that the service calls, each at a path of its own. They accept a call unless they are told otherwise.
 * @public
 */
export class CallReceiver {
  private readonly received = new Map<string, ReceivedCall[]>();
  private readonly behaviours = new Map<string, CallBehaviour[]>();
  private readonly waiting = new Set<() => void>();

  protected constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async open(): Promise<CallReceiver> {
    return new CallReceiver(await CallReceiver.listen());
  }

  protected static async listen(): Promise<Server> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  uri(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  /** What happens to the next calls, one after the other. */
  will(name: string, ...behaviours: readonly CallBehaviour[]): void {
    this.behaviours.set(name, [...behaviours]);
  }

  callsTo(name: string): readonly ReceivedCall[] {
    return this.received.get(name) ?? [];
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  /** Resolves when there were so many calls. */
  async untilCalled(name: string, count = 1): Promise<void> {
    while (this.callsTo(name).length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const call = { method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() };
    this.received.set(name, [...this.callsTo(name), call]);
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    const behaviour = this.behaviours.get(name)?.shift() ?? 200;
    if (behaviour === 'close') request.destroy();
    else if (typeof behaviour === 'function') behaviour(response);
    else response.writeHead(behaviour, { Location: this.uri('elsewhere') }).end();
  }
}
