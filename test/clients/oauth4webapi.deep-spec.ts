import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import type { TestClient, TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { RelyingParty } from '../support/relying-party.js';
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

/* The library below openid-client, which leaves every step to its caller and checks each answer. */

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;

let world: World;
let alice: TestPerson;
let server: oauth.AuthorizationServer;

beforeAll(async () => {
  // The library has a clock of its own.
  world = await startWorld({ realTime: true, env: { DEVICE_INTERVAL: '1' } });
  alice = await world.cast.alice;
  const issuer = new URL(world.issuer);
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, INSECURE));
});
afterAll(() => world.close());

const named = ({ clientId }: TestClient): oauth.Client => ({ client_id: clientId });

/** With a key, by `private_key_jwt`. */
async function makeKeyHolder(): Promise<{ client: TestClient; key: oauth.PrivateKey; auth: oauth.ClientAuth }> {
  const client = await world.add.client({
    projectId: await world.cast.projectP,
    authMethod: 'private_key_jwt',
    keyAlgorithm: 'ES256',
    grantTypes: ['authorization_code', 'refresh_token', 'token_exchange'],
    requireSignedRequests: true,
    requirePushedRequests: true,
    dpopBoundAccessTokens: true,
  });
  const key = { key: client.key!.privateKey, kid: client.key!.kid };
  return { client, key, auth: oauth.PrivateKeyJwt(key) };
}

/** Signed (RFC 9101), pushed (RFC 9126), and with a proof of a key (RFC 9449). */
async function tokensOf(
  { client, key, auth }: Awaited<ReturnType<typeof makeKeyHolder>>,
  DPoP: oauth.DPoPHandle,
): Promise<oauth.TokenEndpointResponse> {
  const [verifier, state, nonce] = [
    oauth.generateRandomCodeVerifier(),
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
  ];
  const parameters = new URLSearchParams({
    response_type: 'code',
    redirect_uri: client.redirectUri,
    scope: 'openid offline_access',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const request = await oauth.issueRequestObject(server, named(client), parameters, key);
  const options = { ...INSECURE, DPoP };
  const pushed = await oauth.processPushedAuthorizationResponse(
    server,
    named(client),
    await oauth.pushedAuthorizationRequest(server, named(client), auth, { request }, options),
  );
  const query = new URLSearchParams({ client_id: client.clientId, request_uri: pushed.request_uri });
  const rp = new RelyingParty(world, client);
  const { redirect } = await rp.enter(await rp.browser.get(`${server.authorization_endpoint}?${query}`), alice);
  const back = oauth.validateAuthResponse(server, named(client), new URL(redirect!), state);
  return oauth.processAuthorizationCodeResponse(
    server,
    named(client),
    await oauth.authorizationCodeGrantRequest(server, named(client), auth, back, client.redirectUri, verifier, options),
    { expectedNonce: nonce, requireIdToken: true },
  );
}

describe('oauth4webapi', () => {
  it('signs its request, pushes it, and gets tokens that are bound to its key, which it uses and renews', async () => {
    const holder = await makeKeyHolder();
    const { client, auth } = holder;
    const DPoP = oauth.DPoP(named(client), await oauth.generateKeyPair('ES256'));
    const tokens = await tokensOf(holder, DPoP);
    expect([tokens.token_type, oauth.getValidatedIdTokenClaims(tokens)?.sub]).toEqual(['dpop', alice.id]);
    const options = { ...INSECURE, DPoP };
    const found = await oauth.userInfoRequest(server, named(client), tokens.access_token, options);
    expect((await oauth.processUserInfoResponse(server, named(client), alice.id, found)).sub).toBe(alice.id);
    const renewed = await oauth.processRefreshTokenResponse(
      server,
      named(client),
      await oauth.refreshTokenGrantRequest(server, named(client), auth, tokens.refresh_token!, options),
    );
    expect(renewed.token_type).toBe('dpop');
  });

  it('exchanges a token that is bound to its key for one that is bound to it as well (RFC 8693)', async () => {
    const holder = await makeKeyHolder();
    const { client, auth } = holder;
    const DPoP = oauth.DPoP(named(client), await oauth.generateKeyPair('ES256'));
    const { access_token: token } = await tokensOf(holder, DPoP);
    const form = { subject_token: token, subject_token_type: ACCESS_TOKEN_TYPE, scope: 'openid' };
    const ask = (options: oauth.TokenEndpointRequestOptions) =>
      oauth.genericTokenEndpointRequest(server, named(client), auth, TOKEN_EXCHANGE, form, { ...INSECURE, ...options });
    const made = await oauth.processGenericTokenEndpointResponse(server, named(client), await ask({ DPoP }));
    expect([made.token_type, made['issued_token_type']]).toEqual(['dpop', ACCESS_TOKEN_TYPE]);
    const options = { ...INSECURE, DPoP };
    const found = await oauth.userInfoRequest(server, named(client), made.access_token, options);
    expect((await oauth.processUserInfoResponse(server, named(client), alice.id, found)).sub).toBe(alice.id);
    await expect(
      ask({}).then(async (response) => oauth.processGenericTokenEndpointResponse(server, named(client), response)),
    ).rejects.toMatchObject({ error: 'invalid_dpop_proof' });
  });

  it('verifies userinfo that is signed (OIDC Core §5.3.2)', async () => {
    const rp = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, signedUserinfo: true }),
    );
    const { access_token: token } = await rp.tokens(alice, { scope: 'openid email' });
    const found = await oauth.userInfoRequest(server, named(rp.client), token, INSECURE);
    const client = { ...named(rp.client), userinfo_signed_response_alg: 'RS256' };
    const claims = await oauth.processUserInfoResponse(server, client, alice.id, found);
    await oauth.validateApplicationLevelSignature(server, found, INSECURE);
    expect(claims).toMatchObject({ iss: world.issuer, aud: rp.client.clientId, email: 'alice@mail.test' });
    const other = await oauth.userInfoRequest(server, named(rp.client), token, INSECURE);
    const stranger = { ...client, client_id: 'other' };
    await expect(oauth.processUserInfoResponse(server, stranger, alice.id, other)).rejects.toThrow(/aud/);
  });

  it('asks as a device whose user agrees (RFC 8628)', async () => {
    const tv = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'none',
      grantTypes: ['device_code', 'refresh_token'],
      redirectUris: [],
    });
    const form = { scope: 'openid offline_access' };
    const begun = await oauth.processDeviceAuthorizationResponse(
      server,
      named(tv),
      await oauth.deviceAuthorizationRequest(server, named(tv), oauth.None(), form, INSECURE),
    );
    const poll = () => oauth.deviceCodeGrantRequest(server, named(tv), oauth.None(), begun.device_code, INSECURE);
    await expect(
      poll().then(async (response) => oauth.processDeviceCodeResponse(server, named(tv), response)),
    ).rejects.toMatchObject({ error: 'authorization_pending' });
    await new Device(world, tv).approve({ ...begun, interval: 5, verification_uri_complete: '' }, alice);
    const tokens = await oauth.processDeviceCodeResponse(server, named(tv), await poll());
    expect(oauth.getValidatedIdTokenClaims(tokens)?.sub).toBe(alice.id);
  });
});
