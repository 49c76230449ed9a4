import { expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { RelyingParty } from '../support/relying-party.js';
import { newPkce, tokensOf } from '../support/relying-party.js';
import { expectToken400 } from '../support/verdict.js';
import { commonModules } from './common-modules.js';
import { entropyOf, expectNothingUnrequested, type Suite } from './suite.js';
import { userinfoModules } from './userinfo-modules.js';

/** The OpenID Foundation's oidcc-basic-certification-test-plan. */
export function basicModules(suite: () => Suite): void {
  const newClient = (): Promise<RelyingParty> => suite().client();

  it('oidcc-server', async () => {
    const { answer, tokens, idToken } = await suite().pass(await newClient());
    expect(answer['code']!.length).toBeGreaterThanOrEqual(16);
    expect(entropyOf(answer['code']!)).toBeGreaterThan(96);
    expect(tokens.expires_in).toEqual(expect.any(Number));
    expectNothingUnrequested(idToken);
  });

  commonModules(suite, newClient);
  userinfoModules(suite, newClient);

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    const { idToken } = await suite().pass(await newClient(), { nonce: undefined });
    expect(idToken).not.toHaveProperty('nonce');
  });

  it('oidcc-codereuse', async () => {
    const rp = await newClient();
    const { answer } = await suite().pass(rp);
    expectToken400(await rp.redeem(answer['code']!), 'invalid_grant');
  });

  it('oidcc-codereuse-30seconds', async () => {
    for (const accessTokenType of ['opaque', 'jwt'] as const) {
      const rp = await suite().client({ accessTokenType });
      const { answer, tokens } = await suite().pass(rp);
      suite().world.clock.advance('30s');
      expectToken400(await rp.redeem(answer['code']!), 'invalid_grant');
      expect((await rp.userinfo(tokens.access_token)).status).toBe(401);
    }
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    const rp = await newClient();
    const request = suite().request();
    const arrival = await rp.enter(
      await rp.browser.post('/oauth/v2/authorize', rp.parameters(request)),
      suite().person,
    );
    await suite().finish(rp, suite().receive(rp, arrival, request), request);
  });

  it('oidcc-server-client-secret-post', async () => {
    expect((await suite().world.discovery())['token_endpoint_auth_methods_supported']).toEqual(
      expect.arrayContaining(['client_secret_post', 'client_secret_basic']),
    );
    await suite().pass(await suite().client({ authMethod: 'client_secret_post' }));
  });

  it('oidcc-refresh-token', async () => {
    const offline = { scope: 'openid offline_access', prompt: 'consent' };
    const [one, two] = [await newClient(), await newClient()];
    const first = await suite().pass(one, offline);
    expect((await suite().world.discovery())['grant_types_supported']).toContain('refresh_token');
    const second = await suite().pass(two, offline);
    for (const [rp, before, scope] of [
      [one, first, 'openid offline_access'],
      [two, second, undefined],
    ] as const) {
      suite().world.clock.advance('1s');
      const token = before.tokens.refresh_token;
      expect(token).toMatch(/^[\x21-\x7e]{16,}$/);
      expect(entropyOf(token)).toBeGreaterThan(96);
      const reply = await rp.refresh(token, { scope });
      expect(reply.header('cache-control')).toBe('no-store');
      const tokens = tokensOf(reply);
      expect(tokens.token_type).toBe('Bearer');
      expect(tokens.expires_in).toEqual(expect.any(Number));
      expect(entropyOf(tokens.access_token)).toBeGreaterThan(96);
      expect(tokens.access_token).toMatch(/^[A-Za-z0-9._~+/-]+=*$/);
      const [old, renewed] = [before.idToken, decodeJwt(tokens.id_token)];
      for (const name of ['iss', 'sub', 'aud', 'azp', 'auth_time'] as const) expect(renewed[name]).toEqual(old[name]);
      expect(renewed.iat).toBeGreaterThan(old.iat!);
      if (rp === two) expectToken400(await one.refresh(tokens.refresh_token), 'invalid_grant');
    }
  });

  it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const rp = await newClient();
    rp.pkce = newPkce();
    await suite().pass(rp);
  });
}
