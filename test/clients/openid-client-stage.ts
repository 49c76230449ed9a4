import { expect } from '@jest/globals';
import * as library from 'openid-client';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/** What an application keeps between sending a user to us and their return. */
export interface Sent {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** How the library sends a user to us: with parameters in the address, pushed, or signed. */
export type Build = (config: library.Configuration, parameters: Record<string, string>) => URL | Promise<URL>;

/** What the token endpoint refuses, in the library's words. */
export const refusedWith = (error: string, status = 400): object => expect.objectContaining({ error, status });

/** Applications that are built with the library, and a person who uses them. */
export class OpenidClientStage {
  private constructor(
    readonly world: World,
    readonly alice: TestPerson,
  ) {}

  static async set(): Promise<OpenidClientStage> {
    // The library has a clock of its own.
    const world = await startWorld({ realTime: true, env: { REGISTRATION: 'open' } });
    return new OpenidClientStage(world, await world.cast.alice);
  }

  issuer(): URL {
    return new URL(this.world.issuer);
  }

  /** Discovery, as the library does it before everything else. */
  async configured(
    client: Pick<TestClient, 'clientId'>,
    authentication: library.ClientAuth,
  ): Promise<library.Configuration> {
    return library.discovery(this.issuer(), client.clientId, undefined, authentication, {
      execute: [library.allowInsecureRequests],
    });
  }

  async web1(): Promise<library.Configuration> {
    const client = await this.world.cast.web1;
    return this.configured(client, library.ClientSecretBasic(client.secret));
  }

  async compose(
    config: library.Configuration,
    client: TestClient,
    over: Record<string, string> = {},
    build: Build = library.buildAuthorizationUrl,
  ): Promise<Sent> {
    const [verifier, state, nonce] = [library.randomPKCECodeVerifier(), library.randomState(), library.randomNonce()];
    this.world.plant(verifier);
    const url = await build(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid profile email',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...over,
    });
    return { url, verifier, state, nonce };
  }

  /** Takes a browser through the login pages and answers the URL at which it comes back to the application. */
  async signIn(rp: RelyingParty, { url }: Sent): Promise<URL> {
    const arrival = await rp.enter(await rp.browser.get(url.href), this.alice);
    if (arrival.redirect === undefined)
      throw new Error(`A page came instead: ${arrival.page.status} ${arrival.page.text}`);
    return new URL(arrival.redirect);
  }

  async redeem(
    config: library.Configuration,
    sent: Sent,
    back: URL,
  ): Promise<Awaited<ReturnType<typeof library.authorizationCodeGrant>>> {
    const tokens = await library.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: sent.verifier,
      expectedState: sent.state,
      expectedNonce: sent.nonce,
      idTokenExpected: true,
    });
    for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) this.world.plant(token);
    return tokens;
  }
}
