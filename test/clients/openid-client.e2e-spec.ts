import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import { InstanceService } from '../../src/instance/instance.service.js';
import { pageOf } from '../login/turns.js';
import { JWT_BEARER, signAssertion } from '../support/assertion.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { RelyingParty } from '../support/relying-party.js';
import { ACCESS_TOKEN_TYPE, TOKEN_EXCHANGE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';

/** What an application keeps between sending a user to us and their return. */
interface Sent {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

let world: World;
let alice: TestPerson;

beforeAll(async () => {
  // The library has a clock of its own.
  world = await startWorld({ realTime: true, env: { REGISTRATION: 'open' } });
  alice = await world.cast.alice;
});
afterAll(() => world.close());

const issuer = (): URL => new URL(world.issuer);

/** Discovery, as the library does it before everything else. */
async function configured(
  client: Pick<TestClient, 'clientId'>,
  authentication: library.ClientAuth,
): Promise<library.Configuration> {
  return library.discovery(issuer(), client.clientId, undefined, authentication, {
    execute: [library.allowInsecureRequests],
  });
}

async function web1(): Promise<library.Configuration> {
  const client = await world.cast.web1;
  return configured(client, library.ClientSecretBasic(client.secret));
}

/** How the library sends a user to us: with parameters in the address, pushed, or signed. */
type Build = (config: library.Configuration, parameters: Record<string, string>) => URL | Promise<URL>;

async function compose(
  config: library.Configuration,
  client: TestClient,
  over: Record<string, string> = {},
  build: Build = library.buildAuthorizationUrl,
): Promise<Sent> {
  const [verifier, state, nonce] = [library.randomPKCECodeVerifier(), library.randomState(), library.randomNonce()];
  world.plant(verifier);
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
async function signIn(rp: RelyingParty, { url }: Sent): Promise<URL> {
  const arrival = await rp.enter(await rp.browser.get(url.href), alice);
  if (arrival.redirect === undefined)
    throw new Error(`A page came instead: ${arrival.page.status} ${arrival.page.text}`);
  return new URL(arrival.redirect);
}

async function redeem(
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
  for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) world.plant(token);
  return tokens;
}

/** The whole way to tokens. */
async function tokensOf(
  client: TestClient,
  config: library.Configuration,
  over: Record<string, string> = {},
): Promise<Awaited<ReturnType<typeof redeem>>> {
  const sent = await compose(config, client, over);
  return redeem(config, sent, await signIn(new RelyingParty(world, client), sent));
}

async function api1(): Promise<library.Configuration> {
  const client = await world.cast.api1;
  return configured(client, library.ClientSecretBasic(client.secret));
}

/** What the token endpoint refuses, in the library's words. */
const refusedWith = (error: string, status = 400): object => expect.objectContaining({ error, status });

/** What the library says is wrong; it names the parameter in the cause. */
async function complaintOf(call: Promise<unknown>): Promise<string> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error as Error,
  );
  return `${failure?.message} ${(failure?.cause as Error | undefined)?.message}`;
}

describe('openid-client, signing a person in', () => {
  it('accepts the discovery document of this issuer and finds every endpoint in it', async () => {
    const metadata = (await web1()).serverMetadata();
    expect(metadata.issuer).toBe(world.issuer);
    expect(metadata.supportsPKCE()).toBe(true);
    for (const endpoint of [
      metadata.authorization_endpoint,
      metadata.token_endpoint,
      metadata.userinfo_endpoint,
      metadata.introspection_endpoint,
      metadata.revocation_endpoint,
      metadata.end_session_endpoint,
      metadata.jwks_uri,
    ]) {
      expect(endpoint?.startsWith(`${world.issuer}/`)).toBe(true);
    }
  });

  it('accepts the answer with its iss (RFC 9207), and the id_token, for a code with PKCE', async () => {
    const config = await web1();
    const sent = await compose(config, await world.cast.web1);
    const back = await signIn(new RelyingParty(world, await world.cast.web1), sent);
    expect(back.searchParams.get('iss')).toBe(world.issuer);
    const tokens = await redeem(config, sent, back);
    expect(tokens.claims()).toMatchObject({ iss: world.issuer, aud: 'web1', sub: alice.id, nonce: sent.nonce });
    expect(tokens.expiresIn()).toBeGreaterThan(0);
    expect(tokens.token_type).toBe('bearer'); // as the library writes what we call Bearer
  });

  it('accepts the signature of the id_token when it checks it against the published keys', async () => {
    const client = await world.cast.web1;
    const config = await web1();
    library.enableNonRepudiationChecks(config);
    expect((await tokensOf(client, config)).claims()?.sub).toBe(alice.id);
  });

  it('accepts max_age and the auth_time that answers it', async () => {
    const client = await world.cast.web1;
    const config = await web1();
    const sent = await compose(config, client, { max_age: '300' });
    const back = await signIn(new RelyingParty(world, client), sent);
    const tokens = await library.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: sent.verifier,
      expectedState: sent.state,
      expectedNonce: sent.nonce,
      maxAge: 300,
    });
    expect(tokens.claims()?.auth_time).toBeGreaterThan(0);
  });

  it('gets the claims of the granted scopes from userinfo, for the subject of the id_token', async () => {
    const config = await web1();
    const tokens = await tokensOf(await world.cast.web1, config);
    const info = await library.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub);
    expect(info).toMatchObject({ sub: alice.id, name: 'Alice Liddell', email: alice.email, email_verified: true });
  });

  it.each<[string, () => Promise<TestClient>, (client: TestClient) => library.ClientAuth]>([
    [
      'client_secret_basic, with special characters in the secret',
      () => world.cast.web1,
      ({ secret }) => library.ClientSecretBasic(secret),
    ],
    ['client_secret_post', () => world.cast.post1, ({ secret }) => library.ClientSecretPost(secret)],
    [
      'private_key_jwt',
      () => world.cast.jwt1,
      ({ key }) => library.PrivateKeyJwt({ key: key!.privateKey, kid: key!.kid }),
    ],
    ['no secret, as a public client', () => world.cast.nat1, () => library.None()],
  ])('redeems a code as a client with %s', async (_, find, authenticate) => {
    const client = await find();
    const config = await configured(client, authenticate(client));
    expect((await tokensOf(client, config)).claims()).toMatchObject({ aud: client.clientId, sub: alice.id });
  });

  it('reads an answer that came by form_post', async () => {
    const client = await world.cast.web1;
    const config = await web1();
    const rp = new RelyingParty(world, client);
    const sent = await compose(config, client, { response_mode: 'form_post' });
    const { page } = await rp.enter(await rp.browser.get(sent.url.href), alice);
    const form = page!.forms.find(({ action }) => action === client.redirectUri)!;
    const request = new Request(form.action, { method: form.method, body: new URLSearchParams({ ...form.fields }) });
    const tokens = await library.authorizationCodeGrant(config, request, {
      pkceCodeVerifier: sent.verifier,
      expectedState: sent.state,
      expectedNonce: sent.nonce,
    });
    expect(tokens.claims()?.sub).toBe(alice.id);
  });
});

describe('openid-client, with the implicit flow', () => {
  it.each(['id_token', 'id_token token'])('accepts the answer to response_type=%s', async (responseType) => {
    const client = await world.cast.imp1;
    const config = await configured(client, library.None());
    library.useIdTokenResponseType(config);
    const nonce = library.randomNonce();
    const state = library.randomState();
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid email',
      nonce,
      state,
      response_type: responseType,
    });
    const back = await signIn(new RelyingParty(world, client), { url, nonce, state, verifier: '' });
    expect(await library.implicitAuthentication(config, back, nonce, { expectedState: state })).toMatchObject({
      sub: alice.id,
      nonce,
    });
    const accessToken = new URLSearchParams(back.hash.slice(1)).get('access_token');
    if (responseType === 'id_token') expect(accessToken).toBeNull();
    else expect(await library.fetchUserInfo(config, accessToken!, alice.id)).toMatchObject({ email: alice.email });
  });

  it('refuses an answer whose nonce is not its own', async () => {
    const client = await world.cast.imp1;
    const config = await configured(client, library.None());
    library.useIdTokenResponseType(config);
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid',
      nonce: 'mine',
      state: 'S',
    });
    const back = await signIn(new RelyingParty(world, client), { url, nonce: 'mine', state: 'S', verifier: '' });
    expect(await complaintOf(library.implicitAuthentication(config, back, 'another', { expectedState: 'S' }))).toMatch(
      /"nonce"/,
    );
  });
});

describe('openid-client, keeping what it got', () => {
  const OFFLINE = { scope: 'openid email offline_access' };

  it('refreshes, and may narrow the scope', async () => {
    const config = await web1();
    const first = await tokensOf(await world.cast.web1, config, OFFLINE);
    const second = await library.refreshTokenGrant(config, first.refresh_token!);
    world.plant(second.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.claims()).toMatchObject({ sub: alice.id, auth_time: first.claims()!.auth_time });
    const narrow = await library.refreshTokenGrant(config, second.refresh_token!, { scope: 'openid' });
    expect(narrow.scope).toBe('openid');
  });

  it('learns from introspection, as an API, whom a token represents', async () => {
    const tokens = await tokensOf(await world.cast.web1, await web1(), OFFLINE);
    expect(await library.tokenIntrospection(await api1(), tokens.access_token)).toMatchObject({
      active: true,
      client_id: 'web1',
      sub: alice.id,
      username: alice.loginName,
      email: alice.email,
      token_type: 'Bearer',
    });
  });

  it('learns from introspection that a revoked access token is dead', async () => {
    const config = await web1();
    const tokens = await tokensOf(await world.cast.web1, config, OFFLINE);
    await library.tokenRevocation(config, tokens.access_token, { token_type_hint: 'access_token' });
    expect(await library.tokenIntrospection(await api1(), tokens.access_token)).toEqual({ active: false });
    expect((await library.refreshTokenGrant(config, tokens.refresh_token!)).claims()?.sub).toBe(alice.id);
  });

  it('ends access and refresh by revoking the refresh token', async () => {
    const config = await web1();
    const tokens = await tokensOf(await world.cast.web1, config, OFFLINE);
    await library.tokenRevocation(config, tokens.refresh_token!);
    await expect(library.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toEqual(
      refusedWith('invalid_grant'),
    );
    await expect(library.fetchUserInfo(config, tokens.access_token, alice.id)).rejects.toMatchObject({
      cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
    });
  });

  it('ends the session by its end session URL, and the browser comes back with the state', async () => {
    const client = await world.cast.web1;
    const config = await web1();
    const rp = new RelyingParty(world, client);
    const sent = await compose(config, client);
    const tokens = await redeem(config, sent, await signIn(rp, sent));
    const url = library.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://rp1.test/bye',
      state: 'bye bye',
    });
    const { redirect } = await rp.browser.get(url.href);
    expect(new URL(redirect!).searchParams.get('state')).toBe('bye bye');
    expect(redirect).toMatch(/^https:\/\/rp1\.test\/bye\?state=/);
    expect(await library.tokenIntrospection(await api1(), tokens.access_token)).toEqual({ active: false });
    const again = await compose(config, client, { prompt: 'none' });
    await expect(redeem(config, again, await signIn(rp, again))).rejects.toMatchObject({ error: 'login_required' });
  });
});

describe('openid-client, as a service user', () => {
  it.each<[string, (secret: string) => library.ClientAuth]>([
    ['client_secret_basic', (secret) => library.ClientSecretBasic(secret)],
    ['client_secret_post', (secret) => library.ClientSecretPost(secret)],
  ])('gets a token by client_credentials with %s', async (_, authenticate) => {
    const service = await world.cast.svc1;
    const config = await configured({ clientId: service.userName }, authenticate(service.secret));
    const tokens = await library.clientCredentialsGrant(config, { scope: 'openid' });
    world.plant(tokens.access_token);
    expect([tokens.refresh_token, tokens.id_token]).toEqual([undefined, undefined]);
    expect(await library.fetchUserInfo(config, tokens.access_token, service.id)).toMatchObject({ sub: service.id });
  });

  it('gets a token by its own signed assertion (RFC 7523 §2.1)', async () => {
    const service = await world.cast.svc1;
    const config = await configured({ clientId: service.id }, library.None());
    const assertion = await signAssertion(world, service.key, service.id);
    const tokens = await library.genericGrantRequest(config, JWT_BEARER, { assertion, scope: 'openid' });
    expect(tokens.claims()).toMatchObject({ iss: world.issuer, sub: service.id });
    expect(await library.fetchUserInfo(config, tokens.access_token, service.id)).toMatchObject({ sub: service.id });
  });
});

describe('openid-client, when something is wrong', () => {
  it('understands that its secret is wrong, from the status and the challenge', async () => {
    const config = await configured(await world.cast.web1, library.ClientSecretBasic('something-else'));
    await expect(library.refreshTokenGrant(config, 'unknown')).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic' }],
    });
  });

  it('understands that a code was used before', async () => {
    const client = await world.cast.web1;
    const config = await web1();
    const sent = await compose(config, client);
    const back = await signIn(new RelyingParty(world, client), sent);
    await redeem(config, sent, back);
    await expect(redeem(config, sent, back)).rejects.toEqual(refusedWith('invalid_grant'));
  });

  it('understands a refusal that comes back by redirect', async () => {
    const config = await web1();
    const sent = await compose(config, await world.cast.web1, { prompt: 'none' });
    const back = await signIn(new RelyingParty(world, await world.cast.web1), sent);
    await expect(redeem(config, sent, back)).rejects.toMatchObject({
      error: 'login_required',
      code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
    });
  });

  it.each<[string, (sent: Sent, back: URL) => [Sent, URL], RegExp]>([
    ['the state is not the one it sent', (sent, back) => [{ ...sent, state: 'another' }, back], /"state"/],
    ['the nonce is not the one it sent', (sent, back) => [{ ...sent, nonce: 'another' }, back], /"nonce"/],
    [
      'the answer comes from another issuer',
      (sent, back) => [sent, replaced(back, 'iss', 'https://evil.test')],
      /"iss"/,
    ],
    ['the answer names no issuer', (sent, back) => [sent, replaced(back, 'iss', undefined)], /"iss"/],
  ])('stops when %s', async (_, change, complaint) => {
    const client = await world.cast.web1;
    const config = await web1();
    const sent = await compose(config, client);
    const back = await signIn(new RelyingParty(world, client), sent);
    expect(await complaintOf(redeem(config, ...change(sent, back)))).toMatch(complaint);
  });
});

describe('A device that uses openid-client', () => {
  it('asks until its user has agreed, and gets tokens', async () => {
    const tv = await world.add.client({
      projectId: await world.cast.projectP,
      authMethod: 'none',
      grantTypes: ['device_code', 'refresh_token'],
      redirectUris: [],
    });
    const config = await configured(tv, library.None());
    const device = await library.initiateDeviceAuthorization(config, { scope: 'openid email offline_access' });
    await new Device(world, tv).approve({ ...device, interval: 5, verification_uri_complete: '' }, alice);
    const tokens = await library.pollDeviceAuthorizationGrant(config, { ...device, interval: 1 });
    expect(tokens.claims()?.sub).toBe(alice.id);
    expect(tokens.refresh_token).toBeDefined();
  });
});

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
    const config = await library.discovery(issuer(), client.clientId, undefined, library.None(), {
      execute: [library.allowInsecureRequests],
      [library.customFetch]: (url, options) => fetch(url.replace(world.issuer, place.origin), options as RequestInit),
    });
    const key = await library.randomDPoPKeyPair();
    const DPoP = library.getDPoPHandle(config, key);
    const rp = new RelyingParty(world, client);
    const sent = await compose(config, client, {
      scope: 'openid email offline_access',
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const back = await signIn(rp, sent);
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

describe('openid-client, exchanging tokens (RFC 8693)', () => {
  it('gets a narrower token of the user, and one that names who acts for them', async () => {
    const client = await world.add.client({
      projectId: await world.cast.projectP,
      grantTypes: ['authorization_code', 'token_exchange'],
    });
    const config = await configured(client, library.ClientSecretBasic(client.secret));
    const rp = new RelyingParty(world, client);
    const exchange = async (parameters: Record<string, string>): Promise<library.TokenEndpointResponse> => {
      const tokens = await library.genericGrantRequest(config, TOKEN_EXCHANGE, parameters);
      world.plant(tokens.access_token);
      return tokens;
    };
    const { access_token: token } = await rp.tokens(alice, { scope: 'openid email' });
    const subject = { subject_token: token, subject_token_type: ACCESS_TOKEN_TYPE };
    const narrow = await exchange({ ...subject, scope: 'openid' });
    expect(narrow).toMatchObject({ scope: 'openid', token_type: 'bearer', issued_token_type: ACCESS_TOKEN_TYPE });
    expect((await library.fetchUserInfo(config, narrow.access_token, alice.id)).email).toBeUndefined();

    const staff = await world.add.person({ orgId: alice.orgId });
    const org = { level: 'org', objectId: alice.orgId, orgId: alice.orgId } as const;
    await world.add.member(staff.id, ['ORG_END_USER_IMPERSONATOR'], org);
    await world.get(InstanceService).setImpersonation(true, EDITOR);
    await world.changesToArrive();
    const { access_token: actor } = await rp.elsewhere().tokens(staff);
    const acted = await exchange({ ...subject, actor_token: actor, actor_token_type: ACCESS_TOKEN_TYPE });
    const claims = await library.tokenIntrospection(config, acted.access_token);
    expect(claims).toMatchObject({ active: true, sub: alice.id, act: { sub: staff.id } });
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
    const config = await configured(client, library.PrivateKeyJwt({ key: privateKey, kid }));
    library.enableNonRepudiationChecks(config);
    const DPoP = library.getDPoPHandle(config, await library.randomDPoPKeyPair());
    const sent = await compose(config, client, { scope: 'openid email offline_access' }, (by, parameters) =>
      library.buildAuthorizationUrlWithPAR(by, parameters, { DPoP }),
    );
    const back = await signIn(new RelyingParty(world, client), sent);
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

function replaced(url: URL, name: string, value: string | undefined): URL {
  const copy = new URL(url);
  if (value === undefined) copy.searchParams.delete(name);
  else copy.searchParams.set(name, value);
  return copy;
}

describe('openid-client as an application that registers itself', () => {
  it('is registered (RFC 7591), and signs a user in who consents', async () => {
    const metadata = { client_name: 'Library', redirect_uris: ['https://rp1.test/cb'] };
    const config = await library.dynamicClientRegistration(issuer(), metadata, undefined, {
      execute: [library.allowInsecureRequests],
    });
    const { client_id: clientId, client_secret: secret } = config.clientMetadata();
    world.plant(secret);
    const client: TestClient = { ...(await world.cast.web1), id: clientId, clientId };
    const sent = await compose(config, client, { redirect_uri: 'https://rp1.test/cb' });
    const rp = new RelyingParty(world, client);
    const page = pageOf(await rp.enter(await rp.browser.get(sent.url.pathname + sent.url.search), alice));
    const arrival = await rp.browser.submit(page, { decision: 'continue' });
    const tokens = await library.authorizationCodeGrant(config, new URL(arrival.redirect!), {
      pkceCodeVerifier: sent.verifier,
      expectedState: sent.state,
      expectedNonce: sent.nonce,
    });
    expect(tokens.claims()).toMatchObject({ sub: alice.id, aud: clientId });
  });
});

describe('A request that does not travel in the address', () => {
  const through = async (client: TestClient, config: library.Configuration, build: Build): Promise<URL> => {
    const sent = await compose(config, client, {}, build);
    const tokens = await redeem(config, sent, await signIn(new RelyingParty(world, client), sent));
    expect(tokens.claims()?.sub).toBe(alice.id);
    return sent.url;
  };

  it('is pushed (RFC 9126)', async () => {
    const client = await world.cast.web1;
    const url = await through(client, await web1(), (config, parameters) =>
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
    const config = await configured(client, library.PrivateKeyJwt(key));
    const signed: Build = (by, parameters) => library.buildAuthorizationUrlWithJAR(by, parameters, key);
    const url = await through(client, config, signed);
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request']);
    await through(client, config, async (by, parameters) => {
      const { searchParams } = await signed(by, parameters);
      return library.buildAuthorizationUrlWithPAR(by, searchParams);
    });
  });
});
