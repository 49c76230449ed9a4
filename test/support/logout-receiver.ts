import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call of the service to an application whose session has ended. */
export interface LogoutCall {
  readonly method: string | undefined;
  readonly contentType: string | undefined;
  readonly parameters: URLSearchParams;
  readonly token: string;
}

/** What an application does with a call: responds with a status, closes the connection, or decides later. */
type Behaviour = number | 'close' | ((response: ServerResponse) => void);

/** The applications that are told of logouts, each at a path of its own. They accept a call unless they are told otherwise. */
export class LogoutReceiver {
  private readonly received = new Map<string, LogoutCall[]>();
  private readonly behaviours = new Map<string, Behaviour[]>();
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async open(): Promise<LogoutReceiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LogoutReceiver(server);
  }

  uri(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  /** What happens to the next calls, one after the other. */
  will(name: string, ...behaviours: readonly Behaviour[]): void {
    this.behaviours.set(name, [...behaviours]);
  }

  calls(name: string): readonly LogoutCall[] {
    return this.received.get(name) ?? [];
  }

  /** Resolves when the application has been called so often. */
  async until(name: string, count = 1): Promise<readonly LogoutCall[]> {
    while (this.calls(name).length < count) await new Promise<void>((resolve) => this.waiting.add(resolve));
    return this.calls(name);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = (request.url ?? '').slice(1);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const parameters = new URLSearchParams(Buffer.concat(chunks).toString());
    const call = {
      method: request.method,
      contentType: request.headers['content-type'],
      parameters,
      token: parameters.get('logout_token') ?? '',
    };
    this.received.set(name, [...this.calls(name), call]);
    for (const resolve of this.waiting) resolve();
    this.waiting.clear();
    const behaviour = this.behaviours.get(name)?.shift() ?? 200;
    if (behaviour === 'close') request.destroy();
    else if (typeof behaviour === 'function') behaviour(response);
    else response.writeHead(behaviour, { Location: this.uri('elsewhere') }).end();
  }
}
