import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A folder by WebDAV (RFC 4918), as far as a store of files needs it. */
export class WebdavServer {
  readonly files = new Map<string, Buffer>();

  private constructor(
    private readonly server: Server,
    readonly key: string,
  ) {}

  static async start(key: string): Promise<WebdavServer> {
    const server = createServer();
    const folder = new WebdavServer(server, key);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      folder.answer(request).then(
        ([status, body]) => response.writeHead(status).end(body),
        () => response.destroy(), // the request has ended in its middle
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return folder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/files`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    this.files.clear(); // packages keep errors, V8 their stacks, and those the test file
  }

  private async answer(request: IncomingMessage): Promise<[status: number, body?: Buffer]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.headers.authorization !== `Bearer ${this.key}`) return [401];
    const path = request.url ?? '';
    const file = this.files.get(path);
    switch (request.method) {
      case 'PUT':
        this.files.set(path, Buffer.concat(chunks));
        return [201];
      case 'GET':
        return file ? [200, file] : [404];
      case 'DELETE':
        return [this.files.delete(path) ? 204 : 404];
      case 'MOVE': {
        const to = new URL(String(request.headers['destination'])).pathname;
        if (!file) return [404];
        if (this.files.has(to)) return [412]; // RFC 4918 §10.6: Overwrite: F
        this.files.set(to, file);
        this.files.delete(path);
        return [201];
      }
      default:
        return [405];
    }
  }
}
