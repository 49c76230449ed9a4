import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, exportJWK, SignJWT } from 'jose';
import { sha256Base64Url } from '../../src/foundation/crypto/digest.js';
import type { DomainError } from '../../src/foundation/error/domain-error.js';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { Urn } from '../../src/token/claims/urn.js';
import { KeyService } from '../../src/token/key/key.service.js';
import { callerWith } from '../support/admin-api.js';
import { EDITOR, makeKey, type TestPerson } from '../support/builders.js';
import { errorOf, FapiParty, PAR } from '../support/fapi.js';
import { type Headers, type Parameters, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, bearer, paths, publishedKeys, RelyingParty, tokensOf } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import { startWorld, type World } from '../support/world.js';

const OFFLINE = 'openid offline_access';

let world: World;
let alice: TestPerson;
let bank: FapiParty;

beforeAll(async () => {
  // Longer than the profile allows.
  world = await startWorld({ env: { CODE_SECONDS: '600' } });
  alice = await world.cast.alice;
  bank = await FapiParty.make(world, { accessTokenType: 'jwt' });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('1m');
});

async function change(id: string, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, id, settings, EDITOR));
  await world.changesToArrive();
}

describe('An application that is held to FAPI 2.0', () => {
  it('signs a user in: pushed, with iss, a bound token, and signatures that the profile allows', async () => {
    const { code, iss } = await bank.answerFor(alice, { nonce: 'n'.repeat(64) });
    expect(iss).toBe(world.issuer);
    const tokens = tokensOf(await bank.redeemWithProof(code!));
    expect(tokens.token_type).toBe('DPoP');
    expect(decodeProtectedHeader(tokens.id_token)).toMatchObject({ alg: 'ES256' });
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256' });
    expect(await bank.verify(tokens.id_token)).toMatchObject({ sub: alice.id, nonce: 'n'.repeat(64) });
    expect(decodeJwt(tokens.access_token)['cnf']).toEqual({ jkt: bank.prover.thumbprint });
    expect((await bank.userinfoWithProof(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
  });

  it('is refused settings that contradict the profile, also when it is an old application [FAP-001]', async () => {
    const { client } = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, authMethod: 'client_secret_basic' }),
    );
    const refusalOf = async (id: string, settings: Partial<ClientSettings>) =>
      change(id, settings).then(
        () => [],
        (error: unknown) => (error as DomainError).violations?.map(({ field }) => field),
      );
    expect(await refusalOf(client.id, { securityProfile: 'fapi_2_0' })).toEqual(['authMethodType']);
    const { id } = bank.client;
    expect(await refusalOf(id, { authMethod: 'none' })).toEqual(['authMethodType']);
    expect(await refusalOf(id, { responseTypes: ['id_token'], grantTypes: ['implicit'] })).toEqual([
      'responseTypes',
      'grantTypes',
    ]);
    expect(await refusalOf(id, { redirectUris: ['http://127.0.0.1/cb'] })).toEqual(['redirectUris[0]']);
  });

  it('needs no other switch: what the profile demands is stronger than what the settings say [FAP-001]', async () => {
    const party = await FapiParty.make(world, {
      requirePushedRequests: false,
      dpopBoundAccessTokens: false,
      assertionAudience: 'any',
      requireAssertionId: false,
    });
    const answer = answerOf((await party.authorize()).redirect!);
    expect(answer).toMatchObject({ error: 'invalid_request', iss: world.issuer });
    expect(errorOf(await party.push({ code_challenge: undefined, code_challenge_method: undefined }))).toBe(
      '400 invalid_request',
    );
    expect(errorOf(await party.push({ code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }))).toBe(
      '400 invalid_request',
    );
    const code = await party.codeFor(alice);
    expect(errorOf(await party.redeem(code))).toBe('400 invalid_request');
    expect(tokensOf(await party.redeemWithProof(code)).token_type).toBe('DPoP');
    expect(errorOf(await party.pushWith({ claims: { jti: undefined } }))).toBe('401 invalid_client');
  });

  it('is held to it from the moment it is switched on, and no longer than it is [FAP-001]', async () => {
    const party = await FapiParty.make(world, { securityProfile: 'none' });
    expect((await party.authorize()).page?.status).toBe(200);
    await change(party.client.id, { securityProfile: 'fapi_2_0' });
    expect(answerOf((await party.authorize()).redirect!)['error']).toBe('invalid_request');
    await change(party.client.id, { securityProfile: 'none' });
    expect((await party.authorize()).page?.status).toBe(200);
  });

  it('is held to it with what it got before: codes, refresh tokens and open pages [FAP-001]', async () => {
    const old = await FapiParty.make(world, { securityProfile: 'none' });
    const unbound = await new RelyingParty(world, old.client).tokens(alice, { scope: OFFLINE });
    const late = await old.codeFor(alice);
    world.clock.advance('30s');
    const notPushed = await old.code(alice);
    const withoutPkce = await old.codeFor(alice, { code_challenge: undefined, code_challenge_method: undefined });
    const recent = await old.codeFor(alice, { scope: OFFLINE });
    const elsewhere = new RelyingParty(world, old.client);
    elsewhere.pkce = old.pkce;
    const opened = await elsewhere.authorize();
    await change(old.client.id, { securityProfile: 'fapi_2_0' });
    world.clock.advance('31s');
    // It has not been pushed, which is demanded now.
    expect(elsewhere.toAnswer(await elsewhere.enter(opened, alice)).error).toBe('invalid_request');
    const outcomes = [
      errorOf(await old.redeemWithProof(late)),
      errorOf(await old.redeemWithProof(notPushed)),
      errorOf(await old.redeemWithProof(withoutPkce, { code_verifier: undefined })),
    ];
    expect(outcomes).toEqual(Array(3).fill('400 invalid_grant'));
    expect(errorOf(await old.redeem(recent))).toBe('400 invalid_request');
    expect(tokensOf(await old.redeemWithProof(recent)).token_type).toBe('DPoP');
    expect(errorOf(await old.refresh(unbound.refresh_token))).toBe('400 invalid_request');
    const next = tokensOf(await old.refreshWithProof(unbound.refresh_token));
    expect([next.token_type, next.refresh_token]).toEqual(['DPoP', unbound.refresh_token]);
    const stale = [world.issuer + paths.token, [world.issuer]];
    for (const aud of stale) expect(errorOf(await old.pushWith({ claims: { aud } }))).toBe('401 invalid_client');
  });

  it('authenticates no more with the secret that it had before [FAP-001]', async () => {
    const projectId = await world.cast.projectP;
    const key = await makeKey('PS256');
    const jwks = { keys: [{ ...key.publicJwk, kid: 'new' }] };
    const before = new RelyingParty(world, await world.add.client({ projectId, jwks }));
    const tokens = await before.tokens(alice, { scope: OFFLINE });
    await change(before.client.id, { authMethod: 'private_key_jwt', securityProfile: 'fapi_2_0' });
    const prover = await Prover.make(world);
    const proof = await prover.forTokens();
    for (const authMethod of ['client_secret_basic', 'client_secret_post', 'none'] as const) {
      const party = new RelyingParty(world, { ...before.client, authMethod });
      expect(errorOf(await party.refresh(tokens.refresh_token, {}, world, proof))).toBe('401 invalid_client');
      expect(errorOf(await party.post(PAR, party.parameters()))).toBe('401 invalid_client');
    }
    const after = new RelyingParty(world, {
      ...before.client,
      authMethod: 'private_key_jwt',
      key: { ...key, kid: 'new' },
    });
    expect(tokensOf(await after.refresh(tokens.refresh_token, {}, world, proof)).token_type).toBe('DPoP');
  });

  it('names the issuer as the audience of its assertions, as one string [CAU-004]', async () => {
    const wrong: unknown[] = [
      [world.issuer],
      [world.issuer, 'https://other.test'],
      world.issuer + paths.token,
      world.issuer + PAR,
      `${world.issuer}/`,
    ];
    for (const aud of wrong)
      expect([aud, errorOf(await bank.pushWith({ claims: { aud } }))]).toEqual([aud, '401 invalid_client']);
    expect((await bank.pushWith({})).status).toBe(201);
  });

  it('keeps its refresh token, which works again long after it was used [FAP-002]', async () => {
    const { refresh_token: token } = await bank.tokensFor(alice, { scope: OFFLINE });
    const other = await Prover.make(world);
    for (const prover of [bank.prover, bank.prover, other]) {
      const next = tokensOf(await bank.refreshWithProof(token, prover));
      expect(next.refresh_token).toBe(token);
      expect(decodeProtectedHeader(next.id_token)['alg']).toBe('ES256');
      expect((await bank.userinfoWithProof(next.access_token, prover)).status).toBe(200);
      world.clock.advance('31s');
    }
    // Each use keeps the family alive, as a rotation does.
    for (let days = 0; days < 3; days += 1) {
      world.clock.advance('20d');
      tokensOf(await bank.refreshWithProof(token));
    }
    expect(errorOf(await bank.refresh(token))).toBe('400 invalid_request');
    const stranger = await FapiParty.make(world);
    expect(errorOf(await stranger.refreshWithProof(token))).toBe('400 invalid_grant');
    expect(tokensOf(await bank.refreshWithProof(token)).refresh_token).toBe(token);
  });

  it('redeems a code within a minute, whatever the instance allows others [FAP-003]', async () => {
    const other = new RelyingParty(world, await world.cast.web1);
    const [late, ofOther, inTime] = [await bank.codeFor(alice), await other.code(alice), await bank.codeFor(alice)];
    world.clock.advance('59s');
    tokensOf(await bank.redeemWithProof(inTime));
    world.clock.advance('2s');
    expect(errorOf(await bank.redeemWithProof(late))).toBe('400 invalid_grant');
    tokensOf(await other.redeem(ofOther));
  });

  it('redeems a code once: the second time ends what the first has yielded [FAP-003]', async () => {
    const code = await bank.codeFor(alice, { scope: OFFLINE });
    const tokens = tokensOf(await bank.redeemWithProof(code));
    expect(errorOf(await bank.redeemWithProof(code))).toBe('400 invalid_grant');
    expect((await bank.userinfoWithProof(tokens.access_token)).status).toBe(401);
    expect(errorOf(await bank.refreshWithProof(tokens.refresh_token))).toBe('400 invalid_grant');
  });

  it('uses its tokens with a proof alone [FAP-004]', async () => {
    const { access_token: token } = await bank.tokensFor(alice);
    expect((await send(world.origin, { path: paths.userinfo, headers: bearer(token) })).status).toBe(401);
    const form = { method: 'POST', path: paths.userinfo, body: { access_token: token } } as const;
    expect((await send(world.origin, form)).status).toBe(401);
  });
});

describe('RS256, which FAPI 2.0 excludes', () => {
  it('is refused in the assertion of the client, by every endpoint that takes one [FAP-005]', async () => {
    const party = await FapiParty.make(world, { keyAlgorithm: 'RS256' });
    const proof = await party.prover.forTokens();
    const requests: ReadonlyArray<readonly [path: string, form: Parameters, more: Headers]> = [
      [PAR, party.parameters(), {}],
      [paths.token, { grant_type: 'authorization_code', code: 'gtc_', redirect_uri: party.client.redirectUri }, proof],
      [paths.token, { grant_type: 'refresh_token', refresh_token: 'gtr_' }, proof],
      [paths.introspect, { token: 'gta_' }, {}],
      [paths.revoke, { token: 'gta_' }, {}],
      [paths.deviceAuthorization, {}, {}],
    ];
    const statuses = async () =>
      Promise.all(requests.map(async ([path, form, more]) => (await party.post(path, form, world, more)).status));
    expect(await statuses()).toEqual([401, 401, 401, 401, 401, 401]);
    await change(party.client.id, { securityProfile: 'none' });
    expect(await statuses()).toEqual([201, 400, 400, 200, 200, 400]);
  });

  it('is refused in a request object, and so is one without times [FAP-005]', async () => {
    const rsa = await makeKey('RS256');
    const jwks = { keys: [{ ...rsa.publicJwk, kid: 'rs' }] };
    const party = await FapiParty.make(world, { jwks });
    const { key, clientId } = party.client;
    const parameters = party.parameters() as Record<string, unknown>;
    const pushObject = async (request: string) => errorOf(await party.post(PAR, { request, client_id: clientId }));
    const signed = (claims: object = {}) => signRequest(world, key!, clientId, parameters, { claims: { ...claims } });
    expect(await pushObject(await signed())).toBe('201');
    for (const claims of [
      { nbf: undefined },
      { exp: undefined },
      { nbf: world.now() - 3_700 },
      { nbf: world.now(), exp: world.now() + 3_601 },
    ])
      expect(await pushObject(await signed(claims))).toBe('400 invalid_request_object');
    const byOther = await signRequest(world, { ...rsa, kid: 'rs' }, clientId, parameters);
    expect(await pushObject(byOther)).toBe('400 invalid_request_object');
    await change(party.client.id, { securityProfile: 'none' });
    expect(await pushObject(byOther)).toBe('201');
  });

  it('is refused in a proof of a key, by every endpoint that takes one [FAP-005]', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = await exportJWK(publicKey);
    const proof = async (alg: string, htm: string, path: string, claims: object = {}): Promise<Headers> => ({
      DPoP: await new SignJWT({
        jti: `${alg}${path}${Math.random()}`,
        htm,
        htu: world.issuer + path,
        iat: world.now(),
        ...claims,
      })
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk })
        .sign(privateKey),
    });
    expect(errorOf(await bank.push({}, await proof('RS256', 'POST', PAR)))).toBe('400 invalid_dpop_proof');
    const code = await bank.codeFor(alice, { scope: `${OFFLINE} ${world.get(Urn).systemAudience}` });
    const redeem = async (alg: string) => bank.redeem(code, {}, world, await proof(alg, 'POST', paths.token));
    expect(errorOf(await redeem('RS256'))).toBe('400 invalid_dpop_proof');
    const { access_token: token, refresh_token: refreshToken } = tokensOf(await redeem('PS256'));
    expect(decodeJwt(token)['cnf']).toEqual({ jkt: await calculateJwkThumbprint(jwk) });
    const refresh = async (alg: string) => bank.refresh(refreshToken, {}, world, await proof(alg, 'POST', paths.token));
    expect(errorOf(await refresh('RS256'))).toBe('400 invalid_dpop_proof');
    expect((await refresh('PS256')).status).toBe(200);
    const use = async (alg: string, method: string, path: string) => {
      const headers = await proof(alg, method, path, { ath: sha256Base64Url(token) });
      return (await send(world.origin, { method, path, headers: { Authorization: `DPoP ${token}`, ...headers } }))
        .status;
    };
    for (const [method, path] of [
      ['GET', paths.userinfo],
      ['POST', paths.userinfo],
      ['GET', '/auth/v1/users/me'],
    ] as const)
      expect([path, await use('RS256', method, path), await use('PS256', method, path)]).toEqual([path, 401, 200]);
  });

  it('is not what we sign with: a second key is published, rotated, and used for these applications alone [FAP-006]', async () => {
    const maintain = async () => world.get(KeyService).maintain();
    const kidOf = (token: string): string => decodeProtectedHeader(token).kid!;
    const other = new RelyingParty(world, await world.cast.web1);
    const before = await bank.tokensFor(alice);
    await maintain();
    expect(await world.discovery()).toMatchObject({
      id_token_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256']),
    });
    expect(decodeProtectedHeader((await other.tokens(alice)).id_token)['alg']).toBe('RS256');
    await world.get(KeyService).requestRotation(EDITOR);
    expect(kidOf((await bank.tokensFor(alice)).id_token)).toBe(kidOf(before.id_token));
    world.clock.advance('361s');
    await maintain();
    const after = await bank.tokensFor(alice);
    expect(decodeProtectedHeader(after.id_token)['alg']).toBe('ES256');
    expect(kidOf(after.id_token)).not.toBe(kidOf(before.id_token));
    expect((await publishedKeys(world)).keys.map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([kidOf(before.id_token), kidOf(after.id_token)]),
    );
    expect((await bank.userinfoWithProof(before.access_token)).status).toBe(200);
    const { api } = await callerWith(world, await world.cast.orgA, ['IAM_OWNER_VIEWER']);
    const { result } = await api.call<{ result: ReadonlyArray<Record<string, string>> }>(
      'POST',
      '/admin/v1/keys/_search',
    );
    const active = result.filter((entry) => entry['state'] === 'SIGNING_KEY_STATE_ACTIVE');
    expect(active.map((entry) => `${entry['purpose']} ${entry['algorithm']}`).sort()).toEqual([
      'SIGNING_KEY_PURPOSE_GENERAL SIGNING_ALGORITHM_RS256',
      'SIGNING_KEY_PURPOSE_STRICT SIGNING_ALGORITHM_ES256',
    ]);
  });
});

describe('Redirects', () => {
  it('never repeat a form elsewhere: 303 after a POST, 302 otherwise [FAP-007]', async () => {
    const party = await FapiParty.make(world);
    await party.answerFor(alice);
    const query = async () => ({ client_id: party.client.clientId, request_uri: await party.pushed() });
    const reply = await party.browser.request('POST', paths.authorize, await query());
    expect([reply.status, reply.header('location')?.startsWith(party.client.redirectUri)]).toEqual([303, true]);
    const again = new URLSearchParams(await query());
    expect((await party.browser.request('GET', `${paths.authorize}?${again}`)).status).toBe(302);
  });
});
