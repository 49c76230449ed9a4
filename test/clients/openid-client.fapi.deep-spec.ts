import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { type Build, OpenidClientStage, refusedWith } from './openid-client-stage.js';

let stage: OpenidClientStage;
let world: World;
let alice: TestPerson;

beforeAll(async () => {
  stage = await OpenidClientStage.set();
  ({ world, alice } = stage);
});
afterAll(() => world.close());

describe('openid-client, with a key of its own (DPoP, RFC 9449)', () => {
  it.each(['off', 'on'])('gets bound tokens, uses and refreshes them: nonces %s', async (nonces) => {
    const place = await startWorld({ replicaOf: world, realTime: true, env: { DPOP_NONCE: nonces } });
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'none',
      clientType: 'user_agent',
      grantTypes: ['authorization_code', 'refresh_token'],
      dpopBoundAccessTokens: true,
    });
    // The issuer is that of both; what the library sends goes to the one.
    const config = await library.discovery(stage.issuer(), client.clientId, undefined, library.None(), {
      execute: [library.allowInsecureRequests],
      [library.customFetch]: (url, options) => fetch(url.replace(world.issuer, place.origin), options as RequestInit),
    });
    const key = await library.randomDPoPKeyPair();
    const DPoP = library.getDPoPHandle(config, key);
    const rp = new RelyingParty(world, client);
    const sent = await stage.compose(config, client, {
      scope: 'openid email offline_access',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const back = await stage.signIn(rp, sent);
    const tokens = await library.authorizationCodeGrant(
      config,
      back,
      { pkceCodeVerifier: sent.verifier, expectedState: sent.state, expectedNonce: sent.nonce },
      undefined,
      { DPoP },
    );
    expect(tokens.token_type).toBe('dpop');
    const info = await library.fetchUserInfo(config, tokens.access_token, alice.id, { DPoP });
    expect(info.email).toBe(alice.email);
    await expect(library.fetchUserInfo(config, tokens.access_token, alice.id)).rejects.toMatchObject({ status: 401 });
    const next = await library.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP });
    expect(next.token_type).toBe('dpop');
    await expect(library.refreshTokenGrant(config, next.refresh_token!)).rejects.toEqual(
      refusedWith('invalid_dpop_proof'),
    );
    for (const token of [tokens, next]) for (const text of [token.access_token, token.refresh_token]) world.plant(text);
    await place.close();
  });
});

describe('openid-client, as an application that is held to FAPI 2.0', () => {
  it.each(['PS256', 'ES256', 'Ed25519'])('signs a user in, uses and refreshes its tokens: %s', async (keyAlgorithm) => {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'private_key_jwt',
      keyAlgorithm,
      securityProfile: 'fapi_2_0',
    });
    const { privateKey, kid } = client.key!;
    const config = await stage.configured(client, library.PrivateKeyJwt({ key: privateKey, kid }));
    library.enableNonRepudiationChecks(config);
    const DPoP = library.getDPoPHandle(config, await library.randomDPoPKeyPair());
    const sent = await stage.compose(config, client, { scope: 'openid email offline_access' }, (by, parameters) =>
      library.buildAuthorizationUrlWithPAR(by, parameters, { DPoP }),
    );
    const back = await stage.signIn(new RelyingParty(world, client), sent);
    const checks = { pkceCodeVerifier: sent.verifier, expectedState: sent.state, expectedNonce: sent.nonce };
    const tokens = await library.authorizationCodeGrant(config, back, checks, undefined, { DPoP });
    expect([tokens.token_type, tokens.claims()?.sub]).toEqual(['dpop', alice.id]);
    const info = await library.fetchUserInfo(config, tokens.access_token, alice.id, { DPoP });
    expect(info.email).toBe(alice.email);
    const next = await library.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP });
    expect(next.refresh_token).toBe(tokens.refresh_token);
    for (const text of [tokens.access_token, next.access_token, tokens.refresh_token]) world.plant(text);
  });
});

describe('A request that does not travel in the address', () => {
  const through = async (client: TestClient, config: library.Configuration, build: Build): Promise<URL> => {
    const sent = await stage.compose(config, client, {}, build);
    const tokens = await stage.redeem(config, sent, await stage.signIn(new RelyingParty(world, client), sent));
    expect(tokens.claims()?.sub).toBe(alice.id);
    return sent.url;
  };

  it('can be pushed (RFC 9126)', async () => {
    const client = await world.cast.web1;
    const url = await through(client, await stage.web1(), (config, parameters) =>
      library.buildAuthorizationUrlWithPAR(config, parameters),
    );
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);
  });

  it('is signed, and signed and pushed (RFC 9101)', async () => {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'private_key_jwt',
      keyAlgorithm: 'ES256',
      requireSignedRequests: true,
    });
    const key = { key: client.key!.privateKey, kid: client.key!.kid };
    const config = await stage.configured(client, library.PrivateKeyJwt(key));
    const signed: Build = (by, parameters) => library.buildAuthorizationUrlWithJAR(by, parameters, key);
    const url = await through(client, config, signed);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request']);
    await through(client, config, async (by, parameters) => {
      const { searchParams } = await signed(by, parameters);
      return library.buildAuthorizationUrlWithPAR(by, searchParams);
    });
  });
});
