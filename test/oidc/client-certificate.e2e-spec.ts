import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/client/client.service.js';
import type { ClientSettings } from '../../src/client/client-settings.js';
import { InstanceService } from '../../src/instance/instance.service.js';
import { Urn } from '../../src/token/urn.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { verdictOf } from '../support/admin-api.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { base64Of, CERTIFICATES, FORMATS, keyWith, SUBJECT } from '../support/certificates.js';
import { DEVICE_GRANT, Device } from '../support/device.js';
import { errorOf, PAR } from '../support/fapi.js';
import { type Headers, type Reply, send, sendUnchecked } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, bearer, newPkce, paths, RelyingParty, type Tokens, tokensOf } from '../support/relying-party.js';
import { actedBy, exchangeOf, ID_TOKEN_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

const PROXIES = {
  CLIENT_CERT_HEADER: 'X-Client-Cert',
  CLIENT_CERT_VERIFY_HEADER: 'X-Client-Verify',
  MTLS_URL: 'https://mtls.op.test',
};
const { first, renewed, other, expired, selfA, selfB } = CERTIFICATES;
const OFFLINE = 'openid offline_access';

let world: World;
/** The same service, where the tests are not a proxy that it trusts. */
let elsewhere: World;
let alice: TestPerson;
let bank: RelyingParty;

beforeAll(async () => {
  world = await startWorld({ env: { ...PROXIES, TRUSTED_PROXIES: '127.0.0.0/8' } });
  elsewhere = await startWorld({ replicaOf: world, env: { ...PROXIES, TRUSTED_PROXIES: '192.0.2.0/24' } });
  alice = await world.cast.alice;
  bank = await party({ accessTokenType: 'jwt' });
});
afterAll(async () => {
  await elsewhere.close();
  await world.close();
});
beforeEach(() => {
  world.clock.advance('1m');
});

/** An application that authenticates by the name of its certificate, and binds its tokens to it. */
async function party(settings: Partial<ClientSettings> = {}): Promise<RelyingParty> {
  const client = await world.add.client({
    projectId: await world.cast.projectP,
    authMethod: 'tls_client_auth',
    tlsClientNameType: 'subject_dn',
    tlsClientName: SUBJECT,
    tlsBoundAccessTokens: true,
    grantTypes: ['authorization_code', 'refresh_token', 'device_code'],
    ...settings,
  });
  return new RelyingParty(world, client);
}

/** What a proxy sends along; without a verdict it has not verified the chain. */
function shown(pem: string, verdict: string | null = 'SUCCESS'): Headers {
  const certificate = { 'X-Client-Cert': encodeURIComponent(pem) };
  return verdict === null ? certificate : { ...certificate, 'X-Client-Verify': verdict };
}

const thumbprintOf = (pem: string): string =>
  createHash('sha256')
    .update(Buffer.from(base64Of(pem), 'base64'))
    .digest('base64url');

async function redeem(rp: RelyingParty, code: string, headers: Headers, at = world) {
  return rp.redeem(code, {}, at, headers);
}

async function tokensWith(rp: RelyingParty, pem = first): Promise<Tokens> {
  return tokensOf(await redeem(rp, await rp.code(alice, { scope: OFFLINE }), shown(pem)));
}

async function change({ id }: TestClient, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, id, settings, EDITOR));
  await world.changesToArrive();
}

describe('A certificate of a client (RFC 8705 §2)', () => {
  it.each(Object.entries(FORMATS))('authenticates by its subject, as written by %s', async (_, write) => {
    const headers = { 'X-Client-Cert': write(first), 'X-Client-Verify': 'SUCCESS' };
    const tokens = tokensOf(await redeem(bank, await bank.code(alice), headers));
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ 'x5t#S256': thumbprintOf(first) });
    expect(tokens.token_type).toBe('Bearer');
  });

  it('counts for nothing if somebody else than a trusted proxy sends it [MTL-001]', async () => {
    const code = await bank.code(alice);
    expect(errorOf(await redeem(bank, code, shown(first), elsewhere))).toBe('401 invalid_client');
    tokensOf(await redeem(bank, code, shown(first)));
  });

  it('must have been verified by the proxy, have the name, and be there [MTL-001, MTL-004]', async () => {
    const code = await bank.code(alice);
    const refused: ReadonlyArray<[string, Headers]> = [
      ['none', {}],
      ['an empty header', { 'X-Client-Cert': '' }],
      ['without a verdict', shown(first, null)],
      ['a bad verdict', shown(first, 'FAILED:unable to verify the first certificate')],
      ['no verdict', shown(first, 'NONE')],
      ['another name', shown(other)],
      ['self-signed', shown(selfA)],
    ];
    for (const [why, headers] of refused)
      expect([why, errorOf(await redeem(bank, code, headers))]).toEqual([why, '401 invalid_client']);
    tokensOf(await redeem(bank, code, shown(first)));
  });

  it('is refused after its time, twice, and if it is huge or none [MTL-003]', async () => {
    const code = await bank.code(alice);
    const twice = [encodeURIComponent(first), encodeURIComponent(other)];
    const refused: ReadonlyArray<[string, Headers, number]> = [
      ['expired', shown(expired), 401],
      ['two headers', { ...shown(first), 'X-Client-Cert': twice }, 401],
      ['two verdicts', { ...shown(first), 'X-Client-Verify': ['SUCCESS', 'NONE'] }, 401],
      ['no certificate', { ...shown(first), 'X-Client-Cert': 'certificate' }, 401],
      ['13 kB', { ...shown(first), 'X-Client-Cert': 'A'.repeat(13_000) }, 401],
    ];
    for (const [why, headers, status] of refused)
      expect([why, (await redeem(bank, code, headers)).status]).toEqual([why, status]);
    const headers = { ...shown(first), 'X-Client-Cert': 'A'.repeat(65_536) };
    const body = { grant_type: 'authorization_code', client_id: bank.client.clientId, code };
    // More than Node itself takes.
    expect((await sendUnchecked(world.origin, { method: 'POST', path: paths.token, headers, body })).status).toBe(431);
    tokensOf(await redeem(bank, code, shown(first)));
  });

  it('may be renewed under the same name, and is known by one alternative name', async () => {
    tokensOf(await redeem(bank, await bank.code(alice), shown(renewed)));
    const byHost = await party({ tlsClientNameType: 'san_dns', tlsClientName: 'client.bank.test' });
    tokensOf(await redeem(byHost, await byHost.code(alice), shown(first)));
    expect(errorOf(await redeem(byHost, await byHost.code(alice), shown(other)))).toBe('401 invalid_client');
  });

  it('of its own is one that the application has registered; both count while one replaces the other', async () => {
    const own = await party({
      authMethod: 'self_signed_tls_client_auth',
      tlsClientNameType: 'unspecified',
      tlsClientName: '',
      jwks: { keys: [keyWith(selfA, 'k1')] },
    });
    const status = async (pem: string) => (await redeem(own, await own.code(alice), shown(pem, null))).status;
    expect([await status(selfA), await status(selfB), await status(first)]).toEqual([200, 401, 401]);
    await change(own.client, { jwks: { keys: [keyWith(selfA, 'k1'), keyWith(selfB, 'k2')] } });
    expect([await status(selfA), await status(selfB)]).toEqual([200, 200]);
    await change(own.client, { jwks: { keys: [keyWith(selfB, 'k2')] } });
    expect([await status(selfA), await status(selfB)]).toEqual([401, 200]);
  });

  it('authenticates at introspection, revocation and pushed requests, and is no secret of others', async () => {
    const { access_token: token } = await tokensWith(bank);
    const at = (path: string, form: object, headers: Headers) =>
      send(world.origin, { method: 'POST', path, headers, body: { client_id: bank.client.clientId, ...form } });
    expect((await at(paths.introspect, { token }, shown(first))).json()).toMatchObject({
      active: true,
      token_type: 'Bearer',
      cnf: { 'x5t#S256': thumbprintOf(first) },
    });
    expect((await at(PAR, bank.parameters(), shown(first))).status).toBe(201);
    for (const path of [paths.introspect, paths.revoke, PAR])
      expect(errorOf(await at(path, { token }, {}))).toBe('401 invalid_client');
    expect((await at(paths.revoke, { token }, shown(first))).status).toBe(200);
    const web = new RelyingParty(world, await world.cast.web1);
    const asWeb = { grant_type: 'refresh_token', refresh_token: 'x', client_id: web.client.clientId };
    expect(
      errorOf(await send(world.origin, { method: 'POST', path: paths.token, headers: shown(first), body: asWeb })),
    ).toBe('401 invalid_client');
  });
});

describe('A token that is bound to a certificate (RFC 8705 §3)', () => {
  it.each(['opaque', 'jwt'] as const)('is used with it alone, at every edge: %s [MTL-002]', async (accessTokenType) => {
    const rp = await party({ accessTokenType });
    const { access_token: token } = await tokensWith(rp);
    const use = async (path: string, certificate: Headers, at = world) =>
      (await send(at.origin, { path, headers: { ...bearer(token), ...certificate } })).status;
    const form = async (certificate: Headers) =>
      (
        await send(world.origin, {
          method: 'POST',
          path: paths.userinfo,
          headers: certificate,
          body: { access_token: token },
        })
      ).status;
    expect([await use(paths.userinfo, shown(first)), await form(shown(first, null))]).toEqual([200, 200]);
    for (const certificate of [{}, shown(other), shown(renewed), shown(expired)])
      expect([await use(paths.userinfo, certificate), await form(certificate)]).toEqual([401, 401]);
    expect(await use(paths.userinfo, shown(first), elsewhere)).toBe(401);
    for (const certificate of [{}, shown(other)]) expect(await use('/auth/v1/users/me', certificate)).not.toBe(200);
  });

  it('opens the administrative API with that certificate alone, and gRPC not at all [MTL-002]', async () => {
    const scope = `openid ${world.get(Urn).systemAudience}`;
    const { access_token: token } = tokensOf(await redeem(bank, await bank.code(alice, { scope }), shown(first)));
    const me = async (certificate: Headers, at = world) =>
      verdictOf(await send(at.origin, { path: '/auth/v1/users/me', headers: { ...bearer(token), ...certificate } }));
    expect(await me(shown(first))).toBe('200');
    for (const certificate of [{}, shown(other), shown(renewed), shown(expired)])
      expect(await me(certificate)).toBe('401 token.dead');
    expect(await me(shown(first), elsewhere)).toBe('401 token.dead');
    const { GetMyUser } = methodsOf('service.auth.v1.AuthService');
    const client = new GrpcClient(world.origin);
    const metadata = { 'x-client-cert': encodeURIComponent(first), 'x-client-verify': 'SUCCESS' };
    const { code, id } = await client.call(GetMyUser!, {}, { authorization: `Bearer ${token}`, ...metadata });
    expect(`${code} ${id}`).toBe('16 token.dead');
    client.close();
  });

  it('is exchanged where that certificate is shown, and the result stays bound to it [TEX-014]', async () => {
    // Of the same project, and without a wish of its own to bind tokens.
    const projectId = await world.cast.projectP;
    const grantTypes = ['authorization_code', 'token_exchange'] as const;
    const back = new RelyingParty(world, await world.add.client({ projectId, grantTypes: [...grantTypes] }));
    const prover = await Prover.make(world);
    const exchange = async (token: string, headers: Headers) => back.token(exchangeOf(token), world, headers);
    const boundTo = async (reply: Reply) => (await back.introspect(tokensOf(reply).access_token)).json()['cnf'];
    const { access_token: token } = await tokensWith(bank);
    for (const certificate of [{}, shown(other), shown(renewed), shown(expired)])
      expect(errorOf(await exchange(token, certificate))).toBe('400 invalid_request');
    const reply = await exchange(token, shown(first));
    expect([tokensOf(reply).token_type, await boundTo(reply)]).toEqual(['Bearer', { 'x5t#S256': thumbprintOf(first) }]);
    const { access_token: next } = tokensOf(reply);
    expect(errorOf(await exchange(next, {}))).toBe('400 invalid_request');
    expect(await boundTo(await exchange(next, shown(first)))).toEqual({ 'x5t#S256': thumbprintOf(first) });
    // A key of its own, which whoever finds the token has as well, does not stand for the certificate, but is bound
    // besides.
    for (const certificate of [{}, shown(other)])
      expect(errorOf(await exchange(token, { ...certificate, ...(await prover.forTokens()) }))).toBe(
        '400 invalid_request',
      );
    expect(await boundTo(await exchange(token, { ...shown(first), ...(await prover.forTokens()) }))).toEqual({
      jkt: prover.thumbprint,
      'x5t#S256': thumbprintOf(first),
    });
    // What is not bound is not bound by an exchange either.
    const { access_token: free } = await back.tokens(alice);
    expect(await boundTo(await exchange(free, shown(first)))).toBeUndefined();
  });

  it('that is bound to a key as well is exchanged with both alone, and the result is bound to both [TEX-014]', async () => {
    const back = await party({
      tlsBoundAccessTokens: false,
      authMethod: 'client_secret_basic',
      grantTypes: ['authorization_code', 'token_exchange'],
    });
    const [prover, own] = [await Prover.make(world), await Prover.make(world)];
    const given = await redeem(bank, await bank.code(alice), { ...shown(first), ...(await prover.forTokens()) });
    const { access_token: token } = tokensOf(given);
    const ask = async (headers: Headers): Promise<Reply> => back.token(exchangeOf(token), world, headers);
    expect(errorOf(await ask({}))).toBe('400 invalid_dpop_proof');
    expect(errorOf(await ask(shown(first)))).toBe('400 invalid_dpop_proof');
    expect(errorOf(await ask(await own.forTokens()))).toBe('400 invalid_request');
    expect(errorOf(await ask({ ...shown(other), ...(await own.forTokens()) }))).toBe('400 invalid_request');
    const { access_token: both } = tokensOf(await ask({ ...shown(first), ...(await own.forTokens()) }));
    expect((await back.introspect(both)).json()['cnf']).toEqual({
      jkt: own.thumbprint,
      'x5t#S256': thumbprintOf(first),
    });
  });

  it('is exchanged neither for an ID token nor as that of an actor without that certificate [TEX-014]', async () => {
    const back = await party({
      tlsBoundAccessTokens: false,
      authMethod: 'client_secret_basic',
      grantTypes: ['authorization_code', 'token_exchange'],
    });
    const { access_token: token } = await tokensWith(bank);
    const forIdToken = exchangeOf(token, { requested_token_type: ID_TOKEN_TYPE });
    expect(errorOf(await back.token(forIdToken, world))).toBe('400 invalid_request');
    expect((await back.token(forIdToken, world, shown(first))).status).toBe(200);

    const support = await world.add.person({ orgId: alice.orgId });
    const place = { level: 'org', objectId: alice.orgId, orgId: alice.orgId } as const;
    await world.add.member(support.id, ['ORG_END_USER_IMPERSONATOR'], place);
    await world.get(InstanceService).setImpersonation(true, EDITOR);
    await world.changesToArrive();
    const code = await bank.elsewhere().code(support);
    const { access_token: actor } = tokensOf(await redeem(bank, code, shown(first)));
    const acting = exchangeOf((await back.tokens(alice)).access_token, actedBy(actor));
    expect((await back.token(acting, world)).json()).toMatchObject({
      error_description: expect.stringContaining('must be shown in the TLS handshake'),
    });
    const { access_token: result } = tokensOf(await back.token(acting, world, shown(first)));
    expect((await back.introspect(result)).json()).toMatchObject({
      sub: alice.id,
      act: { sub: support.id },
      cnf: { 'x5t#S256': thumbprintOf(first) },
    });
  });

  it('is issued by every grant of the application, and by none without a certificate [MTL-002]', async () => {
    const spa = await party({ authMethod: 'none', tlsClientNameType: 'unspecified', tlsClientName: '' });
    spa.pkce = newPkce();
    const code = await spa.code(alice, { scope: OFFLINE });
    expect(errorOf(await redeem(spa, code, {}))).toBe('400 invalid_request');
    const tokens = tokensOf(await redeem(spa, code, shown(first, null)));
    expect(errorOf(await spa.refresh(tokens.refresh_token))).toBe('400 invalid_request');
    const next = tokensOf(await spa.refresh(tokens.refresh_token, {}, world, shown(renewed, null)));
    const use = async (token: string, pem: string) =>
      (await send(world.origin, { path: paths.userinfo, headers: { ...bearer(token), ...shown(pem) } })).status;
    // A renewed certificate gets tokens of its own; those of the former one stay with that.
    expect([await use(next.access_token, renewed), await use(next.access_token, first)]).toEqual([200, 401]);
    expect(await use(tokens.access_token, first)).toBe(200);
    const device = new Device(world, spa.client);
    const codes = await device.start();
    await device.approve(codes, alice);
    const form = { grant_type: DEVICE_GRANT, device_code: codes.device_code };
    expect(errorOf(await spa.token(form))).toBe('400 invalid_request');
    const bound = tokensOf(await spa.token(form, world, shown(first)));
    expect([await use(bound.access_token, first), await use(bound.access_token, other)]).toEqual([200, 401]);
  });

  it('may be bound to a key as well, and then needs both', async () => {
    const prover = await Prover.make(world);
    const reply = await redeem(bank, await bank.code(alice), { ...shown(first), ...(await prover.forTokens()) });
    const { access_token: token, token_type: type } = tokensOf(reply);
    expect([type, decodeJwt(token)['cnf']]).toEqual([
      'DPoP',
      { jkt: prover.thumbprint, 'x5t#S256': thumbprintOf(first) },
    ]);
    const use = async (more: Headers) =>
      (
        await send(world.origin, {
          path: paths.userinfo,
          headers: { ...(await prover.forResource(token, paths.userinfo)), ...more },
        })
      ).status;
    expect([await use({}), await use(shown(other)), await use(shown(first))]).toEqual([401, 401, 200]);
    expect(
      (await send(world.origin, { path: paths.userinfo, headers: { ...bearer(token), ...shown(first) } })).status,
    ).toBe(401);
  });

  it('is not one of an application that does not ask for it: many proxies ask everybody for a certificate', async () => {
    const web = new RelyingParty(world, await world.cast.web1);
    const { access_token: token } = tokensOf(await redeem(web, await web.code(alice), shown(first)));
    expect((await send(world.origin, { path: paths.userinfo, headers: bearer(token) })).status).toBe(200);
  });
});

describe('An API application', () => {
  async function api(settings: Partial<ClientSettings>): Promise<RelyingParty> {
    return new RelyingParty(world, await world.add.api({ projectId: await world.cast.projectP, ...settings }));
  }

  it('introspects and revokes with a certificate that has its name [MTL-001, MTL-004]', async () => {
    const rp = await api({ authMethod: 'tls_client_auth', tlsClientNameType: 'subject_dn', tlsClientName: SUBJECT });
    const { access_token: token } = await tokensWith(bank);
    const at = async (path: string, headers: Headers, place = world) =>
      send(place.origin, { method: 'POST', path, headers, body: { token, client_id: rp.client.clientId } });
    for (const headers of [{}, shown(first, null), shown(first, 'FAILED'), shown(other), shown(selfA)])
      expect(errorOf(await at(paths.introspect, headers))).toBe('401 invalid_client');
    expect(errorOf(await at(paths.introspect, shown(first), elsewhere))).toBe('401 invalid_client');
    for (const pem of [first, renewed])
      expect((await at(paths.introspect, shown(pem))).json()).toMatchObject({ active: true, sub: alice.id });
    expect((await at(paths.revoke, shown(first))).status).not.toBe(401);
    expect(errorOf(await at(paths.revoke, shown(other)))).toBe('401 invalid_client');
  });

  it('introspects with a certificate of its own, that it has registered [MTL-001]', async () => {
    const rp = await api({ authMethod: 'self_signed_tls_client_auth', jwks: { keys: [keyWith(selfA, '1')] } });
    const { access_token: token } = await tokensWith(bank);
    const body = { token, client_id: rp.client.clientId };
    const status = async (pem: string) =>
      (await send(world.origin, { method: 'POST', path: paths.introspect, headers: shown(pem, null), body })).status;
    expect([await status(selfA), await status(selfB), await status(first)]).toEqual([200, 401, 401]);
  });
});

describe('An application that is held to FAPI 2.0, with certificates', () => {
  it('authenticates and binds its tokens by certificate, without another switch [FAP-001]', async () => {
    const rp = await party({
      grantTypes: ['authorization_code', 'refresh_token'],
      tlsBoundAccessTokens: false,
      securityProfile: 'fapi_2_0',
    });
    rp.pkce = newPkce();
    const pushed = await rp.post(PAR, rp.parameters({ scope: OFFLINE }), world, shown(first));
    const request_uri = pushed.json<{ request_uri: string }>().request_uri;
    const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri });
    const arrival = await rp.enter(await rp.browser.get(`${paths.authorize}?${query}`), alice);
    const code = answerOf(arrival.redirect!)['code']!;
    const tokens = tokensOf(await redeem(rp, code, shown(first)));
    const use = async (headers: Headers) =>
      (await send(world.origin, { path: paths.userinfo, headers: { ...bearer(tokens.access_token), ...headers } }))
        .status;
    expect([await use(shown(first)), await use({}), await use(shown(other))]).toEqual([200, 401, 401]);
    const next = tokensOf(await rp.refresh(tokens.refresh_token, {}, world, shown(renewed)));
    expect(next.refresh_token).toBe(tokens.refresh_token);
  });
});

describe('The metadata', () => {
  it('name what the proxy makes possible, and the host that asks for certificates (RFC 8705 §3.3, §5)', async () => {
    const document = await world.discovery();
    expect(document).toMatchObject({
      tls_client_certificate_bound_access_tokens: true,
      token_endpoint_auth_methods_supported: expect.arrayContaining(['tls_client_auth', 'self_signed_tls_client_auth']),
      mtls_endpoint_aliases: {
        token_endpoint: `https://mtls.op.test${paths.token}`,
        pushed_authorization_request_endpoint: `https://mtls.op.test${PAR}`,
        userinfo_endpoint: `https://mtls.op.test${paths.userinfo}`,
      },
    });
    const plain = await startWorld({ replicaOf: world });
    const members = Object.keys(await plain.discovery());
    expect(members).not.toContain('mtls_endpoint_aliases');
    expect(members).not.toContain('tls_client_certificate_bound_access_tokens');
    expect((await plain.discovery())['token_endpoint_auth_methods_supported']).not.toContain('tls_client_auth');
    await plain.close();
  });

  it('let a proof of a key name that host too', async () => {
    const prover = await Prover.make(world);
    const web = new RelyingParty(world, await world.cast.web1);
    const proof = await prover.forTokens({ claims: { htu: `https://mtls.op.test${paths.token}` } });
    expect(tokensOf(await redeem(web, await web.code(alice), proof)).token_type).toBe('DPoP');
    const wrong = await prover.forTokens({ claims: { htu: `https://evil.test${paths.token}` } });
    expect(errorOf(await redeem(web, await web.code(alice), wrong))).toBe('400 invalid_dpop_proof');
  });
});
