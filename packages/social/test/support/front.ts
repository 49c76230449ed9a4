import { once } from 'node:events';
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a front answers itself, or how it changes the body of a request. */
export interface FrontRules {
  /** JSON for a path, made of that of another path behind the front. */
  readonly documents?: Readonly<Record<string, { readonly from: string; readonly with: object }>>;
  readonly body?: (text: string) => Promise<string>;
}

/** What stands in front of an OpenID provider, so that it looks like the one of a vendor. */
export class Front {
  /** The origin of what is behind it. */
  behind = '';

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(rules: FrontRules): Promise<Front> {
    const held: { front?: Front } = {};
    const server = createServer((request, response) => {
      const { url = '/', method, headers } = request;
      const behind = held.front?.behind ?? '';
      const document = rules.documents?.[url];
      const work = async (): Promise<void> => {
        if (document !== undefined) {
          const found = (await (await fetch(behind + document.from)).json()) as object;
          const text = JSON.stringify({ ...found, ...document.with }).replaceAll(behind, `http://${headers.host}`);
          response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);
          return;
        }
        const sent = (await request.toArray()).join('');
        const body = method === 'POST' && rules.body ? await rules.body(sent) : sent;
        const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
        const onward = send(behind + url, { method, headers: { ...headers, ...length } }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        });
        onward.on('error', () => response.destroy());
        onward.end(body);
      };
      work().catch(() => response.writeHead(500).end());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    held.front = new Front(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return held.front;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
