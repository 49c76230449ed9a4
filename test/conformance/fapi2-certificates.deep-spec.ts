import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import type { TestPerson } from '../support/builders.js';
import { CERTIFICATES, keyWith, SUBJECT } from '../support/certificates.js';
import { errorOf, FapiParty, PAR } from '../support/fapi.js';
import { type Headers, type Parameters, type Reply, send } from '../support/http.js';
import { newPkce, type Place, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/*
 * fapi2-security-profile-final-test-plan with mtls, for both authentication and the binding of tokens: the modules that
 * differ from those with private_key_jwt and DPoP. Titles with hyphens are modules of the plan without their prefix.
 */

const MTLS_URL = 'https://mtls.op.test';
const { first: OF_FIRST, renewed: RENEWED, selfA: OF_SECOND } = CERTIFICATES;
const OFFLINE = 'openid offline_access';

let world: World;
let alice: TestPerson;
/** Authenticates by the name of its certificate. */
let first: CertificateParty;
/** Authenticates by the certificate that it has registered. */
let second: CertificateParty;

beforeAll(async () => {
  world = await startWorld({
    publicUrl: 'https://op.test',
    env: {
      OAUTH_METADATA: 'on',
      TRUSTED_PROXIES: '127.0.0.0/8',
      CLIENT_CERT_HEADER: 'X-Client-Cert',
      CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify',
      MTLS_URL,
    },
  });
  alice = await world.cast.alice;
  first = await CertificateParty.make(world, OF_FIRST, {
    authMethod: 'tls_client_auth',
    tlsClientNameType: 'subject_dn',
    tlsClientName: SUBJECT,
  });
  second = await CertificateParty.make(world, OF_SECOND, {
    authMethod: 'self_signed_tls_client_auth',
    jwks: { keys: [keyWith(OF_SECOND, 'second')] },
  });
});
afterAll(() => world.close());
beforeEach(() => world.clock.advance('2m'));

/** What the proxy sends along. */
function shown(pem: string): Headers {
  return { 'X-Client-Cert': encodeURIComponent(pem), 'X-Client-Verify': pem === OF_SECOND ? 'FAILED' : 'SUCCESS' };
}

/** An application that is held to FAPI 2.0, and shows its certificate wherever it asks for something. */
class CertificateParty extends RelyingParty {
  private constructor(
    world: World,
    client: RelyingParty['client'],
    readonly certificate: string,
  ) {
    super(world, client);
    this.pkce = newPkce();
  }

  static async make(
    world: World,
    certificate: string,
    settings: Pick<ClientSettings, 'authMethod'> & Partial<ClientSettings>,
  ): Promise<CertificateParty> {
    const projectId = await world.cast.projectP;
    const client = await world.add.client({ projectId, securityProfile: 'fapi_2_0', ...settings });
    return new CertificateParty(world, client, certificate);
  }

  override async post(path: string, form: Parameters, at: Place = this.world, more: Headers = {}): Promise<Reply> {
    return super.post(path, form, at, { ...shown(this.certificate), ...more });
  }

  /** The same without a certificate. */
  async postWithout(path: string, form: Parameters): Promise<Reply> {
    return super.post(path, form);
  }

  async codeFor(person: TestPerson, over: Parameters = {}): Promise<string> {
    const { request_uri: requestUri } = (await this.post(PAR, this.parameters(over))).json<{ request_uri: string }>();
    const query = new URLSearchParams({ client_id: this.client.clientId, request_uri: requestUri });
    const answer = this.toAnswer(await this.enter(await this.browser.get(`${paths.authorize}?${query}`), person));
    if (answer['code'] === undefined) throw new Error(`No code: ${answer['error']}`);
    return answer['code'];
  }

  /** The request to the token endpoint. */
  redemption(code: string): Parameters {
    return {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.client.redirectUri,
      code_verifier: this.pkce!.verifier,
    };
  }
}

async function userinfoWith(token: string, headers: Headers, scheme = 'Bearer'): Promise<Reply> {
  return send(world.origin, { path: paths.userinfo, headers: { Authorization: `${scheme} ${token}`, ...headers } });
}

describe('Normal clients', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'discovery-end-point-verification: %s',
    async (name) => {
      const document = (await send(world.origin, { path: `/.well-known/${name}` })).json();
      expect(document).toMatchObject({
        tls_client_certificate_bound_access_tokens: true,
        token_endpoint_auth_methods_supported: expect.arrayContaining([
          'tls_client_auth',
          'self_signed_tls_client_auth',
        ]),
        mtls_endpoint_aliases: {
          token_endpoint: MTLS_URL + paths.token,
          pushed_authorization_request_endpoint: MTLS_URL + PAR,
        },
      });
    },
  );

  it('happy-flow, for both clients, and the token of each with the certificate of the other', async () => {
    for (const [party, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const tokens = tokensOf(await party.redeem(await party.codeFor(alice)));
      expect([tokens.token_type, decodeProtectedHeader(tokens.id_token).alg]).toEqual(['Bearer', 'ES256']);
      expect(await party.verify(tokens.id_token)).toMatchObject({ sub: alice.id });
      const reply = await userinfoWith(tokens.access_token, shown(party.certificate));
      expect(reply.json()).toMatchObject({ sub: alice.id });
      for (const headers of [shown(other.certificate), {}])
        expect((await userinfoWith(tokens.access_token, headers)).status).toBe(401);
    }
  });

  it('access-token-type-header-case-sensitivity', async () => {
    const { access_token: token } = tokensOf(await first.redeem(await first.codeFor(alice)));
    for (const scheme of ['Bearer', 'bearer', 'bEARER'])
      expect((await userinfoWith(token, shown(OF_FIRST), scheme)).status).toBe(200);
  });
});

describe('Requests of the client', () => {
  it('are refused at the PAR endpoint without a certificate, and with that of another client', async () => {
    for (const [party, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const form = party.parameters();
      expect(errorOf(await party.postWithout(PAR, form))).toBe('401 invalid_client');
      expect(errorOf(await party.post(PAR, form, world, shown(other.certificate)))).toBe('401 invalid_client');
      expect((await party.post(PAR, form)).status).toBe(201);
    }
  });

  it('ensure-holder-of-key-required', async () => {
    const code = await first.codeFor(alice);
    expect(errorOf(await first.postWithout(paths.token, first.redemption(code)))).toBe('401 invalid_client');
    expect(errorOf(await first.redeem(code, {}, world, shown(OF_SECOND)))).toBe('401 invalid_client');
    tokensOf(await first.redeem(code));
  });

  it('ensure-client-id-in-token-endpoint', async () => {
    const form = first.redemption(await first.codeFor(alice));
    for (const client_id of [undefined, second.client.clientId])
      expect(errorOf(await first.post(paths.token, { ...form, client_id }))).toBe('401 invalid_client');
    tokensOf(await first.post(paths.token, form));
  });

  it('ensure-authorization-code-is-bound-to-client', async () => {
    const form = first.redemption(await first.codeFor(alice));
    expect(errorOf(await second.post(paths.token, form))).toBe('400 invalid_grant');
  });

  it('attempt-reuse-authorization-code-after-one-second', async () => {
    const code = await first.codeFor(alice);
    const { access_token: token } = tokensOf(await first.redeem(code));
    world.clock.advance('1s');
    expect(errorOf(await first.redeem(code))).toBe('400 invalid_grant');
    expect((await userinfoWith(token, shown(OF_FIRST))).status).toBe(401);
  });

  it('refresh-token', async () => {
    const { refresh_token: refreshToken } = tokensOf(
      await first.redeem(await first.codeFor(alice, { scope: OFFLINE })),
    );
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    expect(errorOf(await first.postWithout(paths.token, form))).toBe('401 invalid_client');
    expect(errorOf(await second.refresh(refreshToken))).toBe('400 invalid_grant');
    const next = tokensOf(await first.refresh(refreshToken));
    expect((await userinfoWith(next.access_token, shown(OF_FIRST))).status).toBe(200);
    world.clock.advance('30s');
    // The same refresh token again, with the next certificate of the client.
    const { access_token: renewed } = tokensOf(await first.refresh(refreshToken, {}, world, shown(RENEWED)));
    expect((await userinfoWith(renewed, shown(RENEWED))).status).toBe(200);
    expect((await userinfoWith(renewed, shown(OF_FIRST))).status).toBe(401);
  });
});

describe('A client that authenticates by private_key_jwt and binds its tokens by certificate', () => {
  it('happy-flow, ensure-holder-of-key-required', async () => {
    const party = await FapiParty.make(world);
    const code = await party.codeFor(alice);
    expect(errorOf(await party.redeem(code))).toBe('400 invalid_request');
    const tokens = tokensOf(await party.redeem(code, {}, world, shown(OF_FIRST)));
    expect(tokens.token_type).toBe('Bearer');
    const statuses = [shown(OF_FIRST), shown(OF_SECOND), {}].map(async (headers) =>
      userinfoWith(tokens.access_token, headers).then(({ status }) => status),
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
  });
});
