import { Browser } from '../testing/browser.js';
import type { TestClient } from '../testing/builders.js';
import { answerOf, newPkce, RelyingParty, type Tokens, tokensOf } from '../testing/relying-party.js';
import type { RunningService } from '../testing/running-service.js';
import type { CastApplication, CastUser } from './cast.js';
import { inputMistake } from './input-mistake.js';
import { type Landing, Walk } from './walk.js';

const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

export interface SignInWish {
  readonly scopes?: readonly string[] | undefined;
  readonly redirectUri?: string | undefined;
  /** Further parameters of the authorization request. */
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly browser?: string | undefined;
}

/** The answer of the token endpoint, and the address at which the application got its code. */
export interface SignedIn {
  readonly tokens: Partial<Tokens>;
  readonly callbackUrl: string;
}

/** People who sign in, each in a browser of their own, by the requests that a browser would send. */
export class SignIns {
  private readonly browsers = new Map<string, Browser>();
  private readonly walk: Walk;

  constructor(
    private readonly service: RunningService,
    codeFor: (email: string) => Promise<string | undefined>,
  ) {
    this.walk = new Walk({ now: () => service.now(), codeFor });
  }

  forget(): void {
    this.browsers.clear();
    this.walk.forget();
  }

  /**
   * Opens an address of the service.
   * @throws InputMistake if it is none, or ends where the user cannot go on
   */
  async browse(url: string, user: CastUser, browser?: string, mayHave = true): Promise<Landing> {
    if (!URL.canParse(url) || new URL(url).origin !== new URL(this.service.issuer).origin)
      throw inputMistake(`${url} is not an address of ${this.service.issuer}.`);
    return this.walk.go(this.browserOf(browser ?? user.name), url, user, { mayHave });
  }

  /** Authorization code with PKCE, as the application would do it. @throws InputMistake when there are no tokens */
  async signIn(user: CastUser, application: CastApplication, wish: SignInWish): Promise<SignedIn> {
    const redirectUri = wish.redirectUri ?? application.redirectUris[0];
    if (redirectUri === undefined) throw inputMistake(`"${application.name}" signs nobody in: it has no redirect URI.`);
    const party = new RelyingParty(this.service, clientOf(application, redirectUri));
    party.pkce = newPkce();
    const scope = (wish.scopes ?? SCOPES).join(' ');
    const path = party.authorizePath({ scope, nonce: undefined, ...wish.parameters });
    const landing = await this.browse(`${this.service.issuer}${path}`, user, wish.browser);
    const {
      code,
      error,
      error_description: description,
    } = landing.method === 'POST' ? landing.fields : answerOf(landing.url);
    if (code === undefined)
      throw inputMistake(
        `${user.name} got no code for ${application.name}: ${error ?? landing.page} ${description ?? ''}`,
      );
    return { tokens: tokensOf(await party.redeem(code)), callbackUrl: landing.url };
  }

  /** The tokens of a service user, for itself. */
  async clientCredentials(
    clientId: string,
    secret: string,
    scopes: readonly string[] = ['openid'],
  ): Promise<Partial<Tokens>> {
    const client = { ...NO_CLIENT, clientId, secret };
    const party = new RelyingParty(this.service, client);
    return tokensOf(await party.token({ grant_type: 'client_credentials', scope: scopes.join(' ') }));
  }

  private browserOf(name: string): Browser {
    const browser = this.browsers.get(name) ?? new Browser(this.service);
    this.browsers.set(name, browser);
    return browser;
  }
}

const NO_CLIENT: TestClient = {
  id: '',
  clientId: '',
  authMethod: 'client_secret_basic',
  redirectUri: '',
  responseType: 'code',
  secret: undefined,
  key: undefined,
};

function clientOf({ id, clientId, clientSecret }: CastApplication, redirectUri: string): TestClient {
  const authMethod = clientSecret === undefined ? 'none' : 'client_secret_basic';
  return { ...NO_CLIENT, id, clientId, authMethod, secret: clientSecret, redirectUri };
}
