import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GRANTS, type Grant } from '../../src/oidc/token/grant/grant.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { type ClientSettings, DEFAULT_SETTINGS } from '../../src/project/client/client-settings.js';
import { type AssertionChanges, JWT_BEARER, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestPerson, type TestService } from '../support/builders.js';
import { CERTIFICATES } from '../support/certificates.js';
import { DEVICE_GRANT, Device } from '../support/device.js';
import { errorOf, PAR } from '../support/fapi.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import {
  answerOf,
  basicAuth,
  bearer,
  newPkce,
  paths,
  RelyingParty,
  type Tokens,
  tokensOf,
} from '../support/relying-party.js';
import { exchangeOf, TOKEN_EXCHANGE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

/*
 * What an operator demands of an application holds at every place where it can be demanded. Each request below would be
 * answered without the switch, so that a grant or an endpoint which forgets one is seen.
 */

const OFFLINE = 'openid offline_access';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let world: World;
let alice: TestPerson;
let service: TestService;
let prover: Prover;

beforeAll(async () => {
  world = await startWorld({ env: { CLIENT_CERT_HEADER: 'X-Client-Cert', TRUSTED_PROXIES: '127.0.0.0/8' } });
  alice = await world.cast.alice;
  service = await world.cast.svc1;
  prover = await Prover.make(world);
});
afterAll(() => world.close());

/** An application with every grant, whose assertions may be other than sound. */
class Application {
  assertion: AssertionChanges = {};

  private constructor(readonly rp: RelyingParty) {}

  static async make(): Promise<Application> {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'private_key_jwt',
      keyAlgorithm: 'ES256',
      grantTypes: ['authorization_code', 'refresh_token', 'implicit', 'device_code', 'token_exchange'],
      responseTypes: ['code', 'id_token token'],
    });
    const rp = new RelyingParty(world, client);
    rp.pkce = newPkce();
    await rp.signIn(alice);
    return new Application(rp);
  }

  async change(settings: Partial<ClientSettings>): Promise<void> {
    await world.transaction((tx) => world.get(ClientService).changeSettings(tx, this.rp.client.id, settings, EDITOR));
    await world.changesToArrive();
  }

  async post(path: string, form: Parameters, headers: Headers = {}): Promise<Reply> {
    const { key, clientId } = this.rp.client;
    const credentials = {
      client_assertion: await signAssertion(world, key!, clientId, this.assertion),
      client_assertion_type: ASSERTION_TYPE,
    };
    return send(world.origin, { method: 'POST', path, headers, body: { ...credentials, ...form } });
  }

  /** Of a request that was pushed, as some switches demand. */
  async code(): Promise<string> {
    const pushed = await this.post(PAR, this.rp.parameters({ scope: OFFLINE }));
    const { request_uri } = pushed.json<{ request_uri: string }>();
    const query = new URLSearchParams({ client_id: this.rp.client.clientId, request_uri });
    return answerOf((await this.rp.browser.get(`${paths.authorize}?${query}`)).redirect!)['code']!;
  }

  redeem(code: string, headers: Headers = {}): Promise<Reply> {
    const { client, pkce } = this.rp;
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    return this.post(paths.token, { ...form, code_verifier: pkce!.verifier }, headers);
  }

  async tokens(): Promise<Tokens> {
    return tokensOf(await this.redeem(await this.code()));
  }

  /** `ok`, or the error at the redirect URI. */
  async visit(over: Parameters): Promise<string> {
    return answerOf((await this.rp.authorize(over)).redirect!)['error'] ?? 'ok';
  }
}

/** Answers what a request, for which everything is ready, leads to. */
type Ask = (headers?: Headers) => Promise<string>;

const outcomeOf = (reply: Reply): string => (reply.status < 300 ? 'ok' : errorOf(reply));

const byService = (form: Parameters, headers: Headers): Promise<Reply> =>
  send(world.origin, { method: 'POST', path: paths.token, headers, body: { scope: 'openid', ...form } });

/** How each grant is used. */
const grants: Record<string, (app: Application) => Promise<Ask>> = {
  authorization_code: async (app) => {
    const code = await app.code();
    return async (headers) => outcomeOf(await app.redeem(code, headers));
  },
  refresh_token: async (app) => {
    const form = { grant_type: 'refresh_token', refresh_token: (await app.tokens()).refresh_token };
    return async (headers) => outcomeOf(await app.post(paths.token, form, headers));
  },
  [DEVICE_GRANT]: async (app) => {
    const device = new Device(world, app.rp.client, app.rp.browser);
    const codes = await device.start();
    await device.approve(codes, alice);
    const form = { grant_type: DEVICE_GRANT, device_code: codes.device_code };
    return async (headers) => outcomeOf(await app.post(paths.token, form, headers));
  },
  [TOKEN_EXCHANGE]: async (app) => {
    const form = exchangeOf((await app.tokens()).access_token);
    return async (headers) => outcomeOf(await app.post(paths.token, form, headers));
  },
  // Of service users, who belong to no application.
  client_credentials: async () => {
    const credentials = basicAuth(service.userName, service.secret);
    return async (headers) =>
      outcomeOf(await byService({ grant_type: 'client_credentials' }, { ...credentials, ...headers }));
  },
  [JWT_BEARER]: async () => {
    const form = { grant_type: JWT_BEARER, assertion: await signAssertion(world, service.key, service.id) };
    return async (headers = {}) => outcomeOf(await byService(form, headers));
  },
};

/** How each endpoint is used, besides that of tokens. */
const endpoints: Record<string, (app: Application) => Promise<Ask>> = {
  authorization_endpoint: async (app) => () => app.visit({}),
  'authorization_endpoint with an access token': async (app) => () => app.visit({ response_type: 'id_token token' }),
  pushed_authorization_request_endpoint: async (app) => async () => outcomeOf(await app.post(PAR, app.rp.parameters())),
  device_authorization_endpoint: async (app) => async () => outcomeOf(await app.post(paths.deviceAuthorization, {})),
  introspection_endpoint: async (app) => {
    const { access_token: token } = await app.tokens();
    return async () => outcomeOf(await app.post(paths.introspect, { token }));
  },
  revocation_endpoint: async (app) => {
    const { access_token: token } = await app.tokens();
    return async () => ((await app.post(paths.revoke, { token })).status === 200 ? 'ok' : '401 invalid_client');
  },
  userinfo_endpoint: async (app) => {
    const headers = bearer((await app.tokens()).access_token);
    return async () => outcomeOf(await send(world.origin, { path: paths.userinfo, headers }));
  },
  end_session_endpoint: async (app) => {
    const rp = app.rp.elsewhere();
    return async () =>
      (await rp.endSession({ client_id: rp.client.clientId })).page?.status === 200 ? 'ok' : 'refused';
  },
};

const CLIENT_GRANTS = ['authorization_code', 'refresh_token', DEVICE_GRANT, TOKEN_EXCHANGE];
const WITH_CLIENT = [
  ...CLIENT_GRANTS,
  'pushed_authorization_request_endpoint',
  'device_authorization_endpoint',
  'introspection_endpoint',
  'revocation_endpoint',
];

const each = (places: readonly string[], refusal: string): Record<string, string> =>
  Object.fromEntries(places.map((place) => [place, refusal]));

interface Switch {
  readonly settings: Partial<ClientSettings>;
  /** With which assertions the application asks. */
  readonly assertion?: () => AssertionChanges;
  /** What is refused, and how; everything else is answered. */
  readonly refused: Readonly<Record<string, string>>;
}

const switches: Record<string, Switch> = {
  requirePushedRequests: {
    settings: { requirePushedRequests: true },
    refused: {
      authorization_endpoint: 'invalid_request',
      'authorization_endpoint with an access token': 'invalid_request',
    },
  },
  requireSignedRequests: {
    settings: { requireSignedRequests: true },
    refused: {
      authorization_endpoint: 'invalid_request',
      'authorization_endpoint with an access token': 'invalid_request',
      pushed_authorization_request_endpoint: '400 invalid_request',
      // The code of a request that was not signed.
      authorization_code: '400 invalid_grant',
    },
  },
  // RFC 9449 §5.2
  dpopBoundAccessTokens: {
    settings: { dpopBoundAccessTokens: true },
    refused: {
      ...each(CLIENT_GRANTS, '400 invalid_dpop_proof'),
      'authorization_endpoint with an access token': 'unauthorized_client',
    },
  },
  // RFC 8705 §3.4
  tlsBoundAccessTokens: {
    settings: { tlsBoundAccessTokens: true },
    refused: {
      ...each(CLIENT_GRANTS, '400 invalid_request'),
      'authorization_endpoint with an access token': 'unauthorized_client',
    },
  },
  securityProfile: {
    settings: {
      securityProfile: 'fapi_2_0',
      grantTypes: ['authorization_code', 'refresh_token'],
      responseTypes: ['code'],
    },
    refused: {
      ...each(['authorization_code', 'refresh_token'], '400 invalid_request'),
      ...each([DEVICE_GRANT, TOKEN_EXCHANGE, 'device_authorization_endpoint'], '400 unauthorized_client'),
      authorization_endpoint: 'invalid_request',
      'authorization_endpoint with an access token': 'invalid_request',
    },
  },
  requireAssertionId: {
    settings: { requireAssertionId: true },
    assertion: () => ({ claims: { jti: undefined } }),
    refused: each(WITH_CLIENT, '401 invalid_client'),
  },
  assertionAudience: {
    settings: { assertionAudience: 'issuer_only' },
    assertion: () => ({ claims: { aud: [world.issuer] } }),
    refused: each(WITH_CLIENT, '401 invalid_client'),
  },
};

describe('A switch of an application', () => {
  const places = { ...grants, ...endpoints };

  it('is tried at every grant and every endpoint, and so are all switches', async () => {
    expect(Object.keys(grants).sort()).toEqual(
      world
        .get<Grant[]>(GRANTS as never)
        .map(({ type }) => type)
        .sort(),
    );
    const known = new Set(['token_endpoint', ...Object.keys(endpoints).map((name) => name.split(' ', 1)[0])]);
    expect(
      Object.keys(await world.discovery())
        .filter((name) => name.endsWith('_endpoint'))
        .sort(),
    ).toEqual([...known].sort());
    const demanding = Object.keys(DEFAULT_SETTINGS).filter((name) => /^require|Bound|Profile$|Audience$/.test(name));
    expect(Object.keys(switches).sort()).toEqual(demanding.sort());
  });

  it.each(Object.keys(switches))(
    '%s holds wherever it can, and nowhere else [DPO-011, FAP-001, JAR-007, MTL-002, PAR-012]',
    async (name) => {
      const { settings, assertion, refused } = switches[name]!;
      const app = await Application.make();
      await app.change({ requireAssertionId: false });
      const asks: Array<[place: string, ask: Ask]> = [];
      for (const [place, prepare] of Object.entries(places)) asks.push([place, await prepare(app)]);
      await app.change(settings);
      app.assertion = assertion?.() ?? {};
      const outcomes: Record<string, string> = {};
      for (const [place, ask] of asks) outcomes[place] = await ask();
      expect(outcomes).toEqual({ ...each(Object.keys(places), 'ok'), ...refused });
      // Nothing was used up: with what was missing, the very same is answered.
      app.assertion = {};
      const certificate = { 'X-Client-Cert': encodeURIComponent(CERTIFICATES.first) };
      for (const [place, ask] of asks)
        if (CLIENT_GRANTS.includes(place) && /invalid_(?!grant)/.test(refused[place] ?? ''))
          expect([place, await ask({ ...certificate, ...(await prover.forTokens()) })]).toEqual([place, 'ok']);
    },
  );
});
