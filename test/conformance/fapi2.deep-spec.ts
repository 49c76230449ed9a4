import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { type AssertionChanges, signAssertion } from '../support/assertion.js';
import type { TestPerson } from '../support/builders.js';
import { errorOf, FapiParty, PAR } from '../support/fapi.js';
import { type Reply, send } from '../support/http.js';
import { Prover } from '../support/proof.js';
import { answerOf, newPkce, paths, tokensOf } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

/*
 * fapi2-security-profile-final-test-plan with private_key_jwt, DPoP, plain FAPI, OpenID Connect and simple requests.
 * Each title is a module of the plan without its prefix. The endpoint with data of the user is userinfo.
 */

const PREFIX = 'urn:ietf:params:oauth:request_uri:';

let world: World;
let alice: TestPerson;
let first: FapiParty;
let second: FapiParty;

beforeAll(async () => {
  world = await startWorld({ publicUrl: 'https://op.test', env: { OAUTH_METADATA: 'on' } });
  alice = await world.cast.alice;
  const redirectUris = ['https://suite.test/cb', 'https://suite.test/cb?dummy1=lorem&dummy2=ipsum'];
  first = await FapiParty.make(world, { redirectUris });
  second = await FapiParty.make(world, { redirectUris: redirectUris.slice(1), keyAlgorithm: 'ES256' });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('2m');
  first.pkce = newPkce();
});

/** A redirect with an error, or a page of ours: the suite takes both for requests that it cannot have answered. */
async function refusalOf(party: FapiParty, requestUri: string, clientId?: string): Promise<string | number> {
  const { redirect, page } = await party.visit(requestUri, clientId);
  return redirect === undefined ? page.status : (answerOf(redirect)['error'] ?? 'a code');
}

const accepted = async (over: Parameters<FapiParty['codeFor']>[1]): Promise<void> => {
  const tokens = await first.tokensFor(alice, over);
  expect(await first.verify(tokens.id_token)).toMatchObject({ sub: alice.id });
};

describe('Normal clients', () => {
  it.each(['openid-configuration', 'oauth-authorization-server'])(
    'discovery-end-point-verification: %s',
    async (name) => {
      const path = `/.well-known/${name}`;
      await first.tokensFor(alice); // the key of the profile is published by then
      const reply = await send(world.origin, { path });
      expect([reply.status, reply.header('content-type')]).toEqual([200, expect.stringMatching('^application/json')]);
      const document = reply.json<Record<string, readonly string[]>>();
      expect(document).toMatchObject({
        issuer: world.issuer,
        pushed_authorization_request_endpoint: world.issuer + PAR,
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
      });
      expect(document['token_endpoint_auth_methods_supported']).toContain('private_key_jwt');
      for (const member of [
        'dpop_signing_alg_values_supported',
        'id_token_signing_alg_values_supported',
        'token_endpoint_auth_signing_alg_values_supported',
      ])
        expect(document[member]!.some((algorithm) => ['PS256', 'ES256', 'EdDSA'].includes(algorithm))).toBe(true);
    },
  );

  it('happy-flow, for both clients, with a redirect URI that has a query', async () => {
    for (const party of [first, second]) {
      const reply = await party.push({ redirect_uri: 'https://suite.test/cb?dummy1=lorem&dummy2=ipsum' });
      const { request_uri: requestUri, expires_in: expiresIn } = reply.json<{
        request_uri: string;
        expires_in: number;
      }>();
      expect([reply.status, requestUri.startsWith(PREFIX), expiresIn >= 5 && expiresIn < 600]).toEqual([
        201,
        true,
        true,
      ]);
      expect(requestUri.length).toBeGreaterThan(PREFIX.length + 22); // 128 bits
      const { redirect } = await party.enter(await party.visit(requestUri), alice);
      const query = new URL(redirect!).searchParams;
      expect([query.get('dummy1'), query.get('dummy2'), query.get('iss')]).toEqual(['lorem', 'ipsum', world.issuer]);
      const over = { redirect_uri: 'https://suite.test/cb?dummy1=lorem&dummy2=ipsum' };
      const tokens = tokensOf(await party.redeemWithProof(query.get('code')!, over));
      expect(['PS256', 'ES256', 'EdDSA']).toContain(decodeProtectedHeader(tokens.id_token).alg);
      expect((await party.userinfoWithProof(tokens.access_token)).json()).toMatchObject({ sub: alice.id });
    }
  });

  it('ensure-authorization-request-without-state-success', () => accepted({ state: undefined }));
  it('ensure-authorization-request-without-nonce-success', () => accepted({ nonce: undefined }));
  it('ensure-authorization-request-with-64-char-nonce-success', () => accepted({ nonce: 'n'.repeat(64) }));
  it('ensure-authorization-request-with-long-nonce', () => accepted({ nonce: 'n'.repeat(384) }));
  it('ensure-authorization-request-with-long-state', () => accepted({ state: 's'.repeat(1_000) }));
  it('ensure-other-scope-order-succeeds', () => accepted({ scope: 'profile openid email' }));

  it('test-claims-parameter-identity-claims', async () => {
    expect((await world.discovery())['claims_parameter_supported']).toBe(true);
    const names = { name: null, given_name: { essential: true }, email: { value: 'other@mail.test' }, birthdate: null };
    const claims = JSON.stringify({
      id_token: { ...names, unknown_1: null },
      userinfo: { ...names, unknown_2: { essential: true } },
      unknown_3: { name: null },
    });
    const tokens = await first.tokensFor(alice, { claims });
    const idToken = await first.verify(tokens.id_token);
    const userinfo = (await first.userinfoWithProof(tokens.access_token)).json();
    for (const found of [idToken, userinfo]) {
      expect(found).toMatchObject({ sub: alice.id, name: 'Alice Liddell', given_name: 'Alice', email: alice.email });
      expect(Object.keys(found).filter((name) => name.startsWith('unknown'))).toEqual([]);
    }
  });

  it('access-token-type-header-case-sensitivity', async () => {
    const { access_token: token } = await first.tokensFor(alice);
    for (const scheme of ['DPoP', 'dpop', 'dPoP']) {
      const headers = await first.prover.forResource(token, paths.userinfo);
      const reply = await send(world.origin, {
        path: paths.userinfo,
        headers: { ...headers, Authorization: `${scheme} ${token}` },
      });
      expect(reply.status).toBe(200);
    }
  });
});

describe('Proofs of keys', () => {
  const withClaims = async (claims: Record<string, unknown>) =>
    first.redeem(await first.codeFor(alice), {}, world, await first.prover.forTokens({ claims }));

  it.each<[string, () => Record<string, unknown>]>([
    ['check-dpop-proof-nbf-exp', () => ({ nbf: world.now() - 5, exp: world.now() + 60 })],
    ['ensure-dpopproof-with-iat-10seconds-before-succeeds', () => ({ iat: world.now() - 10 })],
    ['ensure-dpopproof-with-iat-10seconds-after-succeeds', () => ({ iat: world.now() + 10 })],
  ])('%s', async (_, claims) => {
    expect(tokensOf(await withClaims(claims())).token_type).toBe('DPoP');
  });

  it('ensure-mismatched-dpop-jkt-fails, ensure-dpopproof-at-par-endpoint-binding-success', async () => {
    const other = await Prover.make(world);
    const proof = async (key: Prover) => ({ DPoP: await key.proof('POST', PAR) });
    const named = { dpop_jkt: other.thumbprint };
    expect(errorOf(await first.push(named, await proof(first.prover)))).toBe('400 invalid_dpop_proof');
    const requestUri = await first.pushed({}, await proof(first.prover));
    const answer = first.toAnswer(await first.enter(await first.visit(requestUri), alice));
    // ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt
    expect(errorOf(await first.redeemWithProof(answer['code']!, {}, other))).toBe('400 invalid_dpop_proof');
    tokensOf(await first.redeemWithProof(answer['code']!));
  });

  it('ensure-dpop-auth-code-binding-success, ensure-token-endpoint-fails-with-mismatched-dpop-jkt', async () => {
    const code = await first.codeFor(alice, { dpop_jkt: first.prover.thumbprint });
    expect(errorOf(await first.redeemWithProof(code, {}, await Prover.make(world)))).toBe('400 invalid_dpop_proof');
    tokensOf(await first.redeemWithProof(code));
  });

  it('dpop-negative-tests', async () => {
    const { access_token: token } = await first.tokensFor(alice);
    const other = await Prover.make(world);
    const use = async (changes: Parameters<Prover['forResource']>[3], key = first.prover) => {
      const headers = await key.forResource(token, paths.userinfo, 'GET', changes);
      return (await send(world.origin, { path: paths.userinfo, headers })).status;
    };
    expect(await use({})).toBe(200);
    const wrong: ReadonlyArray<NonNullable<Parameters<Prover['forResource']>[3]>> = [
      { header: { typ: undefined } },
      { header: { typ: 'JWT' } },
      { header: { jwk: undefined } },
      { header: { jwk: other.publicJwk } },
      { claims: { jti: undefined } },
      { claims: { htm: undefined } },
      { claims: { htm: 'POST' } },
      { claims: { htu: undefined } },
      { claims: { htu: `${world.issuer}${paths.token}` } },
      { claims: { iat: undefined } },
      { claims: { iat: world.now() - 3_600 } },
      { claims: { iat: world.now() + 3_600 } },
      { claims: { ath: undefined } },
      { claims: { ath: 'x' } },
    ];
    for (const changes of wrong) expect([changes, await use(changes)]).toEqual([changes, 401]);
    expect(await use({}, other)).toBe(401);
  });
});

describe('Authorization requests', () => {
  it('user-rejects-authentication', async () => {
    const party = await FapiParty.make(world, { consentPage: true });
    const { page } = await party.enter(await party.visit(await party.pushed({ prompt: 'consent' })), alice);
    const arrival = await party.browser.submit(page!, { decision: 'cancel' });
    expect(answerOf(arrival.redirect!)).toMatchObject({ error: 'access_denied', iss: world.issuer, state: 'S1' });
  });

  it('ensure-unsigned-authorization-request-without-using-par-fails', async () => {
    expect(answerOf((await first.authorize()).redirect!)).toMatchObject({ error: 'invalid_request', state: 'S1' });
  });

  it.each<[string, Record<string, string | undefined>]>([
    ['plain-fapi-tolerate-unregistered-redirect-uri', { redirect_uri: 'https://suite.test/unregistered' }],
    ['ensure-redirect-uri-in-authorization-request', { redirect_uri: undefined }],
    ['ensure-request-object-without-redirect-uri-fails', { redirect_uri: '' }],
    ['ensure-response-type-code-idtoken-fails', { response_type: 'code id_token' }],
    ['ensure-response-type-token-fails', { response_type: 'token' }],
    ['par-ensure-pkce-required', { code_challenge: undefined, code_challenge_method: undefined }],
    ['par-plain-pkce-rejected', { code_challenge_method: 'plain' }],
    ['par-authorization-request-containing-request_uri-form-param', { request_uri: `${PREFIX}x` }],
  ])('%s', async (_, over) => {
    const reply = await first.push(over);
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({ error: expect.stringMatching(/^(invalid|unsupported|unauthorized)_/) });
  });

  it('par-without-duplicate-parameters, par-ensure-reused-request-uri-prior-to-auth-completion-succeeds', async () => {
    const party = await FapiParty.make(world);
    const requestUri = await party.pushed();
    expect((await party.visit(requestUri)).page!.status).toBe(200);
    const { redirect } = await party.enter(await party.visit(requestUri), alice);
    expect(answerOf(redirect!)['code']).toBeDefined();
    // par-attempt-reuse-request_uri
    expect(await refusalOf(party, requestUri)).toBe(410);
  });

  /** What is beside `request_uri` does not count (RFC 9101 §6.3). */
  async function answerBeside(pushed: Parameters<FapiParty['pushed']>[0], beside: Record<string, string>) {
    const party = await FapiParty.make(world);
    const query = { client_id: party.client.clientId, request_uri: await party.pushed(pushed), ...beside };
    const arrival = await party.browser.get(`${paths.authorize}?${new URLSearchParams(query)}`);
    const answer = party.toAnswer(await party.enter(arrival, alice));
    return { answer, tokens: tokensOf(await party.redeemWithProof(answer['code']!)), party };
  }

  it('ensure-different-nonce-inside-and-outside-request-object', async () => {
    const { tokens, party } = await answerBeside({ nonce: 'inside' }, { nonce: 'outside' });
    expect((await party.verify(tokens.id_token))['nonce']).toBe('inside');
  });

  it('ensure-different-state-inside-and-outside-request-object', async () => {
    expect((await answerBeside({ state: 'inside' }, { state: 'outside' })).answer['state']).toBe('inside');
  });

  it('state-only-outside-request-object-not-used', async () => {
    const { answer, tokens, party } = await answerBeside({ state: undefined }, { state: 'outside' });
    expect(answer['state']).toBeUndefined();
    expect(await party.verify(tokens.id_token)).not.toHaveProperty('s_hash');
  });

  it('par-attempt-to-use-expired-request_uri', async () => {
    const requestUri = await first.pushed();
    world.clock.advance('91s');
    expect(await refusalOf(first, requestUri)).toBe(400);
  });

  it('par-attempt-to-use-request_uri-for-different-client', async () => {
    expect(await refusalOf(first, await first.pushed(), second.client.clientId)).toBe(400);
  });

  it('par-attempt-invalid-http-method', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'])
      expect((await send(world.origin, { method, path: PAR })).status).toBe(405);
  });
});

describe('The token endpoint', () => {
  it('ensure-client-id-in-token-endpoint', async () => {
    const code = await first.codeFor(alice);
    const client_id = second.client.clientId;
    expect(errorOf(await first.redeemWithProof(code, { client_id }))).toBe('401 invalid_client');
    tokensOf(await first.redeemWithProof(code, { client_id: first.client.clientId }));
  });

  it('ensure-holder-of-key-required', async () => {
    expect(errorOf(await first.redeem(await first.codeFor(alice)))).toBe('400 invalid_request');
  });

  it('ensure-authorization-code-is-bound-to-client', async () => {
    const code = await first.codeFor(alice);
    second.pkce = first.pkce;
    const over = { redirect_uri: first.client.redirectUri };
    expect(errorOf(await second.redeemWithProof(code, over))).toBe('400 invalid_grant');
    second.pkce = newPkce();
  });

  it('attempt-reuse-authorization-code-after-one-second', async () => {
    const code = await first.codeFor(alice);
    const { access_token: token } = tokensOf(await first.redeemWithProof(code));
    world.clock.advance('1s');
    expect(errorOf(await first.redeemWithProof(code))).toBe('400 invalid_grant');
    expect((await first.userinfoWithProof(token)).status).toBe(401);
  });

  it('ensure-token-endpoint-fails-with-expired-auth-code', async () => {
    const code = await first.codeFor(alice);
    world.clock.advance('62s');
    expect(errorOf(await first.redeemWithProof(code))).toBe('400 invalid_grant');
  });

  it('ensure-pkce-code-verifier-required, incorrect-pkce-code-verifier-rejected', async () => {
    for (const code_verifier of [undefined, newPkce().verifier]) {
      const code = await first.codeFor(alice);
      expect(errorOf(await first.redeemWithProof(code, { code_verifier }))).toBe('400 invalid_grant');
    }
  });

  it('refresh-token', async () => {
    const scope = 'openid offline_access';
    const tokens = await first.tokensFor(alice, { scope });
    const next = tokensOf(await first.refreshWithProof(tokens.refresh_token));
    expect(next.access_token).not.toBe(tokens.access_token);
    expect((await first.userinfoWithProof(next.access_token)).status).toBe(200);
    world.clock.advance('30s');
    tokensOf(await first.refreshWithProof(tokens.refresh_token, await Prover.make(world)));
    expect(errorOf(await first.refresh(tokens.refresh_token))).toBe('400 invalid_request');
    const ofSecond = await second.tokensFor(alice, { scope });
    expect(errorOf(await first.refreshWithProof(ofSecond.refresh_token))).toBe('400 invalid_grant');
  });
});

describe('Client assertions', () => {
  /** Redeems a code with another assertion. */
  async function redeemWith(changes: AssertionChanges, party = first): Promise<Reply> {
    const body = {
      grant_type: 'authorization_code',
      code: party === first ? await first.codeFor(alice) : 'gtc_none',
      redirect_uri: party.client.redirectUri,
      code_verifier: party.pkce!.verifier,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await signAssertion(world, party.client.key!, party.client.clientId, changes),
    };
    return send(world.origin, { method: 'POST', path: paths.token, headers: await party.prover.forTokens(), body });
  }

  const cases: ReadonlyArray<[string, () => AssertionChanges]> = [
    ['ensure-client-assertion-with-no-sub-fails', () => ({ claims: { sub: undefined } })],
    ['another sub', () => ({ claims: { sub: 'another' } })],
    ['no iss', () => ({ claims: { iss: undefined } })],
    ['another iss', () => ({ claims: { iss: 'another' } })],
    ['no aud', () => ({ claims: { aud: undefined } })],
    ['ensure-client-assertion-with-wrong-aud-fails', () => ({ claims: { aud: 'https://other.test' } })],
    ['par-test-par-endpoint-url-as-audience-fails', () => ({ claims: { aud: world.issuer + PAR } })],
    ['par-test-token-endpoint-url-as-audience-fails', () => ({ claims: { aud: world.issuer + paths.token } })],
    ['par-test-array-as-audience-fails', () => ({ claims: { aud: [world.issuer, 'https://other1.test'] } })],
    ['ensure-client-assertion-with-exp-is-5-minutes-in-past-fails', () => ({ claims: { exp: world.now() - 300 } })],
    [
      'par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails',
      () => ({ claims: { iat: world.now() + 62, nbf: world.now() + 62, exp: world.now() + 122 } }),
    ],
  ];
  it.each(cases)('%s, at the PAR and at the token endpoint', async (_, changes) => {
    expect(['400 invalid_request', '401 invalid_client']).toContain(errorOf(await first.pushWith(changes())));
    expect(errorOf(await redeemWith(changes()))).toBe('401 invalid_client');
  });

  it('ensure-signed-client-assertion-with-RS256-fails', async () => {
    const party = await FapiParty.make(world, { keyAlgorithm: 'RS256' });
    expect(errorOf(await party.push())).toBe('401 invalid_client');
    expect(errorOf(await redeemWith({}, party))).toBe('401 invalid_client');
  });

  it('no assertion, no type of it, another type', async () => {
    const body = { ...first.parameters() };
    const of = async (more: object) =>
      errorOf(await send(world.origin, { method: 'POST', path: PAR, body: { ...body, ...more } }));
    expect(await of({})).toBe('401 invalid_client');
    const { parameters } = await first.credentials();
    expect(await of({ ...parameters, client_assertion_type: undefined })).toMatch(/^40[01] invalid_(client|request)$/);
    expect(await of({ ...parameters, client_assertion_type: 'jwt' })).toMatch(/^40[01] invalid_(client|request)$/);
  });

  it('par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted', async () => {
    const ahead = { iat: world.now() + 8, nbf: world.now() + 8, exp: world.now() + 68, jti: randomUUID() };
    expect((await first.pushWith({ claims: ahead })).status).toBe(201);
    expect((await first.pushWith({})).status).toBe(201);
  });

  it('ensure-client-assertion-in-token-endpoint', async () => {
    const form = {
      grant_type: 'authorization_code',
      code: await first.codeFor(alice),
      client_id: first.client.clientId,
    };
    const over = { redirect_uri: first.client.redirectUri, code_verifier: first.pkce!.verifier };
    const headers = await first.prover.forTokens();
    const reply = await send(world.origin, { method: 'POST', path: paths.token, headers, body: { ...form, ...over } });
    expect(errorOf(reply)).toBe('401 invalid_client');
  });
});
