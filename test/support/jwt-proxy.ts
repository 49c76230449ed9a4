import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Headers, type Reply, sendUnchecked } from './http.js';
import { type Claims, json, Upstream } from './upstream.js';
import type { World } from './world.js';

/**
 * A gateway that knows people: it takes browsers at its own address, and passes them on to the service with a JWT in a
 * header, as itself, without the cookies that they have at the service. It publishes its keys.
 */
export class JwtProxy {
  /** Whom it takes a browser for that comes to it by itself. */
  admits: Claims | undefined;

  private constructor(
    private readonly world: World,
    readonly upstream: Upstream,
    private readonly server: Server,
  ) {}

  static async start(world: World): Promise<JwtProxy> {
    const held: { upstream?: Upstream; proxy?: JwtProxy } = {};
    const server = createServer((request, response) => {
      if (request.url === '/keys') void held.upstream?.handle(request, response);
      else if (held.proxy?.admits && request.url?.startsWith('/enter?'))
        void held.proxy.passOn(request.url, held.proxy.admits, response);
      else json(response, 404, {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    held.upstream = new Upstream(world, server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await held.upstream.rotate();
    held.proxy = new JwtProxy(world, held.upstream, server);
    return held.proxy;
  }

  get origin(): string {
    return this.upstream.issuer;
  }

  /** What an honest token for the service says. */
  claims(about: Claims): Claims {
    const now = this.world.now();
    return { iss: this.origin, aud: this.world.issuer, iat: now, exp: now + 300, ...about };
  }

  async token(about: Claims): Promise<string> {
    return this.upstream.sign(this.claims(about));
  }

  /** Passes a browser on that came to this address, with whatever headers. */
  async pass(url: string, headers: Headers): Promise<Reply> {
    return sendUnchecked(this.world.origin, { path: `/ui/login/login/jwt/authorize${new URL(url).search}`, headers });
  }

  private async passOn(url: string, admitted: Claims, response: ServerResponse): Promise<void> {
    const { status, location, text } = await this.pass(this.origin + url, { 'x-jwt': await this.token(admitted) });
    response.writeHead(status, location === undefined ? {} : { Location: location }).end(text);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
