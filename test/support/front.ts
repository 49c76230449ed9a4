import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands between a caller and a service, below a path of its own, as a reverse proxy does. */
export class Front {
  /** What was asked, in order: method and path as the service sees it. */
  readonly asked: string[] = [];
  /** Whether the service behind it can be reached for this request. */
  isUp: (asked: string) => boolean = () => true;

  private constructor(
    private readonly server: Server,
    private readonly origin: string,
    private readonly path: string,
  ) {}

  static async start(origin: string, path: string): Promise<Front> {
    const held: { self?: Front } = {};
    const server = createServer((request, response) => held.self!.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (held.self = new Front(server, origin, path));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const { method, url = '', headers } = request;
    if (!url.startsWith(`${this.path}/`))
      return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('elsewhere');
    const path = url.slice(this.path.length);
    const asked = `${method} ${path}`;
    this.asked.push(asked);
    if (!this.isUp(asked)) return void request.socket.destroy();
    const behind = requestHttp(new URL(path, this.origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    behind.on('error', () => request.socket.destroy());
    request.pipe(behind);
  }
}
