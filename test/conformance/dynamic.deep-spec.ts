import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { KeyService } from '../../src/token/key/key.service.js';
import { pageOf } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { type Arrival, Browser, type Page } from '../support/browser.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { bearer, newPkce, paths, publishedKeys, RelyingParty, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { expectErrorPage } from './suite.js';

const CALLBACK = 'https://suite.test/cb';

let server: DocumentServer;
let world: World;
let alice: TestPerson;
let initialAccessToken: string;

beforeAll(async () => {
  server = await DocumentServer.start();
  world = await startWorld({ env: { ...server.env, REGISTRATION: 'token', REQUEST_URI: 'registered' } });
  server.resolveIn(world);
  alice = await world.cast.alice;
  const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
  const projectId = await world.add.project({ orgId: world.firstStart.orgId });
  const reply = await admin.ask('POST', `/management/v1/projects/${projectId}/registration_tokens`, { uses: 100 });
  initialAccessToken = reply.json<{ token: string }>().token;
});
afterAll(async () => {
  await world.close();
  await server.close();
});

/** A key of the suite, as it signs and as it publishes it. */
interface SuiteKey {
  readonly sign: (claims: Record<string, unknown>) => Promise<string>;
  readonly jwk: JWK;
}

async function newKey(kid: string): Promise<SuiteKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return {
    jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' },
    sign: async (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey),
  };
}

async function register(metadata: Record<string, unknown>): Promise<Reply> {
  return send(world.origin, {
    method: 'POST',
    path: '/oauth/v2/register',
    headers: { 'Content-Type': 'application/json', ...bearer(initialAccessToken) },
    body: JSON.stringify({ redirect_uris: [CALLBACK], client_name: 'The suite', ...metadata }),
  });
}

/** The suite registers for private_key_jwt, with everything that it would name. */
async function registered(metadata: Record<string, unknown>): Promise<RelyingParty> {
  const reply = await register({
    token_endpoint_auth_method: 'private_key_jwt',
    response_types: ['code'],
    grant_types: ['authorization_code', 'refresh_token'],
    contacts: ['certification@suite.test'],
    ...metadata,
  });
  expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('client_id')]);
  const clientId = reply.json<{ client_id: string }>().client_id;
  const client: TestClient = {
    id: clientId,
    clientId,
    authMethod: 'none',
    redirectUri: CALLBACK,
    responseType: 'code',
    secret: undefined,
    key: undefined,
  };
  const rp = new RelyingParty(world, client, new Browser(world));
  rp.pkce = undefined; // the suite sends none
  return rp;
}

async function consent(rp: RelyingParty, over: Parameters = {}): Promise<Page> {
  return pageOf(await rp.enter(await rp.authorize(over), alice));
}

async function assertion(key: SuiteKey, clientId: string, audience: string): Promise<Parameters> {
  const now = world.now();
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await key.sign({
      iss: clientId,
      sub: clientId,
      aud: audience,
      jti: newPkce().verifier,
      iat: now,
      exp: now + 60,
    }),
  };
}

/** The code flow with a client assertion. */
async function redeem(
  rp: RelyingParty,
  key: SuiteKey,
  { scope = 'openid', audience = world.issuer + paths.token }: { scope?: string; audience?: string } = {},
): Promise<Reply> {
  const page = await consent(rp, { scope });
  const { code } = rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }));
  return send(world.origin, {
    method: 'POST',
    path: paths.token,
    body: {
      grant_type: 'authorization_code',
      code: code!,
      redirect_uri: CALLBACK,
      ...(await assertion(key, rp.client.clientId, audience)),
    },
  });
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/**
 * A client whose request is at an address that it has registered. The suite appends the hash of something else as the
 * fragment.
 */
async function byReference(): Promise<{
  readonly party: RelyingParty;
  readonly key: SuiteKey;
  readonly path: string;
  readonly parameters: Parameters;
  readonly ask: () => Promise<Arrival>;
}> {
  const key = await newKey('one');
  const path = `/requesturi/${newPkce().verifier}`;
  const uri = `${server.origin}${path}#${newPkce().challenge}`;
  const metadata = { request_uris: [uri], request_object_signing_alg: 'RS256' };
  const party = await registered({ jwks: { keys: [key.jwk] }, ...metadata });
  const parameters = party.parameters();
  const beside = { client_id: party.client.clientId, scope: 'openid', response_type: 'code', request_uri: uri };
  const ask = async (): Promise<Arrival> => party.browser.get(`${paths.authorize}?${new URLSearchParams(beside)}`);
  return { party, key, path, parameters, ask };
}

describe('oidcc-dynamic-certification-test-plan', () => {
  it('oidcc-discovery-endpoint-verification', async () => {
    expect(await world.discovery()).toMatchObject({
      registration_endpoint: `${world.issuer}/oauth/v2/register`,
      response_types_supported: expect.arrayContaining(['code', 'id_token', 'id_token token']),
      grant_types_supported: expect.arrayContaining(['authorization_code', 'implicit']),
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    });
  });

  it('oidcc-server', async () => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] } });
    const tokens = tokensOf(await redeem(rp, key));
    expect(await rp.verify(tokens.id_token)).toMatchObject({ aud: rp.client.clientId, sub: alice.id });
    expect((await rp.userinfo(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
  });

  it('oidcc-idtoken-rs256, oidcc-idtoken-signature', async () => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] }, id_token_signed_response_alg: 'RS256' });
    const { id_token: idToken } = tokensOf(await redeem(rp, key));
    const { keys } = await publishedKeys(world);
    const { alg, kid } = decodeProtectedHeader(idToken);
    expect([alg, keys.filter((published) => published.kid === kid)]).toEqual(['RS256', [expect.anything()]]);
    expect(await rp.verify(idToken)).toMatchObject({ sub: alice.id });
  });

  it('oidcc-idtoken-unsigned: skipped, since none is not offered, and refused', async () => {
    expect((await world.discovery())['id_token_signing_alg_values_supported']).not.toContain('none');
    expect((await register({ id_token_signed_response_alg: 'none' })).json()).toMatchObject({
      error: 'invalid_client_metadata',
    });
  });

  it('oidcc-userinfo-rs256', async () => {
    expect((await world.discovery())['userinfo_signing_alg_values_supported']).toContain('RS256');
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] }, userinfo_signed_response_alg: 'RS256' });
    const tokens = tokensOf(await redeem(rp, key));
    const reply = await rp.userinfo(tokens.access_token);
    expect([reply.status, reply.header('content-type')]).toEqual([200, 'application/jwt']);
    expect(decodeProtectedHeader(reply.text).alg).toBe('RS256');
    const keys = createLocalJWKSet(await publishedKeys(world));
    const { payload } = await jwtVerify(reply.text, keys, { issuer: world.issuer, audience: rp.client.clientId });
    expect(payload).toMatchObject({ sub: alice.id });
    expect(payload).not.toHaveProperty('nonce');
  });

  it('oidcc-request-uri-unsigned: skipped, since none is not offered, and refused', async () => {
    expect((await world.discovery())['request_object_signing_alg_values_supported']).not.toContain('none');
    const rp = await byReference();
    server.publish(rp.path, { body: `${encoded({ alg: 'none' })}.${encoded(rp.parameters)}.` });
    const { page } = await rp.ask();
    expect(page!.text).toContain('invalid_request_uri');
  });

  it('oidcc-request-uri-signed-rs256', async () => {
    expect(await world.discovery()).toMatchObject({
      request_uri_parameter_supported: true,
      request_object_signing_alg_values_supported: expect.arrayContaining(['RS256']),
    });
    const rp = await byReference();
    const claims = { ...rp.parameters, aud: world.issuer, iss: rp.party.client.clientId };
    server.publish(rp.path, { headers: { 'Content-Type': 'application/jose' }, body: await rp.key.sign(claims) });
    const page = pageOf(await rp.party.enter(await rp.ask(), alice));
    const { code, state } = rp.party.toAnswer(await rp.party.browser.submit(page, { decision: 'continue' }));
    expect([state, typeof code]).toEqual([rp.parameters['state'], 'string']);
  });

  it('oidcc-ensure-redirect-uri-in-authorization-request', async () => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] }, redirect_uris: [CALLBACK, `${CALLBACK}?foo=bar`] });
    expectErrorPage(await rp.authorize({ redirect_uri: undefined }));
  });

  it('oidcc-redirect-uri-query-OK', async () => {
    const key = await newKey('one');
    const redirect_uri = `${CALLBACK}?foo=bar`;
    const rp = await registered({ jwks: { keys: [key.jwk] }, redirect_uris: [redirect_uri] });
    const { redirect } = await rp.browser.submit(await consent(rp, { redirect_uri }), { decision: 'continue' });
    expect([redirect!.startsWith(`${redirect_uri}&`), new URL(redirect!).searchParams.get('code')]).toEqual([
      true,
      expect.any(String),
    ]);
  });

  it.each([
    ['oidcc-redirect-uri-query-mismatch', `${CALLBACK}?foo=bar`, `${CALLBACK}?foo=baz`],
    ['oidcc-redirect-uri-query-added', CALLBACK, `${CALLBACK}?foo=bar`],
  ])('%s', async (_, registeredUri, redirect_uri) => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] }, redirect_uris: [registeredUri] });
    expectErrorPage(await rp.authorize({ redirect_uri }));
  });

  it('oidcc-redirect-uri-regfrag', async () => {
    const reply = await register({ redirect_uris: [`${CALLBACK}#foobar`] });
    expect([reply.status, reply.json()['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('oidcc-registration-logo-uri: taken, and neither fetched nor shown', async () => {
    const key = await newKey('one');
    const before = server.requests.length;
    const rp = await registered({ jwks: { keys: [key.jwk] }, logo_uri: `${server.origin}/logo.png` });
    expect((await consent(rp)).text).not.toContain('logo.png');
    expect(server.requests).toHaveLength(before);
  });

  it.each([
    ['oidcc-registration-policy-uri', 'policy_uri', 'Privacy policy'],
    ['oidcc-registration-tos-uri', 'tos_uri', 'Terms of service'],
  ])('%s: the page links to it', async (_, member, words) => {
    const key = await newKey('one');
    const page = await consent(await registered({ jwks: { keys: [key.jwk] }, [member]: 'https://suite.test/page' }));
    expect(page.text).toContain(words);
    expect(page.find('a[href="https://suite.test/page"]')).not.toBeNull();
  });

  it('oidcc-registration-jwks-uri, and oidcc-refresh-token-rp-key-rotation with a new key after a minute', async () => {
    const [first, second] = [await newKey('first'), await newKey('second')];
    const publish = (key: SuiteKey): string => server.publish('/keys', { body: JSON.stringify({ keys: [key.jwk] }) });
    const rp = await registered({ jwks_uri: publish(first) });
    const tokens = tokensOf(await redeem(rp, first, { scope: 'openid offline_access' }));
    publish(second);
    world.clock.advance('61s');
    const refreshed = await send(world.origin, {
      method: 'POST',
      path: paths.token,
      body: {
        grant_type: 'refresh_token',
        refresh_token: tokens.refresh_token,
        ...(await assertion(second, rp.client.clientId, world.issuer + paths.token)),
      },
    });
    expect(refreshed.status).toBe(200);
  });

  it('oidcc-registration-sector-uri, oidcc-registration-sector-bad: skipped without pairwise subjects, which are refused', async () => {
    expect((await world.discovery())['subject_types_supported']).toEqual(['public']);
    for (const metadata of [{ subject_type: 'pairwise' }, { sector_identifier_uri: `${server.origin}/sector` }])
      expect((await register(metadata)).json()).toMatchObject({ error: 'invalid_client_metadata' });
  });

  it('oidcc-refresh-token', async () => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] } });
    const tokens = tokensOf(await redeem(rp, key, { scope: 'openid offline_access' }));
    expect(tokens.refresh_token).toBeDefined();
  });

  it('oidcc-server-rotate-keys', async () => {
    const ids = async (): Promise<unknown[]> => (await publishedKeys(world)).keys.map(({ kid }) => kid);
    const before = await ids();
    await world.get(KeyService).requestRotation(EDITOR);
    await world.changesToArrive();
    const after = await ids();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.length).toBeGreaterThan(before.length);
  });

  it('oidcc-ensure-client-assertion-with-iss-aud-succeeds', async () => {
    const key = await newKey('one');
    const rp = await registered({ jwks: { keys: [key.jwk] } });
    expect((await redeem(rp, key, { audience: world.issuer })).status).toBe(200);
  });
});
