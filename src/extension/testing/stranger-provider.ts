import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { optionalPackage } from './optional-package.js';

/** What is used of `oidc-provider`, which comes without types. */
interface OidcProvider {
  readonly Client: { readonly prototype: { redirectUriAllowed(uri: string): boolean } };
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  on(event: string, listener: (context: unknown, error: Error & { readonly error_description?: string }) => void): void;
}

type OidcProviderClass = new (issuer: string, configuration: Readonly<Record<string, unknown>>) => OidcProvider;

/** Its only client: Gatehouse. @public */
export const STRANGER_CLIENT_ID = 'gatehouse';
/** The secret of that client. The provider accepts printable ASCII only. @public */
export const STRANGER_SECRET = 'a secret+of the stranger: %41';

/** What differs from an OpenID provider that has never heard of Gatehouse. @public */
export interface StrangerOptions {
  /** Its issuer, if something stands in front of it; its requests keep the `Host` that they came with. */
  readonly issuer?: string;
  /** How Gatehouse authenticates (RFC 7591 §2); by default with `client_secret_basic`. */
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post';
  /** PKCE is demanded unless it is false. */
  readonly demandsPkce?: boolean;
  /** Claims that it says beside those of OIDC Core §5.1. If there are any, it says all claims in the ID token. */
  readonly ownClaims?: readonly string[];
}

/**
 * An independent OpenID provider: npm oidc-provider, with its own pages, on which any name and password will do.
 * @public
 */
export class StrangerProvider {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    /** Where it listens. */
    readonly origin: string,
    readonly errors: string[],
  ) {}

  /**
   * `redirectUri`: where it sends browsers back; a function, if that is known once Gatehouse knows the issuer.
   * `claims`: what it says of a login name.
   */
  static async start(
    redirectUri: string | (() => string),
    claims: (login: string) => Readonly<Record<string, unknown>>,
    options: StrangerOptions = {},
  ): Promise<StrangerProvider> {
    const held: { handle?: (request: IncomingMessage, response: ServerResponse) => void } = {};
    const server = createServer((request, response) => {
      response.setHeader('X-Content-Type-Options', 'nosniff'); // which our own browser looks for everywhere
      held.handle?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { issuer = origin, clientAuthentication = 'client_secret_basic', demandsPkce, ownClaims = [] } = options;
    const redirectTo = typeof redirectUri === 'string' ? () => redirectUri : redirectUri;
    const errors: string[] = [];
    const provider = makeQuietly(issuer, {
      clients: [
        {
          client_id: STRANGER_CLIENT_ID,
          client_secret: STRANGER_SECRET,
          redirect_uris: [typeof redirectUri === 'string' ? redirectUri : `${origin}/known-later`],
          token_endpoint_auth_method: clientAuthentication,
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: {
        openid: ['sub', ...ownClaims],
        profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale'],
        email: ['email', 'email_verified'],
        phone: ['phone_number', 'phone_number_verified'],
      },
      ...(ownClaims.length === 0 ? {} : { conformIdTokenClaims: false }),
      ...(demandsPkce === undefined ? {} : { pkce: { required: () => demandsPkce } }),
      findAccount: async (_: unknown, login: string) => ({
        accountId: login,
        claims: async () => ({ sub: login, ...claims(login) }),
      }),
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['a key that only tests use'] },
    });
    for (const event of ['server_error', 'authorization.error', 'grant.error'])
      provider.on(event, (_, error) => errors.push(`${event}: ${error.message} ${error.error_description ?? ''}`));
    provider.Client.prototype.redirectUriAllowed = (uri) => uri === redirectTo();
    held.handle = provider.callback();
    return new StrangerProvider(server, issuer, origin, errors);
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
