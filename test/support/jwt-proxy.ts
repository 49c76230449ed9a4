import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendUnchecked, type Headers, type Reply } from './http.js';
import { json, Upstream, type Claims } from './upstream.js';
import type { World } from './world.js';

/**
 * A gateway that knows people: it takes browsers at its own address, and passes them on to the service with a JWT in a header, as
 * itself, without the cookies that they have at the service. It publishes its keys.
 */
export class JwtProxy {
  private constructor(
    private readonly world: World,
    readonly upstream: Upstream,
    private readonly server: Server,
  ) {}

  static async start(world: World): Promise<JwtProxy> {
    const held: { upstream?: Upstream } = {};
    const server = createServer((request, response) => {
      if (request.url === '/keys') void held.upstream?.handle(request, response);
      else json(response, 404, {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    held.upstream = new Upstream(world, server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await held.upstream.rotate();
    return new JwtProxy(world, held.upstream, server);
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

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
