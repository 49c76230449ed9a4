import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { CERTIFICATES, FORMATS, keyWith, SUBJECT } from '../support/certificates.js';
import { errorOf, PAR } from '../support/fapi.js';
import { type Headers, send, sendUnchecked } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, bearer, newPkce, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { CertificateStage, OFFLINE, party, redeem, shown, thumbprintOf, tokensWith } from './certificate-stage.js';

const { first, renewed, other, expired, selfA, selfB } = CERTIFICATES;

let stage: CertificateStage;
let world: World;
let elsewhere: World;
let alice: TestPerson;
let bank: RelyingParty;

beforeAll(async () => {
  stage = await CertificateStage.set();
  ({ world, elsewhere, alice, bank } = stage);
});
afterAll(() => stage.close());
beforeEach(() => {
  world.clock.advance('1m');
});

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
    const byHost = await party(world, { tlsClientNameType: 'san_dns', tlsClientName: 'client.bank.test' });
    tokensOf(await redeem(byHost, await byHost.code(alice), shown(first)));
    expect(errorOf(await redeem(byHost, await byHost.code(alice), shown(other)))).toBe('401 invalid_client');
  });

  it('of its own is one that the application has registered; both count while one replaces the other', async () => {
    const own = await party(world, {
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
    const { access_token: token } = await tokensWith(bank, alice);
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

describe('An API application', () => {
  async function api(settings: Partial<ClientSettings>): Promise<RelyingParty> {
    return new RelyingParty(world, await world.add.api({ projectId: await world.cast.projectP, ...settings }));
  }

  it('introspects and revokes with a certificate that has its name [MTL-001, MTL-004]', async () => {
    const rp = await api({ authMethod: 'tls_client_auth', tlsClientNameType: 'subject_dn', tlsClientName: SUBJECT });
    const { access_token: token } = await tokensWith(bank, alice);
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
    const { access_token: token } = await tokensWith(bank, alice);
    const body = { token, client_id: rp.client.clientId };
    const status = async (pem: string) =>
      (await send(world.origin, { method: 'POST', path: paths.introspect, headers: shown(pem, null), body })).status;
    expect([await status(selfA), await status(selfB), await status(first)]).toEqual([200, 401, 401]);
  });
});

describe('An application that is held to FAPI 2.0, with certificates', () => {
  it('authenticates and binds its tokens by certificate, without another switch [FAP-001]', async () => {
    const rp = await party(world, {
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
