import { KeyObject, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { signAssertion } from '../support/assertion.js';
import type { Arrival } from '../support/browser.js';
import { EDITOR, makeKey, type TestKey, type TestPerson } from '../support/builders.js';
import { signedWithPublicKey } from '../support/forged-jwts.js';
import { type Parameters, send } from '../support/http.js';
import { type Answer, answerOf, RelyingParty, tokensOf } from '../support/relying-party.js';
import { type ObjectChanges, signRequest } from '../support/request-object.js';
import { openSink } from '../support/sink.js';
import { startWorld, type World } from '../support/world.js';

const PAR = '/oauth/v2/par';
const ALGORITHMS = ['RS256', 'RS384', 'PS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

let world: World;
let alice: TestPerson;
let rp: RelyingParty;
let keys: Map<string, TestKey>;

beforeAll(async () => {
  world = await startWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  alice = await world.cast.alice;
  const made = await Promise.all(ALGORITHMS.map(async (alg) => [alg, { ...(await makeKey(alg)), kid: alg }] as const));
  keys = new Map(made);
  const jwks = { keys: [...keys].map(([kid, { publicJwk }]) => ({ ...publicJwk, kid })) };
  rp = new RelyingParty(world, await world.add.client({ projectId: await world.cast.projectP, jwks }));
  await rp.signIn(alice);
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('1s');
});

async function change(settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, rp.client.id, settings, EDITOR));
  await world.changesToArrive();
}

async function objectOf(over: Parameters = {}, changes: ObjectChanges = {}, alg = 'ES256'): Promise<string> {
  return signRequest(world, keys.get(alg)!, rp.client.clientId, rp.parameters(over), changes);
}

/** With the object, `client_id`, and nothing else unless it is given. */
async function ask(request: string, beside: Record<string, string> = {}): Promise<Arrival> {
  const query = new URLSearchParams({ client_id: rp.client.clientId, request, ...beside });
  return rp.browser.get(`/oauth/v2/authorize?${query}`);
}

async function answered(request: string, beside: Record<string, string> = {}): Promise<Answer> {
  return answerOf((await ask(request, beside)).redirect ?? '');
}

/** The error: on a page, since no address is known to send it to, and the same one in JSON for a push. */
async function refused(request: string): Promise<string> {
  const { page, redirect } = await ask(request);
  expect(redirect).toBeUndefined();
  const error = /invalid_request_object|request_not_supported/.exec(page!.text)?.[0] ?? page!.text;
  const pushed = await rp.post(PAR, { request });
  // RFC 9101 §6: where request objects are taken, an unsigned one is not a good one.
  expect([pushed.status, pushed.json()['error']]).toEqual([400, 'invalid_request_object']);
  return error;
}

describe('A signed request object (RFC 9101)', () => {
  it.each(ALGORITHMS)('is as good as its parameters, by value and pushed, with %s [JAR-001]', async (alg) => {
    const request = await objectOf({ nonce: alg, state: alg }, {}, alg);
    const { code, state } = await answered(request);
    const { id_token: idToken } = tokensOf(await rp.redeem(code!));
    expect([state, (await rp.verify(idToken))['nonce']]).toEqual([alg, alg]);
    const reply = await rp.post(PAR, { request });
    expect(reply.status).toBe(201);
    const { request_uri: requestUri } = reply.json<{ request_uri: string }>();
    const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri: requestUri });
    const { redirect } = await rp.browser.get(`/oauth/v2/authorize?${query}`);
    expect(answerOf(redirect!)).toMatchObject({ state: alg, code: expect.any(String) });
  });

  it('may have members without a value, which count as omitted (RFC 6749 §3.1)', async () => {
    const claims = {
      prompt: '',
      max_age: '',
      response_mode: '',
      nonce: '',
      claims: '',
      resource: ['', ''],
      acr_values: '',
    };
    expect(await answered(await objectOf({}, { claims }))).toMatchObject({ code: expect.any(String) });
  });

  it.each<[string, ObjectChanges]>([
    ['has expired', { claims: { exp: 1_000_000_000 } }],
    ['is not valid for another minute', { claims: { nbf: 4_000_000_000 } }],
    ['was made in the future', { claims: { iat: 4_000_000_000 } }],
    ['is for another server', { claims: { aud: 'https://other.test' } }],
    ['is for nobody', { claims: { aud: undefined } }],
    ['is of another client', { claims: { iss: 'other' } }],
    ['is of nobody', { claims: { iss: undefined } }],
    ['names another client', { claims: { client_id: 'other' } }],
    ['names no client', { claims: { client_id: undefined } }],
    ['has the client as its subject', { claims: { sub: '<client>' } }],
    ['contains another one', { claims: { request: 'x' } }],
    ['contains a reference', { claims: { request_uri: 'urn:x' } }],
    ['is of another type', { header: { typ: 'at+jwt' } }],
    ['names an unknown key', { header: { kid: 'unknown' } }],
    ['has a number as its scope', { claims: { scope: 1 } }],
    ['has an object as its state', { claims: { state: {} } }],
    ['has half a character', { claims: { state: '\ud800' } }],
    ['has NUL', { claims: { state: 'a\0' } }],
    ['has 200 members', { claims: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, 'x'])) }],
  ])('is refused if it %s [JAR-002, JAR-004, JAR-006, JAR-008]', async (_, { claims = {}, header = {} }) => {
    const filled = 'sub' in claims ? { ...claims, sub: rp.client.clientId } : claims;
    expect(await refused(await objectOf({}, { claims: filled, header }))).toBe('invalid_request_object');
  });

  it('is refused with another key, another algorithm, another signature, and at any length [JAR-002, JAR-008]', async () => {
    const stranger = { ...(await makeKey('ES256')), kid: 'ES256' };
    const good = await objectOf();
    const [header, payload, signature] = good.split('.') as [string, string, string];
    const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const bad = [
      await signRequest(world, stranger, rp.client.clientId, rp.parameters()),
      `${encode({ alg: 'HS256', kid: 'ES256' })}.${payload}.${signature}`,
      `${encode({ alg: 'RS256', kid: 'ES256' })}.${payload}.${signature}`,
      `${header}.${encode({ ...rp.parameters(), iss: rp.client.clientId, aud: world.issuer })}.${signature}`,
      `${header}..${signature}`,
      'x',
    ];
    for (const request of bad) expect(await refused(request)).toBe('invalid_request_object');
    const pushed = await rp.post(PAR, { request: await objectOf({ state: 'x'.repeat(20_000) }) });
    expect([pushed.status, pushed.json<{ error: string }>().error]).toEqual([400, 'invalid_request_object']);
  });

  it('is refused if a public key was the secret of its signature, in whatever form [JAR-002]', async () => {
    const good = await objectOf();
    const payload = Buffer.from(good.split('.')[1]!, 'base64url').toString();
    for (const alg of ['RS256', 'ES256'])
      for (const request of signedWithPublicKey(keys.get(alg)!, payload))
        expect(await refused(request)).toBe('invalid_request_object');
    expect((await answered(good))['code']).toBeTruthy();
  });

  it('is refused with the key of another client, under its own name and under that of a right one [JAR-002]', async () => {
    const projectId = await world.cast.projectP;
    const key = { ...(await makeKey('ES256')), kid: 'theirs' };
    const jwks = { keys: [{ ...key.publicJwk, kid: key.kid }] };
    const other = new RelyingParty(world, await world.add.client({ projectId, jwks }));
    for (const kid of ['theirs', 'ES256'])
      expect(await refused(await signRequest(world, { ...key, kid }, rp.client.clientId, rp.parameters()))).toBe(
        'invalid_request_object',
      );
    const request = await signRequest(world, key, other.client.clientId, other.parameters());
    expect((await other.post(PAR, { request })).status).toBe(201);
  });

  it('is refused for its size before its signature is checked: no key is even looked for [JAR-008]', async () => {
    const key = keys.get('ES256')!;
    const publisher = await openSink();
    const { clientId } = await world.add.client({ projectId: await world.cast.projectP, jwksUri: publisher.url });
    const sign = async (over: Parameters, claims = {}): Promise<string> =>
      signRequest(world, key, clientId, { ...rp.parameters(over), client_id: clientId }, { claims });
    const statusOf = async (request: string): Promise<number> => {
      const query = new URLSearchParams({ client_id: clientId, request });
      return (await send(world.origin, { path: `/oauth/v2/authorize?${query}` })).status;
    };
    const post = async (request: string): Promise<number> =>
      (
        await send(world.origin, {
          method: 'POST',
          path: '/oauth/v2/authorize',
          body: { client_id: clientId, request },
        })
      ).status;
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`m${n}`, 'x']));
    expect([await statusOf(await sign({}, many)), await post(await sign({ state: 'x'.repeat(13_000) }))]).toEqual([
      400, 400,
    ]);
    expect(await post(await sign({ state: 'x'.repeat(100_000) }))).toBe(413); // Longer than any form.
    expect(publisher.connections).toBe(0);
    await statusOf(await sign({}));
    expect(publisher.connections).toBe(1);
    await publisher.close();
  });

  it('is refused with a member twice, however well it is signed [JAR-006]', async () => {
    const signed = async (change: (text: string) => string): Promise<string> => {
      const payload = Buffer.from((await objectOf({ state: 'a' })).split('.')[1]!, 'base64url').toString();
      return new CompactSign(Buffer.from(change(payload)))
        .setProtectedHeader({ alg: 'ES256', kid: 'ES256' })
        .sign(keys.get('ES256')!.privateKey);
    };
    expect((await answered(await signed((text) => text)))['state']).toBe('a');
    const members = [
      '"state":"b"',
      '"state":"a"',
      '"st\\u0061te":"b"',
      '"redirect_uri":"https://evil.test/"',
      '"aud":"https://other.test"',
      '"claims":{"id_token":{},"id_token":{"email":null}}',
      '"max_age":600,"max_age":"600"',
      '"resource":[],"resource":"urn:example:a"',
    ];
    for (const member of members)
      expect([member, await refused(await signed((text) => `${text.slice(0, -1)},${member}}`))]).toEqual([
        member,
        'invalid_request_object',
      ]);
    // RFC 7515 §4: nor may the header have two meanings.
    const payload = (await objectOf()).split('.')[1]!;
    const input = `${Buffer.from('{"alg":"RS256","kid":"RS256","kid":"RS256"}').toString('base64url')}.${payload}`;
    const signature = sign('sha256', Buffer.from(input), KeyObject.from(keys.get('RS256')!.privateKey));
    expect(await refused(`${input}.${signature.toString('base64url')}`)).toBe('invalid_request_object');
  });

  it.each<[string, ObjectChanges]>([
    ['is valid in less than a minute', { claims: { nbf: 8 } }],
    ['was made in less than a minute', { claims: { iat: 8 } }],
    ['has expired by less than a minute', { claims: { exp: -50 } }],
  ])('is accepted if it %s, as clocks differ [JAR-002]', async (_, { claims = {} }) => {
    const now = world.now();
    const times = Object.entries(claims).map(([name, offset]) => [name, now + Number(offset)]);
    expect((await answered(await objectOf({}, { claims: Object.fromEntries(times) })))['code']).toBeTruthy();
    const later = times.map(([name, at]) => [name, Number(at) + (name === 'exp' ? -12 : 54)]);
    expect(await refused(await objectOf({}, { claims: Object.fromEntries(later) }))).toBe('invalid_request_object');
  });

  it('that is not signed, or is encrypted, is a kind that is not supported [JAR-002]', async () => {
    const [payload, signature] = (await objectOf()).split('.').slice(1) as [string, string];
    const headerOf = (alg: string): string => Buffer.from(JSON.stringify({ alg, kid: 'ES256' })).toString('base64url');
    for (const request of [
      `${headerOf('none')}.${payload}.`,
      `${headerOf('none')}.${payload}.${signature}`,
      'a.b.c.d.e',
    ])
      expect(await refused(request)).toBe('request_not_supported');
    for (const alg of ['None', 'NONE', ''])
      expect(await refused(`${headerOf(alg)}.${payload}.`)).toBe('invalid_request_object');
  });

  it('is all that counts: parameters beside it are ignored [JAR-003]', async () => {
    const beside = {
      scope: 'openid email',
      redirect_uri: 'https://evil.test/',
      state: 'out',
      prompt: 'none',
      nonce: 'out',
    };
    const answer = await answered(await objectOf({ state: undefined, nonce: 'in' }), beside);
    expect(answer['state']).toBeUndefined();
    const tokens = tokensOf(await rp.redeem(answer['code']!));
    expect([tokens.scope, (await rp.verify(tokens.id_token))['nonce']]).toEqual(['openid', 'in']);
  });

  it('is all that counts: what is beside it alone is not used either [JAR-003]', async () => {
    const without = async (...names: string[]): Promise<string> =>
      objectOf(Object.fromEntries(names.map((name) => [name, undefined])));
    // A session is there, so that prompt=login would show a page; and in another browser there is none.
    expect((await answered(await objectOf(), { prompt: 'login' }))['code']).toBeTruthy();
    expect((await ask(await objectOf({ prompt: 'login' }))).page?.status).toBe(200);
    const query = { client_id: rp.client.clientId, request: await objectOf(), prompt: 'none' };
    const stranger = await rp.elsewhere().browser.get(`/oauth/v2/authorize?${new URLSearchParams(query)}`);
    expect([stranger.redirect, stranger.page?.status]).toEqual([undefined, 200]);
    const { code, state } = await answered(await without('nonce', 'state'), { nonce: 'out', state: 'out' });
    expect(state).toBeUndefined();
    expect(await rp.verify(tokensOf(await rp.redeem(code!)).id_token)).not.toHaveProperty('nonce');
    expect(await answered(await without('scope'), { scope: 'openid email' })).toMatchObject({ error: 'invalid_scope' });
    const { page, redirect } = await ask(await without('redirect_uri'), { redirect_uri: rp.client.redirectUri });
    expect([redirect, page?.status]).toEqual([undefined, 400]);
  });

  it('must agree with the client_id and the response_type beside it [JAR-004]', async () => {
    const request = await objectOf();
    expect((await answered(request, { response_type: 'code' }))['code']).toBeTruthy();
    for (const [name, value] of [['response_type', 'id_token'] as const, ['client_id', 'other'] as const]) {
      const { page, redirect } = await ask(request, { [name]: value });
      expect([redirect, page!.status]).toEqual([undefined, 400]);
    }
    const { page } = await rp.browser.get(`/oauth/v2/authorize?${new URLSearchParams({ request })}`);
    expect(page!.status).toBe(400);
  });

  it('is not an assertion, an ID token or an access token [JAR-005]', async () => {
    const keyed = new RelyingParty(
      world,
      await world.add.client({ projectId: await world.cast.projectP, authMethod: 'private_key_jwt' }),
    );
    const assertion = await signAssertion(world, keyed.client.key!, keyed.client.clientId);
    const query = new URLSearchParams({ client_id: keyed.client.clientId, request: assertion });
    const { page } = await keyed.browser.get(`/oauth/v2/authorize?${query}`);
    expect(page!.text).toContain('invalid_request_object');
    const { id_token: idToken } = await rp.tokens(alice);
    expect(await refused(idToken)).toBe('invalid_request_object');
    const request = await signRequest(world, keyed.client.key!, keyed.client.clientId, keyed.parameters());
    const asAssertion = {
      grant_type: 'refresh_token',
      refresh_token: 'gtr_none',
      client_assertion: request,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    };
    const reply = await new RelyingParty(world, { ...keyed.client, authMethod: 'none' }).token(asAssertion);
    expect(reply.json()).toMatchObject({ error: 'invalid_client' });
  });

  it('may express numbers, objects and lists as JSON does, which mean what the text means [JAR-006]', async () => {
    const claims = { id_token: { email: { essential: true } } };
    for (const member of [claims, JSON.stringify(claims)]) {
      const { code } = await answered(await objectOf({}, { claims: { claims: member } }));
      expect(await rp.verify(tokensOf(await rp.redeem(code!)).id_token)).toMatchObject({ email: alice.email });
    }
    world.clock.advance('10m');
    for (const limit of [100_000, '100000'])
      expect((await answered(await objectOf({}, { claims: { max_age: limit } })))['code']).toBeTruthy();
    for (const limit of [599, '599', 0, '0'])
      expect((await ask(await objectOf({}, { claims: { max_age: limit } }))).page?.status).toBe(200);
    const answer = await answered(await objectOf({}, { claims: { resource: ['urn:example:unknown'] } }));
    expect(answer).toMatchObject({ error: 'invalid_target', state: 'S1' });
  });

  it.each<[string, unknown[]]>([
    ['max_age', [1.5, true, null, [600], { seconds: 600 }, 2 ** 60]],
    ['claims', [null, true, 5]],
    ['resource', [[1], { uri: 'urn:example:a' }, [['urn:example:a']], 5]],
    ['nonce', [5, null, ['a', 'b'], false]],
    ['redirect_uri', [['https://a.test/', 'https://b.test/']]],
  ])('is refused if the type of its %s leaves a doubt about what it means [JAR-006]', async (name, values) => {
    for (const value of values)
      expect([value, await refused(await objectOf({}, { claims: { [name]: value } }))]).toEqual([
        value,
        'invalid_request_object',
      ]);
  });

  it('is refused with claims or a max_age that would be refused as a parameter [JAR-006]', async () => {
    const doubtful = [
      { claims: '{"id_token":{"email":null},"id_token":{}}' },
      { claims: '["id_token"]' },
      { claims: ['id_token'] },
      { claims: { id_token: true } },
      { max_age: -1 },
      { max_age: '600s' },
      { max_age: '1e3' },
      { max_age: 2 ** 40 },
    ];
    for (const claims of doubtful)
      expect([claims, await answered(await objectOf({}, { claims }))]).toMatchObject([
        claims,
        { error: 'invalid_request' },
      ]);
  });

  it('is refused at the redirect URI beside it, if that is registered', async () => {
    const beside = { redirect_uri: rp.client.redirectUri, state: 'out', response_type: 'code' };
    const answer = await answered(await objectOf({}, { claims: { aud: 'https://other.test' } }), beside);
    expect(answer).toMatchObject({ error: 'invalid_request_object', state: 'out' });
  });

  it('may be required, also of what is pushed [JAR-007]', async () => {
    await change({ requireSignedRequests: true });
    expect(answerOf((await rp.authorize()).redirect!)).toMatchObject({ error: 'invalid_request', state: 'S1' });
    const pushed = await rp.post(PAR, rp.parameters());
    expect([pushed.status, pushed.json<{ error: string }>().error]).toEqual([400, 'invalid_request']);
    expect((await answered(await objectOf()))['code']).toBeTruthy();
    expect((await rp.post(PAR, { request: await objectOf() })).status).toBe(201);
    await change({ requireSignedRequests: false });
  });

  it('is in the metadata (RFC 9101 §9.2)', async () => {
    expect(await world.discovery()).toMatchObject({
      request_parameter_supported: true,
      request_uri_parameter_supported: false,
      request_object_signing_alg_values_supported: expect.arrayContaining([...ALGORITHMS]),
    });
  });
});
