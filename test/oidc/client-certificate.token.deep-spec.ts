import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { Urn } from '../../src/token/claims/urn.js';
import { GrpcClient, methodsOf } from '../grpc/grpc-clients.js';
import { verdictOf } from '../support/admin-api.js';
import { EDITOR, type TestPerson } from '../support/builders.js';
import { CERTIFICATES } from '../support/certificates.js';
import { DEVICE_GRANT, Device } from '../support/device.js';
import { errorOf } from '../support/fapi.js';
import { type Headers, type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { bearer, newPkce, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { actedBy, exchangeOf, ID_TOKEN_TYPE } from '../support/token-exchange.js';
import type { World } from '../support/world.js';
import { CertificateStage, OFFLINE, party, redeem, shown, thumbprintOf, tokensWith } from './certificate-stage.js';

const { first, renewed, other, expired } = CERTIFICATES;

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

describe('A token that is bound to a certificate (RFC 8705 §3)', () => {
  it.each(['opaque', 'jwt'] as const)('is used with it alone, at every edge: %s [MTL-002]', async (accessTokenType) => {
    const rp = await party(world, { accessTokenType });
    const { access_token: token } = await tokensWith(rp, alice);
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
    const { access_token: token } = await tokensWith(bank, alice);
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
    const back = await party(world, {
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
    const back = await party(world, {
      tlsBoundAccessTokens: false,
      authMethod: 'client_secret_basic',
      grantTypes: ['authorization_code', 'token_exchange'],
    });
    const { access_token: token } = await tokensWith(bank, alice);
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
    const spa = await party(world, { authMethod: 'none', tlsClientNameType: 'unspecified', tlsClientName: '' });
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
