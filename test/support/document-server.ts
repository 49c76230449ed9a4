import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { NameResolver } from '../../src/foundation/outbound/name-resolver.js';
import { authority, certificate, key } from '../idp/certificate.js';
import type { World } from './world.js';

/** How a document is answered. */
export interface Published {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A web server at a name of the internet, as far as the service can tell: `https://provider.test:…`. */
export class DocumentServer {
  readonly requests: string[] = [];
  private readonly published = new Map<string, Published>();
  private readonly held = new Set<string>();

  private constructor(
    private readonly server: Server,
    /** `provider.test:4321` */
    readonly host: string,
  ) {}

  static async start(): Promise<DocumentServer> {
    setDefaultCACertificates([...getCACertificates(), authority]);
    const server = createServer({ key, cert: certificate });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const started = new DocumentServer(server, `provider.test:${(server.address() as AddressInfo).port}`);
    server.on('request', ({ url = '' }, response) => {
      started.requests.push(url);
      if (started.held.has(url)) return;
      const { status = 200, headers = {}, body } = started.published.get(url) ?? { status: 404, body: '' };
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
    });
    return started;
  }

  get origin(): string {
    return `https://${this.host}`;
  }

  /** The settings of a world that can reach it. */
  get env(): Readonly<Record<string, string>> {
    return { CLIENT_DOCUMENT_HOSTS: this.host, OUTBOUND_ALLOW: '127.0.0.1' };
  }

  /** Every name leads the service here. */
  resolveIn(world: World): void {
    world.get(NameResolver).addressesOf = async () => [{ address: '127.0.0.1', family: 4 }];
  }

  publish(path: string, published: Published): string {
    this.published.set(path, published);
    return this.origin + path;
  }

  /** Whoever asks for it waits. */
  hold(path: string): string {
    this.held.add(path);
    return this.origin + path;
  }

  /** A document that describes an application as the draft wants it. */
  describe(
    path: string,
    over: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): string {
    const document = {
      client_id: this.origin + path,
      client_name: 'Shop assistant',
      redirect_uris: [`${this.origin}/callback`],
      token_endpoint_auth_method: 'none',
      ...over,
    };
    return this.publish(path, { body: JSON.stringify(document), headers });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
