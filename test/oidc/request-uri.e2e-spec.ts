import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import { ClientService } from '../../src/client/client.service.js';
import type { ClientSettings } from '../../src/client/client-settings.js';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { AdminApi } from '../support/admin-api.js';
import { type Arrival, Browser } from '../support/browser.js';
import { EDITOR, makeKey, type TestKey, type TestPerson } from '../support/builders.js';
import { DocumentServer } from '../support/document-server.js';
import { type Parameters, type Reply, send } from '../support/http.js';
import { type Answer, answerOf, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { type ObjectChanges, signRequest } from '../support/request-object.js';
import { openSink } from '../support/sink.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';

const PAR = '/oauth/v2/par';
const REGISTER = '/oauth/v2/register';
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
const SETTINGS = { REQUEST_URI: 'registered', REGISTRATION: 'open' };

let server: DocumentServer;
let world: World;
let alice: TestPerson;
let keys: Map<string, TestKey>;
let count = 0;

beforeAll(async () => {
  server = await DocumentServer.start();
  world = await startWorld({ env: { ...server.env, ...SETTINGS } });
  server.resolveIn(world);
  alice = await world.cast.alice;
  const made = await Promise.all(ALGORITHMS.map(async (alg) => [alg, { ...(await makeKey(alg)), kid: alg }] as const));
  keys = new Map(made);
});
afterAll(async () => {
  await world.close();
  await server.close();
});
beforeEach(() => {
  world.clock.advance('1s');
});

/** An application that has registered these addresses, with a browser in which alice is signed in. */
async function partyWith(
  requestUris: readonly string[],
  settings: Partial<ClientSettings> = {},
): Promise<RelyingParty> {
  const jwks = { keys: [...keys].map(([kid, { publicJwk }]) => ({ ...publicJwk, kid })) };
  const projectId = await world.cast.projectP;
  const client = await world.add.client({ projectId, jwks, requestUris: [...requestUris], ...settings });
  const rp = new RelyingParty(world, client);
  if (settings.requirePushedRequests !== true) await rp.signIn(alice);
  return rp;
}

function newPath(): string {
  return `/requests/${(count += 1)}.jwt`;
}

async function objectOf(
  rp: RelyingParty,
  over: Parameters = {},
  changes: ObjectChanges = {},
  key = keys.get('ES256')!,
): Promise<string> {
  return signRequest(world, key, rp.client.clientId, rp.parameters(over), changes);
}

function publish(path: string, body: string, headers: Readonly<Record<string, string>> = {}): string {
  return server.publish(path, { headers: { 'Content-Type': 'application/oauth-authz-req+jwt', ...headers }, body });
}

/** With the address, `client_id`, and nothing else unless it is given. */
async function ask(rp: RelyingParty, requestUri: string, beside: Record<string, string> = {}): Promise<Arrival> {
  const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri: requestUri, ...beside });
  return rp.browser.get(`${paths.authorize}?${query}`);
}

async function answered(rp: RelyingParty, requestUri: string, beside: Record<string, string> = {}): Promise<Answer> {
  const { redirect, page } = await ask(rp, requestUri, beside);
  if (redirect === undefined) throw new Error(`A page came: ${page!.status} ${page!.text.slice(0, 300)}`);
  return answerOf(redirect);
}

/** The error on the page; no address is known to send it to. */
async function refused(rp: RelyingParty, requestUri: string): Promise<string> {
  const { page, redirect } = await ask(rp, requestUri);
  expect([redirect, page!.status]).toEqual([undefined, 400]);
  return /invalid_request_uri|request_uri_not_supported|invalid_request\b/.exec(page!.text)?.[0] ?? page!.text;
}

/** An application whose only address has this content. */
async function partyAt(
  path: string,
  contents: (rp: RelyingParty) => Promise<string> | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly rp: RelyingParty; readonly uri: string }> {
  const rp = await partyWith([server.origin + path]);
  return { rp, uri: publish(path, await contents(rp), headers) };
}

describe('A request object at an address that its client has registered (OIDC Core §6.2, RFC 9101 §5.2)', () => {
  it.each(ALGORITHMS)('is as good as its parameters, with %s [JAR-009]', async (alg) => {
    const { rp, uri } = await partyAt(newPath(), (party) =>
      objectOf(party, { nonce: alg, state: alg }, {}, keys.get(alg)!),
    );
    const { code, state } = await answered(rp, uri);
    const { id_token: idToken } = tokensOf(await rp.redeem(code!));
    expect([state, (await rp.verify(idToken))['nonce']]).toEqual([alg, alg]);
  });

  it('is all that counts: parameters beside it are ignored, but a response_type must agree', async () => {
    const { rp, uri } = await partyAt(newPath(), (party) => objectOf(party, { state: undefined }));
    const beside = { scope: 'openid email', redirect_uri: 'https://evil.test/', state: 'out', prompt: 'none' };
    const answer = await answered(rp, uri, beside);
    expect([answer['state'], tokensOf(await rp.redeem(answer['code']!)).scope]).toEqual([undefined, 'openid']);
    const { page } = await ask(rp, uri, { response_type: 'id_token' });
    expect(page!.text).toContain('invalid_request_uri');
  });

  it.each([
    ['a plain text', { 'Content-Type': 'text/plain' }],
    ['the type that the suite sends', { 'Content-Type': 'application/jose' }],
    ['the type of any JWT', { 'Content-Type': 'application/jwt;charset=utf-8' }],
  ])('may be served as %s, and end with a line break', async (_, headers) => {
    const { rp, uri } = await partyAt(newPath(), async (party) => `${await objectOf(party)}\n`, headers);
    expect((await answered(rp, uri))['code']).toBeTruthy();
  });

  it('counts as signed where requests must be signed', async () => {
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, rp.client.id, { requireSignedRequests: true }, EDITOR),
    );
    await world.changesToArrive();
    expect((await answered(rp, publish(path, await objectOf(rp))))['code']).toBeTruthy();
  });

  it('is fetched from exactly the registered text: no other spelling, and no other fragment [JAR-009]', async () => {
    const path = newPath();
    const uri = `${server.origin}${path}#first`;
    const rp = await partyWith([uri]);
    publish(path, await objectOf(rp));
    const others = [
      server.origin + path,
      `${server.origin}${path}#second`,
      `${server.origin}${path}?#first`,
      `${server.origin}${path}/#first`,
      uri.replace('https', 'HTTPS'),
      uri.replace('provider.test', 'PROVIDER.test'),
      uri.replace('provider.test', 'provider.test.'),
      uri.replace('https://', 'https://user@'),
      uri.replace('/requests/', '/x/../requests/'),
      uri.replace('/requests/', '/%72equests/'),
      ` ${uri}`,
      'https://169.254.169.254/latest/meta-data/',
      'file:///etc/passwd',
      `${server.origin}/${'x'.repeat(600)}`,
    ];
    const before = server.requests.length;
    for (const other of others) expect([other, await refused(rp, other)]).toEqual([other, 'invalid_request_uri']);
    const stranger = await partyWith([]);
    expect(await refused(stranger, uri)).toBe('invalid_request_uri');
    expect(server.requests).toHaveLength(before);
    expect((await answered(rp, uri))['code']).toBeTruthy();
    expect(server.requests.slice(before)).toEqual([path]);
  });

  it.each<[string, (rp: RelyingParty) => Promise<string> | string]>([
    ['has expired', (rp) => objectOf(rp, {}, { claims: { exp: 1_000_000_000 } })],
    ['is not valid yet', (rp) => objectOf(rp, {}, { claims: { nbf: 4_000_000_000 } })],
    ['is for another server', (rp) => objectOf(rp, {}, { claims: { aud: 'https://other.test' } })],
    ['is for nobody', (rp) => objectOf(rp, {}, { claims: { aud: undefined } })],
    ['is of another client', (rp) => objectOf(rp, {}, { claims: { iss: 'other' } })],
    ['names another client', (rp) => objectOf(rp, {}, { claims: { client_id: 'other' } })],
    ['leads to another address', (rp) => objectOf(rp, {}, { claims: { request_uri: `${server.origin}/next` } })],
    ['contains another object', async (rp) => objectOf(rp, {}, { claims: { request: await objectOf(rp) } })],
    ['is of another type', (rp) => objectOf(rp, {}, { header: { typ: 'at+jwt' } })],
    ['is signed by another key', async (rp) => objectOf(rp, {}, {}, { ...(await makeKey('ES256')), kid: 'ES256' })],
    ['names the key of another algorithm', (rp) => objectOf(rp, {}, { header: { kid: 'RS256' } })],
    ['is signed by nobody', async (rp) => `${encode({ alg: 'none' })}.${(await objectOf(rp)).split('.')[1] ?? ''}.`],
    [
      'is signed with a public key as a secret',
      async (rp) =>
        new CompactSign(Buffer.from((await objectOf(rp)).split('.')[1]!, 'base64url'))
          .setProtectedHeader({ alg: 'HS256', kid: 'ES256' })
          .sign(Buffer.from(JSON.stringify(keys.get('ES256')!.publicJwk))),
    ],
    ['is encrypted', () => 'a.b.c.d.e'],
    ['is empty', () => ''],
    ['is a page', () => '<!doctype html><title>Sign in</title>'],
    ['is the parameters themselves', (rp) => JSON.stringify(rp.parameters())],
    ['is larger than 16 kB', (rp) => objectOf(rp, { state: 'x'.repeat(13_000) })],
    ['has a megabyte', () => 'x'.repeat(1_000_000)],
  ])('is refused if it %s [JAR-009]', async (_, contents) => {
    const { rp, uri } = await partyAt(newPath(), contents);
    expect(await refused(rp, uri)).toBe('invalid_request_uri');
  });

  it.each<[string, () => { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }]>([
    ['is not there', () => ({ status: 404 })],
    ['is at a server that fails', () => ({ status: 500 })],
    ['is elsewhere', () => ({ status: 302, headers: { Location: `${server.origin}/requests/good.jwt` } })],
    ['is in an inner network', () => ({ status: 307, headers: { Location: 'http://169.254.169.254/' } })],
    ['is compressed', () => ({ headers: { 'Content-Encoding': 'gzip' } })],
    ['is not the whole answer', () => ({ status: 206 })],
  ])('is refused if it %s, and no redirect is followed [JAR-009]', async (_, how) => {
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    const body = await objectOf(rp);
    publish('/requests/good.jwt', body);
    const uri = server.publish(path, { body, ...how() });
    const before = server.requests.length;
    expect(await refused(rp, uri)).toBe('invalid_request_uri');
    expect(server.requests.slice(before)).toEqual([path]);
  });

  it('is refused if it comes too slowly, without a sign of what is there [JAR-009]', async () => {
    const hasty = await startWorld({
      replicaOf: world,
      env: { ...server.env, ...SETTINGS },
      timeouts: new Timeouts(200),
    });
    server.resolveIn(hasty);
    const path = newPath();
    const rp = (await partyWith([server.origin + path])).elsewhere().goTo(hasty);
    const uri = server.hold(path);
    const beside = { redirect_uri: rp.client.redirectUri, state: 'out', response_type: 'code' };
    const answer = await answered(rp, uri, beside);
    expect(answer).toEqual({
      error: 'invalid_request_uri',
      error_description: expect.stringMatching(/^The request_uri must be registered/),
      state: 'out',
      iss: world.issuer,
    });
    await hasty.close();
  });

  it('is not asked for at a private address, by number or by name, or on this machine [JAR-009]', async () => {
    const sink = await openSink();
    const careful = await startWorld({ replicaOf: world, env: SETTINGS });
    server.resolveIn(careful); // A name of the internet that leads into this machine.
    const uris = [sink.url, sink.url.replace('127.0.0.1', 'localhost'), `${server.origin}/requests/private.jwt`];
    const others = [
      'https://10.0.0.1/r.jwt',
      'https://[::1]/r.jwt',
      'https://0x7f000001/r.jwt',
      'https://2130706433/r',
    ];
    const rp = (await partyWith([...uris, ...others])).elsewhere().goTo(careful);
    const before = server.requests.length;
    for (const uri of [...uris, ...others]) expect([uri, await refused(rp, uri)]).toEqual([uri, 'invalid_request_uri']);
    expect([sink.connections, server.requests.length]).toEqual([0, before]);
    await careful.close();
    await sink.close();
  });

  it('is refused at the redirect URI beside it, if that is registered; otherwise on a page', async () => {
    const rp = await partyWith([]);
    const beside = { redirect_uri: rp.client.redirectUri, state: 'out', response_type: 'code' };
    const answer = await answered(rp, `${server.origin}/unregistered.jwt`, beside);
    expect(answer).toMatchObject({ error: 'invalid_request_uri', state: 'out', iss: world.issuer });
    const elsewhere = { ...beside, redirect_uri: 'https://evil.test/' };
    expect((await ask(rp, `${server.origin}/unregistered.jwt`, elsewhere)).redirect).toBeUndefined();
  });

  it('is not fetched for a request that is refused anyway: another one beside it, twice, or one that must be pushed', async () => {
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    const uri = publish(path, await objectOf(rp));
    const pushing = await partyWith([uri], { requirePushedRequests: true });
    const before = server.requests.length;
    const beside = { redirect_uri: rp.client.redirectUri, response_type: 'code' };
    const both = await answered(rp, uri, { ...beside, request: await objectOf(rp) });
    expect(both).toMatchObject({ error: 'invalid_request', error_description: expect.stringContaining('not both') });
    const query = new URLSearchParams([['client_id', rp.client.clientId], ...Object.entries(beside)]);
    const { redirect } = await rp.browser.get(
      `${paths.authorize}?${query}&${new URLSearchParams([
        ['request_uri', uri],
        ['request_uri', uri],
      ])}`,
    );
    expect(answerOf(redirect!)['error']).toBe('invalid_request');
    const unpushed = { redirect_uri: pushing.client.redirectUri, response_type: 'code' };
    expect((await answered(pushing, uri, unpushed))['error']).toBe('invalid_request');
    const { page } = await new Browser(world).get(`${paths.authorize}?${new URLSearchParams({ request_uri: uri })}`);
    expect(page!.status).toBe(400);
    expect(server.requests).toHaveLength(before);
  });

  it('is no pushed request: what is pushed stays as it was, and names no address', async () => {
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    const uri = publish(path, await objectOf(rp));
    const pushed = await rp.post(PAR, { request_uri: uri });
    expect([pushed.status, pushed.json()['error']]).toEqual([400, 'invalid_request']);
    const inObject = await rp.post(PAR, { request: await objectOf(rp, {}, { claims: { request_uri: uri } }) });
    expect([inObject.status, inObject.json()['error']]).toEqual([400, 'invalid_request_object']);
    const { request_uri: urn } = (await rp.post(PAR, rp.parameters())).json<{ request_uri: string }>();
    expect((await answered(rp, urn))['code']).toBeTruthy();
    expect(await refused(rp, `${urn}x`)).toBe('invalid_request_uri');
    expect(server.requests).not.toContain(path);
  });

  it('costs no statement more than its parameters', async () => {
    const { rp, uri } = await partyAt(newPath(), (party) => objectOf(party));
    await answered(rp, uri);
    const own = async (work: () => Promise<unknown>): Promise<number> =>
      (await statementsDuring(work)).filter((text) => /^(?:auth_request|session|token|client)\b/.test(text)).length;
    expect(await own(() => ask(rp, uri))).toBe(await own(() => rp.authorize()));
  });
});

describe('What is fetched for it', () => {
  it('is fetched each time, unless its server says for how long it may be kept', async () => {
    const [fresh, kept] = [newPath(), newPath()];
    const rp = await partyWith([server.origin + fresh, server.origin + kept, `${server.origin}${kept}#2`]);
    publish(fresh, await objectOf(rp, { state: 'one' }));
    publish(kept, await objectOf(rp, { state: 'one' }), { 'Cache-Control': 'public, max-age=60' });
    const states = async (): Promise<Array<string | undefined>> => [
      (await answered(rp, server.origin + fresh))['state'],
      (await answered(rp, server.origin + kept))['state'],
    ];
    expect(await states()).toEqual(['one', 'one']);
    publish(fresh, await objectOf(rp, { state: 'two' }));
    publish(kept, await objectOf(rp, { state: 'two' }));
    expect(await states()).toEqual(['two', 'one']);
    expect((await answered(rp, `${server.origin}${kept}#2`))['state']).toBe('two');
    world.clock.advance('61s');
    expect(await states()).toEqual(['two', 'two']);
  });

  it.each(['no-store', 'no-cache', 'private, max-age=60', 'max-age=0', 'max-age=x'])(
    'is not kept with Cache-Control: %s',
    async (control) => {
      const { rp, uri } = await partyAt(newPath(), (party) => objectOf(party), { 'Cache-Control': control });
      const before = server.requests.length;
      for (const _ of [1, 2]) await answered(rp, uri);
      expect(server.requests).toHaveLength(before + 2);
    },
  );

  it('does not outlive its own times for having been kept', async () => {
    const { rp, uri } = await partyAt(newPath(), (party) => objectOf(party), { 'Cache-Control': 'max-age=3600' });
    expect((await answered(rp, uri))['code']).toBeTruthy();
    world.clock.advance('400s');
    expect(await refused(rp, uri)).toBe('invalid_request_uri');
  });

  it('is shared by those who ask at the same time', async () => {
    const { rp, uri } = await partyAt(newPath(), (party) => objectOf(party));
    const before = server.requests.length;
    const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri: uri });
    const asked = await Promise.all(
      Array.from({ length: 20 }, () => send(world.origin, { path: `${paths.authorize}?${query}` })),
    );
    expect(asked.map(({ status }) => status)).toEqual(Array(20).fill(asked[0]!.status));
    expect(asked[0]!.status).toBeLessThan(400);
    expect(server.requests.length - before).toBeLessThan(20);
  });

  it('is not asked for again for ten seconds after a failure', async () => {
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    const uri = server.publish(path, { status: 503, body: '' });
    expect(await refused(rp, uri)).toBe('invalid_request_uri');
    publish(path, await objectOf(rp));
    const before = server.requests.length;
    expect(await refused(rp, uri)).toBe('invalid_request_uri');
    expect(server.requests).toHaveLength(before);
    world.clock.advance('11s');
    expect((await answered(rp, uri))['code']).toBeTruthy();
  });

  it('is asked for twenty times a second at most, of one organization and host', async () => {
    const limited = await startWorld({
      replicaOf: world,
      env: { ...server.env, ...SETTINGS },
      loginLimits: 'on',
    });
    server.resolveIn(limited);
    const stem = newPath();
    const rps = await Promise.all(
      [0, 1].map((n) => partyWith(Array.from({ length: 20 }, (_, m) => `${server.origin}${stem}/${n}/${m}`))),
    );
    const asked: Array<Promise<Reply>> = [];
    for (const [n, rp] of rps.entries()) {
      const object = await objectOf(rp);
      for (let m = 0; m < 20; m += 1) {
        const request_uri = publish(`${stem}/${n}/${m}`, object);
        const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri });
        asked.push(send(limited.origin, { path: `${paths.authorize}?${query}` }));
      }
    }
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    expect(server.requests.filter((path) => path.startsWith(stem))).toHaveLength(20);
    world.clock.advance('1s');
    const query = new URLSearchParams({
      client_id: rps[1]!.client.clientId,
      request_uri: `${server.origin}${stem}/1/19`,
    });
    expect((await send(limited.origin, { path: `${paths.authorize}?${query}` })).status).toBeLessThan(400);
    await limited.close();
  });
});

describe('REQUEST_URI', () => {
  it('is off by default: nothing is fetched, and nothing can be registered [JAR-009]', async () => {
    const off = await startWorld({ replicaOf: world, env: { ...server.env, REGISTRATION: 'open' } });
    server.resolveIn(off);
    const path = newPath();
    const rp = await partyWith([server.origin + path]);
    const uri = publish(path, await objectOf(rp));
    const there = rp.elsewhere().goTo(off);
    const beside = { redirect_uri: rp.client.redirectUri, response_type: 'code' };
    expect((await answered(there, uri, beside))['error']).toBe('request_uri_not_supported');
    expect(server.requests).not.toContain(path);
    const document = await off.discovery();
    expect(document['request_uri_parameter_supported']).toBe(false);
    expect(document).not.toHaveProperty('require_request_uri_registration');
    expect((await register({ request_uris: [uri] }, off)).json()).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringContaining('request_uris'),
    });
    await off.close();
  });

  it('is told in the metadata when it is on', async () => {
    expect(await world.discovery()).toMatchObject({
      request_uri_parameter_supported: true,
      require_request_uri_registration: true,
    });
  });

  it('lets applications register addresses, read them, and give them up (RFC 7591 §2, RFC 7592 §2)', async () => {
    const uri = `${server.origin}/r.jwt#x`;
    const reply = await register({ request_uris: [uri] });
    const answer = reply.json<Record<string, string>>();
    expect([reply.status, answer['request_uris']]).toEqual([201, [uri]]);
    const replaced = await send(world.origin, {
      method: 'PUT',
      path: `${REGISTER}/${answer['client_id']}`,
      headers: {
        Authorization: `Bearer ${answer['registration_access_token']}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ client_id: answer['client_id'], redirect_uris: ['https://rp.test/cb'] }),
    });
    expect([replaced.status, replaced.json()]).toEqual([200, expect.not.objectContaining({ request_uris: [uri] })]);
    for (const bad of ['http://rp.test/r', 'https://user@rp.test/r', `https://rp.test/${'x'.repeat(512)}`])
      expect((await register({ request_uris: [bad] })).json()).toMatchObject({ error: 'invalid_client_metadata' });
  });

  it('lets documents name addresses of their own origin', async () => {
    const jwks = { keys: [{ ...keys.get('ES256')!.publicJwk, kid: 'ES256' }] };
    const statusOf = async (requestUris: readonly string[]): Promise<number> => {
      const clientId = server.describe(`${newPath()}/client.json`, { jwks, request_uris: requestUris });
      const parameters = {
        client_id: clientId,
        redirect_uri: `${server.origin}/callback`,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      const uri = publish(
        new URL(requestUris[0]!).pathname,
        await signRequest(world, keys.get('ES256')!, clientId, parameters),
      );
      const query = new URLSearchParams({ client_id: clientId, request_uri: uri });
      return (await new Browser(world).get(`${paths.authorize}?${query}`)).page!.status;
    };
    expect(await statusOf([server.origin + newPath()])).toBe(200);
    expect(await statusOf([`https://other.test${newPath()}`])).toBe(400);
  });

  it('lets administrators set them, and names what is wrong', async () => {
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const projectId = await world.add.project({ orgId: world.firstStart.orgId });
    const apps = `/management/v1/projects/${projectId}/apps`;
    const config = { redirectUris: ['https://rp.test/cb'], authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE' };
    const uris = ['https://rp.test/r.jwt#a', 'http://localhost:3000/r.jwt'];
    const added = await admin.ask('POST', `${apps}/oidc`, { name: 'By reference', ...config, requestUris: { uris } });
    const { appId, complianceProblems } = added.json<{ appId: string; complianceProblems?: unknown[] }>();
    expect([added.status, complianceProblems ?? []]).toEqual([200, []]);
    const now = async (): Promise<unknown> =>
      (await admin.ask('GET', `${apps}/${appId}`)).json<{ app: { oidcConfig: Record<string, unknown> } }>().app
        .oidcConfig['requestUris'];
    const put = async (over: Record<string, unknown>): Promise<Reply> =>
      admin.ask('PUT', `${apps}/${appId}/oidc_config`, { ...config, ...over });
    await put({ devMode: true });
    expect(await now()).toEqual({ uris });
    for (const bad of ['http://rp.test/r.jwt', 'https://rp.test/a b', 'urn:x', `https://rp.test/${'x'.repeat(512)}`]) {
      const reply = await put({ requestUris: { uris: ['https://rp.test/r.jwt', bad] } });
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('requestUris.uris')]);
    }
    expect((await put({ requestUris: { uris: [uris[0], uris[0]] } })).status).toBe(400);
    await put({ requestUris: {} });
    expect(await now()).toEqual({ uris: [] });
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

async function register(metadata: Record<string, unknown>, at = world): Promise<Reply> {
  const jwks = { keys: [{ ...keys.get('ES256')!.publicJwk, kid: 'ES256' }] };
  return send(at.origin, {
    method: 'POST',
    path: REGISTER,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://rp.test/cb'], jwks, ...metadata }),
  });
}
