import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import type { SigningAlgorithm } from '../../src/org/instance/instance.entity.js';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { EMPTY_LISTS } from '../admin/project-support.js';
import { pageOf } from '../login/turns.js';
import { AdminApi } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import { FapiParty } from '../support/fapi.js';
import { type Reply, send } from '../support/http.js';
import { answerOf, bearer, paths, publishedKeys, RelyingParty, tokensOf } from '../support/relying-party.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const SCOPE = 'openid profile email';
const REGISTER = '/oauth/v2/register';

let server: DocumentServer;
let world: World;
let alice: TestPerson;
let signed: RelyingParty;
let plain: RelyingParty;

beforeAll(async () => {
  server = await DocumentServer.start();
  world = await startWorld({ env: { ...server.env, REGISTRATION: 'open' } });
  server.resolveIn(world);
  alice = await world.cast.alice;
  const projectId = await world.cast.projectP;
  signed = new RelyingParty(world, await world.add.client({ projectId, signedUserinfo: true }));
  plain = new RelyingParty(world, await world.add.client({ projectId }));
});
afterAll(async () => {
  await world.close();
  await server.close();
});

async function change(rp: RelyingParty, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, rp.client.id, settings, EDITOR));
  await world.changesToArrive();
}

/** As a client verifies it, with the keys that are published now. */
async function verified(reply: Reply, clientId: string): Promise<Record<string, unknown>> {
  expect([reply.status, reply.header('content-type')]).toEqual([200, 'application/jwt']);
  const keys = createLocalJWKSet(await publishedKeys(world));
  const options = { issuer: world.issuer, audience: clientId, typ: 'JWT', currentDate: world.clock.now() };
  return (await jwtVerify(reply.text, keys, options)).payload;
}

describe('A userinfo response that is signed (OIDC Core §5.3.2)', () => {
  it('has the claims of the other one, the issuer and the client, and nothing else', async () => {
    const json = (await plain.userinfo((await plain.tokens(alice, { scope: SCOPE })).access_token)).json();
    const { access_token: token } = await signed.tokens(alice, { scope: SCOPE });
    const claims = await verified(await signed.userinfo(token), signed.client.clientId);
    expect(claims).toEqual({ ...json, iss: world.issuer, aud: signed.client.clientId });
  });

  it('comes by GET and POST, with the headers of the other one', async () => {
    const { access_token: token } = await signed.tokens(alice);
    const usual = await plain.userinfo((await plain.tokens(alice)).access_token);
    const names = (reply: Reply): string[] =>
      Object.keys(reply.headers).filter((name) => !['content-length', 'date', 'content-type'].includes(name));
    for (const sent of [
      { headers: bearer(token) },
      { method: 'POST', headers: bearer(token) },
      { method: 'POST', body: { access_token: token } },
    ]) {
      const reply = await send(world.origin, { path: paths.userinfo, ...sent });
      expect(await verified(reply, signed.client.clientId)).toMatchObject({ sub: alice.id });
      expect(reply.header('cache-control')).toBe(usual.header('cache-control'));
      expect(names(reply).sort()).toEqual(names(usual).sort());
    }
  });

  it('is never an error: those stay as they are', async () => {
    const bad = await signed.userinfo('gta_unknown');
    expect([bad.status, bad.json()['error']]).toEqual([401, 'invalid_token']);
    expect(bad.header('www-authenticate')).toContain('error="invalid_token"');
    const { refresh_token: refreshToken } = await signed.tokens(alice, { scope: 'openid profile offline_access' });
    const { access_token: token } = tokensOf(await signed.refresh(refreshToken, { scope: 'profile' }));
    const without = await signed.userinfo(token);
    expect([without.status, without.header('www-authenticate')]).toEqual([
      403,
      expect.stringContaining('insufficient_scope'),
    ]);
  });

  it('is for the client of the token, whoever sends it, and as that client wants it now', async () => {
    const { access_token: token } = await plain.tokens(alice);
    expect((await signed.userinfo(token)).json()).toEqual({ sub: alice.id });
    await change(plain, { signedUserinfo: true });
    expect(await verified(await plain.userinfo(token), plain.client.clientId)).toMatchObject({ sub: alice.id });
    await change(plain, { signedUserinfo: false });
    expect((await plain.userinfo(token)).json()).toEqual({ sub: alice.id });
  });

  it('does not pass as a token of any kind', async () => {
    const bob = await world.add.person({ orgId: alice.orgId });
    const other = signed.elsewhere();
    const tokens = await other.tokens(bob, { scope: SCOPE });
    const jwt = (await other.userinfo(tokens.access_token)).text;
    for (const name of ['azp', 'client_id', 'jti', 'scope', 'exp', 'nonce', 'sid', 'auth_time'])
      expect(decodeJwt(jwt)).not.toHaveProperty(name);
    expect((await signed.userinfo(jwt)).status).toBe(401);
    expect((await signed.introspect(jwt)).json()).toEqual({ active: false });
    await signed.signIn(alice);
    const hinted = async (hint: string): Promise<string> => {
      const answer = answerOf((await signed.authorize({ prompt: 'none', id_token_hint: hint })).redirect!);
      return answer['error'] ?? 'signed in';
    };
    expect([await hinted(tokens.id_token), await hinted(jwt)]).toEqual(['login_required', 'signed in']);
    await change(signed, { grantTypes: ['authorization_code', 'refresh_token', 'token_exchange'] });
    const exchanged = async (kind: string, token: string): Promise<number> =>
      (
        await signed.token({
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: token,
          subject_token_type: `urn:ietf:params:oauth:token-type:${kind}`,
        })
      ).status;
    expect(await exchanged('id_token', tokens.id_token)).toBe(200);
    for (const kind of ['id_token', 'access_token', 'jwt']) expect(await exchanged(kind, jwt)).toBe(400);
  });

  it('costs the statements of the other one', async () => {
    const count = async (rp: RelyingParty): Promise<string[]> => {
      const { access_token: token } = await rp.tokens(alice, { scope: SCOPE });
      await rp.userinfo(token);
      const texts = await statementsDuring(() => rp.userinfo(token));
      return texts.filter((text) => text.startsWith('token.')).map((text) => text.slice(0, 60));
    };
    expect(await count(signed)).toEqual(await count(plain));
  });

  it('follows the rotation of keys, and what was signed before can still be verified', async () => {
    const { access_token: token } = await signed.tokens(alice);
    const before = await signed.userinfo(token);
    await world.get(KeyService).requestRotation(EDITOR);
    world.clock.advance('361s');
    await world.get(KeyService).maintain();
    await world.changesToArrive();
    const after = await signed.userinfo(token);
    expect(decodeProtectedHeader(after.text).kid).not.toBe(decodeProtectedHeader(before.text).kid);
    for (const reply of [before, after]) await verified(reply, signed.client.clientId);
  });

  it.each<SigningAlgorithm>(['ES256', 'EdDSA', 'RS256'])(
    'is signed as ID tokens are, with %s where the instance has chosen it',
    async (algorithm) => {
      const instances = world.get(InstanceService);
      const { keyRotationSeconds } = await instances.get();
      await instances.setSigning({ signingAlgorithm: algorithm, keyRotationSeconds }, EDITOR);
      await world.get(KeyService).maintain();
      world.clock.advance('361s');
      await world.get(KeyService).maintain();
      await world.changesToArrive();
      const tokens = await signed.tokens(alice);
      const reply = await signed.userinfo(tokens.access_token);
      await verified(reply, signed.client.clientId);
      expect([reply.text, tokens.id_token].map((jwt) => decodeProtectedHeader(jwt).alg)).toEqual([
        algorithm,
        algorithm,
      ]);
      expect((await world.discovery())['userinfo_signing_alg_values_supported']).toEqual([algorithm]);
      const registered = await register({ userinfo_signed_response_alg: algorithm });
      expect(registered.json()).toMatchObject({ userinfo_signed_response_alg: algorithm });
      for (const other of ['RS256', 'ES256', 'EdDSA', 'PS256', 'HS256', 'none'].filter((name) => name !== algorithm))
        expect((await register({ userinfo_signed_response_alg: other })).json()).toMatchObject({
          error: 'invalid_client_metadata',
          error_description: expect.stringContaining('userinfo_signed_response_alg'),
        });
    },
  );

  it('is signed by the second key for applications with the FAPI 2.0 profile, which excludes RS256', async () => {
    const strict = await FapiParty.make(world, { signedUserinfo: true });
    const { access_token: token } = await strict.tokensFor(alice);
    const reply = await strict.userinfoWithProof(token);
    expect(await verified(reply, strict.client.clientId)).toMatchObject({ sub: alice.id });
    expect(decodeProtectedHeader(reply.text).alg).toBe('ES256');
    expect((await world.discovery())['userinfo_signing_alg_values_supported']).toEqual(['RS256', 'ES256']);
    expect(
      await verified(await signed.userinfo((await signed.tokens(alice)).access_token), signed.client.clientId),
    ).toMatchObject({ sub: alice.id });
  });
});

async function register(metadata: Record<string, unknown>): Promise<Reply> {
  return send(world.origin, {
    method: 'POST',
    path: REGISTER,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://rp.test/cb'], token_endpoint_auth_method: 'none', ...metadata }),
  });
}

/** An application that describes itself, with a user who consents. */
async function userinfoOf(clientId: string, redirectUri: string): Promise<Reply> {
  const client: TestClient = {
    id: clientId,
    clientId,
    authMethod: 'none',
    redirectUri,
    responseType: 'code',
    secret: undefined,
    key: undefined,
  };
  const rp = new RelyingParty(world, client, new Browser(world));
  const page = pageOf(await rp.enter(await rp.authorize(), alice));
  const { code } = rp.toAnswer(await rp.browser.submit(page, { decision: 'continue' }));
  return rp.userinfo(tokensOf(await rp.redeem(code!)).access_token);
}

describe('An application asks for signed userinfo', () => {
  it('when it registers, and takes that back (RFC 7591 §2, RFC 7592 §2.2)', async () => {
    const answer = (await register({ userinfo_signed_response_alg: 'RS256' })).json<Record<string, string>>();
    expect(answer).toMatchObject({ userinfo_signed_response_alg: 'RS256', id_token_signed_response_alg: 'RS256' });
    const clientId = answer['client_id']!;
    await verified(await userinfoOf(clientId, 'https://rp.test/cb'), clientId);
    const manage = async (method: string, metadata?: Record<string, unknown>): Promise<Record<string, unknown>> =>
      (
        await send(world.origin, {
          method,
          path: `${REGISTER}/${clientId}`,
          headers: { ...bearer(answer['registration_access_token']!), 'Content-Type': 'application/json' },
          ...(metadata && { body: JSON.stringify({ client_id: clientId, ...metadata }) }),
        })
      ).json();
    expect(await manage('GET')).toMatchObject({ userinfo_signed_response_alg: 'RS256' });
    const changed = { redirect_uris: ['https://rp.test/cb'], token_endpoint_auth_method: 'none' };
    expect(await manage('PUT', changed)).not.toHaveProperty('userinfo_signed_response_alg');
    await world.changesToArrive();
    expect((await userinfoOf(clientId, 'https://rp.test/cb')).json()).toEqual({ sub: alice.id });
  });

  it('and is told that it cannot be encrypted', async () => {
    for (const member of ['userinfo_encrypted_response_alg', 'userinfo_encrypted_response_enc'])
      expect((await register({ [member]: 'A128GCM' })).json()).toMatchObject({
        error: 'invalid_client_metadata',
        error_description: expect.stringContaining(member),
      });
  });

  it('in the document that describes it', async () => {
    const clientId = server.describe('/signed.json', { userinfo_signed_response_alg: 'RS256' });
    await verified(await userinfoOf(clientId, `${server.origin}/callback`), clientId);
    const other = server.describe('/other.json', { userinfo_signed_response_alg: 'ES256' });
    const { page } = await new Browser(world).get(`${paths.authorize}?${new URLSearchParams({ client_id: other })}`);
    expect(page!.text).toContain('userinfo_signed_response_alg must be RS256');
  });

  it('through an administrator, and an update that does not name it leaves it', async () => {
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const projectId = await world.add.project({ orgId: world.firstStart.orgId });
    const apps = `/management/v1/projects/${projectId}/apps`;
    const config = {
      ...EMPTY_LISTS,
      redirectUris: ['https://rp.test/cb'],
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    };
    const { appId } = (
      await admin.ask('POST', `${apps}/oidc`, { name: 'Signed', ...config, signedUserinfo: true })
    ).json<{
      appId: string;
    }>();
    const now = async (): Promise<unknown> =>
      (await admin.ask('GET', `${apps}/${appId}`)).json<{ app: { oidcConfig: Record<string, unknown> } }>().app
        .oidcConfig['signedUserinfo'];
    expect(await now()).toBe(true);
    await admin.ask('PUT', `${apps}/${appId}/oidc_config`, { ...config, devMode: true });
    expect(await now()).toBe(true);
    await admin.ask('PUT', `${apps}/${appId}/oidc_config`, { ...config, signedUserinfo: false });
    expect(await now()).not.toBe(true);
    const events = await world.rows<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM event WHERE aggregate_id = $1 AND payload ? 'signedUserinfo' ORDER BY sequence`,
      [appId],
    );
    expect(events.map(({ payload }) => payload['signedUserinfo'])).toEqual([true, false]);
  });
});
