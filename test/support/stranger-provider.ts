import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CLIENT_ID } from './upstream.js';

/** It takes printable ASCII alone. */
export const STRANGER_SECRET = 'a secret+of the stranger: %41';

/** An independent OpenID provider: npm oidc-provider, with its own pages, on which any name and password will do. */
export class StrangerProvider {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    readonly errors: string[],
  ) {}

  /** `redirectUri`: where it sends browsers back. `claims`: what it says of a login name. */
  static async start(
    redirectUri: string,
    claims: (login: string) => Readonly<Record<string, unknown>>,
  ): Promise<StrangerProvider> {
    const { default: OidcProvider } = await import('oidc-provider'); // which says a lot when it is loaded
    const held: { handle?: (request: IncomingMessage, response: ServerResponse) => void } = {};
    const server = createServer((request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff'); // which our own browser looks for everywhere
      held.handle?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const errors: string[] = [];
    const warn = console.warn;
    console.warn = () => undefined; // that it keeps all in memory and brings its own key and pages, is what is wanted of it here
    const provider = new OidcProvider(issuer, {
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: STRANGER_SECRET,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: {
        openid: ['sub'],
        profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale'],
        email: ['email', 'email_verified'],
        phone: ['phone_number', 'phone_number_verified'],
      },
      findAccount: async (_: unknown, login: string) => ({
        accountId: login,
        claims: async () => ({ sub: login, ...claims(login) }),
      }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['a key that only tests use'] },
    });
    console.warn = warn;
    for (const event of ['server_error', 'authorization.error', 'grant.error'])
      provider.on(event, (_, error) => errors.push(`${event}: ${error.message} ${error.error_description ?? ''}`));
    held.handle = provider.callback();
    return new StrangerProvider(server, issuer, errors);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
