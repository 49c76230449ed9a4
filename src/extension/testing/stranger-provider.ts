import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optionalPackage } from './optional-package.js';

/** What is used of `oidc-provider`, which comes without types. */
interface OidcProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  on(event: string, listener: (context: unknown, error: Error & { readonly error_description?: string }) => void): void;
}

type OidcProviderClass = new (issuer: string, configuration: Readonly<Record<string, unknown>>) => OidcProvider;

/** Its only client: Gatehouse. @public */
export const STRANGER_CLIENT_ID = 'gatehouse';
/** The secret of that client. The provider accepts printable ASCII only. @public */
export const STRANGER_SECRET = 'a secret+of the stranger: %41';

/**
 * An independent OpenID provider: npm oidc-provider, with its own pages, on which any name and password will do.
 * @public
 */
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
    const held: { handle?: (request: IncomingMessage, response: ServerResponse) => void } = {};
    const server = createServer((request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff'); // which our own browser looks for everywhere
      held.handle?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const errors: string[] = [];
    const provider = makeQuietly(issuer, {
      clients: [
        {
          client_id: STRANGER_CLIENT_ID,
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

/** Says nothing of that it keeps everything in memory, and brings a key and pages of its own: here that is wanted. */
function makeQuietly(issuer: string, configuration: Readonly<Record<string, unknown>>): OidcProvider {
  const noted = globalThis.console;
  globalThis.console = Object.assign(Object.create(noted) as Console, { warn: () => undefined, info: () => undefined });
  try {
    const { default: Provider }: { readonly default: OidcProviderClass } = optionalPackage(
      'oidc-provider',
      'The stranger provider of gatehouse/testing',
    );
    return new Provider(issuer, configuration);
  } finally {
    globalThis.console = noted;
  }
}
