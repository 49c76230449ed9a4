import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as library from 'openid-client';
import { pageOf } from '../login/turns.js';
import type { TestClient, TestPerson } from '../support/builders.js';
import { RelyingParty } from '../support/relying-party.js';
import type { World } from '../support/world.js';
import { OpenidClientStage, refusedWith, type Sent } from './openid-client-stage.js';

let stage: OpenidClientStage;
let world: World;
let alice: TestPerson;

beforeAll(async () => {
  stage = await OpenidClientStage.set();
  ({ world, alice } = stage);
});
afterAll(() => world.close());

/** The whole way to tokens. */
async function tokensOf(
  client: TestClient,
  config: library.Configuration,
  over: Record<string, string> = {},
): Promise<Awaited<ReturnType<typeof stage.redeem>>> {
  const sent = await stage.compose(config, client, over);
  return stage.redeem(config, sent, await stage.signIn(new RelyingParty(world, client), sent));
}

async function api1(): Promise<library.Configuration> {
  const client = await world.cast.api1;
  return stage.configured(client, library.ClientSecretBasic(client.secret));
}

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
    const metadata = (await stage.web1()).serverMetadata();
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
    const config = await stage.web1();
    const sent = await stage.compose(config, await world.cast.web1);
    const back = await stage.signIn(new RelyingParty(world, await world.cast.web1), sent);
    expect(back.searchParams.get('iss')).toBe(world.issuer);
    const tokens = await stage.redeem(config, sent, back);
    expect(tokens.claims()).toMatchObject({ iss: world.issuer, aud: 'web1', sub: alice.id, nonce: sent.nonce });
    expect(tokens.expiresIn()).toBeGreaterThan(0);
    expect(tokens.token_type).toBe('bearer'); // as the library writes what we call Bearer
  });

  it('accepts the signature of the id_token when it checks it against the published keys', async () => {
    const client = await world.cast.web1;
    const config = await stage.web1();
    library.enableNonRepudiationChecks(config);
    expect((await tokensOf(client, config)).claims()?.sub).toBe(alice.id);
  });

  it('accepts max_age and the auth_time that answers it', async () => {
    const client = await world.cast.web1;
    const config = await stage.web1();
    const sent = await stage.compose(config, client, { max_age: '300' });
    const back = await stage.signIn(new RelyingParty(world, client), sent);
    const tokens = await library.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: sent.verifier,
      expectedState: sent.state,
      expectedNonce: sent.nonce,
      maxAge: 300,
    });
    expect(tokens.claims()?.auth_time).toBeGreaterThan(0);
  });

  it('gets the claims of the granted scopes from userinfo, for the subject of the id_token', async () => {
    const config = await stage.web1();
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
    const config = await stage.configured(client, authenticate(client));
    expect((await tokensOf(client, config)).claims()).toMatchObject({ aud: client.clientId, sub: alice.id });
  });

  it('reads an answer that came by form_post', async () => {
    const client = await world.cast.web1;
    const config = await stage.web1();
    const rp = new RelyingParty(world, client);
    const sent = await stage.compose(config, client, { response_mode: 'form_post' });
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
    const config = await stage.configured(client, library.None());
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
    const back = await stage.signIn(new RelyingParty(world, client), { url, nonce, state, verifier: '' });
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
    const config = await stage.configured(client, library.None());
    library.useIdTokenResponseType(config);
    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: client.redirectUri,
      scope: 'openid',
      nonce: 'mine',
      state: 'S',
    });
    const back = await stage.signIn(new RelyingParty(world, client), { url, nonce: 'mine', state: 'S', verifier: '' });
    expect(await complaintOf(library.implicitAuthentication(config, back, 'another', { expectedState: 'S' }))).toMatch(
      /"nonce"/,
    );
  });
});

describe('openid-client, keeping what it got', () => {
  const OFFLINE = { scope: 'openid email offline_access' };

  it('refreshes, and may narrow the scope', async () => {
    const config = await stage.web1();
    const first = await tokensOf(await world.cast.web1, config, OFFLINE);
    const second = await library.refreshTokenGrant(config, first.refresh_token!);
    world.plant(second.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.claims()).toMatchObject({ sub: alice.id, auth_time: first.claims()!.auth_time });
    const narrow = await library.refreshTokenGrant(config, second.refresh_token!, { scope: 'openid' });
    expect(narrow.scope).toBe('openid');
  });

  it('learns from introspection, as an API, whom a token represents', async () => {
    const tokens = await tokensOf(await world.cast.web1, await stage.web1(), OFFLINE);
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
    const config = await stage.web1();
    const tokens = await tokensOf(await world.cast.web1, config, OFFLINE);
    await library.tokenRevocation(config, tokens.access_token, { token_type_hint: 'access_token' });
    expect(await library.tokenIntrospection(await api1(), tokens.access_token)).toEqual({ active: false });
    expect((await library.refreshTokenGrant(config, tokens.refresh_token!)).claims()?.sub).toBe(alice.id);
  });

  it('ends access and refresh by revoking the refresh token', async () => {
    const config = await stage.web1();
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
    const config = await stage.web1();
    const rp = new RelyingParty(world, client);
    const sent = await stage.compose(config, client);
    const tokens = await stage.redeem(config, sent, await stage.signIn(rp, sent));
    const url = library.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: 'https://rp1.test/bye',
      state: 'bye bye',
    });
    const { redirect } = await rp.browser.get(url.href);
    expect(new URL(redirect!).searchParams.get('state')).toBe('bye bye');
    expect(redirect).toMatch(/^https:\/\/rp1\.test\/bye\?state=/);
    expect(await library.tokenIntrospection(await api1(), tokens.access_token)).toEqual({ active: false });
    const again = await stage.compose(config, client, { prompt: 'none' });
    await expect(stage.redeem(config, again, await stage.signIn(rp, again))).rejects.toMatchObject({
      error: 'login_required',
    });
  });
});

describe('openid-client, when something is wrong', () => {
  it('understands that its secret is wrong, from the status and the challenge', async () => {
    const config = await stage.configured(await world.cast.web1, library.ClientSecretBasic('something-else'));
    await expect(library.refreshTokenGrant(config, 'unknown')).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'basic' }],
    });
  });

  it('understands that a code was used before', async () => {
    const client = await world.cast.web1;
    const config = await stage.web1();
    const sent = await stage.compose(config, client);
    const back = await stage.signIn(new RelyingParty(world, client), sent);
    await stage.redeem(config, sent, back);
    await expect(stage.redeem(config, sent, back)).rejects.toEqual(refusedWith('invalid_grant'));
  });

  it('understands a refusal that comes back by redirect', async () => {
    const config = await stage.web1();
    const sent = await stage.compose(config, await world.cast.web1, { prompt: 'none' });
    const back = await stage.signIn(new RelyingParty(world, await world.cast.web1), sent);
    await expect(stage.redeem(config, sent, back)).rejects.toMatchObject({
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
    const config = await stage.web1();
    const sent = await stage.compose(config, client);
    const back = await stage.signIn(new RelyingParty(world, client), sent);
    expect(await complaintOf(stage.redeem(config, ...change(sent, back)))).toMatch(complaint);
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
    const config = await library.dynamicClientRegistration(stage.issuer(), metadata, undefined, {
      execute: [library.allowInsecureRequests],
    });
    const { client_id: clientId, client_secret: secret } = config.clientMetadata();
    world.plant(secret);
    const client: TestClient = { ...(await world.cast.web1), id: clientId, clientId };
    const sent = await stage.compose(config, client, { redirect_uri: 'https://rp1.test/cb' });
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
