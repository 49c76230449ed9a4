import * as library from 'openid-client';
import { controlOf } from '../../src/extension/test-idp/control.js';
import type { Fixture } from '../../src/extension/test-idp/fixture.js';
import { FixtureText } from '../../src/extension/test-idp/fixture-text.js';
import { HeldPort } from '../../src/extension/test-idp/held-port.js';
import { Idp } from '../../src/extension/test-idp/idp.js';
import { TestIdp } from '../../src/extension/test-idp/test-idp.js';
import { makeKey } from '../support/builders.js';
import { workerDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { KeyStock } from '../support/key-stock.js';

export const CALLBACK = 'http://localhost:9999/callback';
export const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** What the tests here begin with. */
export const FIXTURE: Fixture = {
  projects: {
    shop: { roles: ['buyer', 'clerk'], settings: { projectRoleAssertion: true } },
    back: { roles: ['boss'] },
  },
  applications: {
    web: { secret: 'web-secret', redirectUris: [CALLBACK], postLogoutRedirectUris: ['http://localhost:9999/bye'] },
    jwt: { secret: 'jwt-secret', redirectUris: [CALLBACK], settings: { accessTokenType: 'OIDC_TOKEN_TYPE_JWT' } },
    loose: { kind: 'browser' },
    asking: { secret: 'asking-secret', redirectUris: [CALLBACK], settings: { consentPage: true } },
    api: { kind: 'api', secret: 'api-secret' },
  },
  users: {
    alice: { roles: ['buyer'], locale: 'de', metadata: { plan: 'gold' }, groups: ['staff'] },
    bob: { roles: { shop: ['clerk'], back: ['boss'] } },
    carol: { totp: SEED },
    dave: { emailCode: true },
    erin: { verified: false },
    fred: { state: 'locked' },
  },
  serviceUsers: { worker: { secret: 'worker-secret' } },
};

/** The service for tests of applications in this process, on a database of the run. */
export async function startStage(fixture: Fixture = FIXTURE): Promise<Idp> {
  return startStageWith(FixtureText.of(fixture));
}

export async function startStageWith(fixture: FixtureText): Promise<Idp> {
  const held = await HeldPort.take(await freePort());
  const idp = await TestIdp.start(
    {
      host: 'localhost',
      held,
      settings: {},
      fixture,
      ground: { database: workerDatabase, freePort, keyPairs: () => new KeyStock(), makeKey },
    },
    controlOf,
  );
  return Idp.at(`${idp.issuer}/_test`, async () => idp.stop());
}

/** An application under test, built with openid-client. */
export class Application {
  private constructor(
    readonly idp: Idp,
    readonly config: library.Configuration,
  ) {}

  static async of(idp: Idp, name: string): Promise<Application> {
    const { clientId, clientSecret } = idp.applications[name]!;
    const authentication = clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
    const config = await library.discovery(new URL(idp.issuer), clientId, undefined, authentication, {
      execute: [library.allowInsecureRequests],
    });
    library.enableNonRepudiationChecks(config);
    return new Application(idp, config);
  }

  /** @throws what the library refuses */
  async signIn(
    user: string,
    over: Record<string, string> = {},
  ): Promise<Awaited<ReturnType<typeof library.authorizationCodeGrant>>> {
    const [verifier, state, nonce] = [library.randomPKCECodeVerifier(), library.randomState(), library.randomNonce()];
    const url = library.buildAuthorizationUrl(this.config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile offline_access',
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...over,
    });
    const back = new URL(await this.idp.authorize(url, user));
    return library.authorizationCodeGrant(this.config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
  }

  /** @throws what the library refuses */
  async refresh(refreshToken: string | undefined): Promise<Awaited<ReturnType<typeof library.refreshTokenGrant>>> {
    return library.refreshTokenGrant(this.config, refreshToken ?? '');
  }

  async userinfo(accessToken: string): Promise<library.UserInfoResponse> {
    return library.fetchUserInfo(this.config, accessToken, library.skipSubjectCheck);
  }
}

/** What somebody says who refuses, with the reasons behind it. */
export async function complaintOf(call: Promise<unknown>): Promise<string> {
  // The service and the libraries have an Error of their own.
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  if (failure === undefined) return 'nothing';
  const { cause } = failure as { cause?: { message?: string } };
  return [failure.message, cause?.message ?? '', JSON.stringify(cause ?? '')].join(': ');
}
