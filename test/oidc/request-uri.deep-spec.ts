import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CompactSign } from 'jose';
import { Timeouts } from '../../src/foundation/time/timeouts.js';
import { ClientService } from '../../src/project/client/client.service.js';
import { Browser } from '../support/browser.js';
import { EDITOR, makeKey } from '../support/builders.js';
import type { DocumentServer } from '../support/document-server.js';
import { answerOf, paths, type RelyingParty, tokensOf } from '../support/relying-party.js';
import { openSink } from '../support/sink.js';
import { statementsDuring } from '../support/statement-counter.js';
import { startWorld, type World } from '../support/world.js';
import { ALGORITHMS, RequestUriStage, SETTINGS } from './request-uri-stage.js';

const PAR = '/oauth/v2/par';

let stage: RequestUriStage;
let server: DocumentServer;
let world: World;

beforeAll(async () => {
  stage = await RequestUriStage.set();
  ({ server, world } = stage);
});
afterAll(() => stage.close());
beforeEach(() => {
  world.clock.advance('1s');
});

describe('A request object at an address that its client has registered (OIDC Core §6.2, RFC 9101 §5.2)', () => {
  it.each(ALGORITHMS)('is as good as its parameters, with %s [JAR-009]', async (alg) => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), (party) =>
      stage.objectOf(party, { nonce: alg, state: alg }, {}, stage.keys.get(alg)),
    );
    const { code, state } = await stage.answered(rp, uri);
    const { id_token: idToken } = tokensOf(await rp.redeem(code!));
    expect([state, (await rp.verify(idToken))['nonce']]).toEqual([alg, alg]);
  });

  it('is all that counts: parameters beside it are ignored, but a response_type must agree', async () => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), (party) => stage.objectOf(party, { state: undefined }));
    const beside = { scope: 'openid email', redirect_uri: 'https://evil.test/', state: 'out', prompt: 'none' };
    const answer = await stage.answered(rp, uri, beside);
    expect([answer['state'], tokensOf(await rp.redeem(answer['code']!)).scope]).toEqual([undefined, 'openid']);
    const { page } = await stage.ask(rp, uri, { response_type: 'id_token' });
    expect(page!.text).toContain('invalid_request_uri');
  });

  it.each([
    ['a plain text', { 'Content-Type': 'text/plain' }],
    ['the type that the suite sends', { 'Content-Type': 'application/jose' }],
    ['the type of any JWT', { 'Content-Type': 'application/jwt;charset=utf-8' }],
  ])('may be served as %s, and end with a line break', async (_, headers) => {
    const { rp, uri } = await stage.partyAt(
      stage.newPath(),
      async (party) => `${await stage.objectOf(party)}\n`,
      headers,
    );
    expect((await stage.answered(rp, uri))['code']).toBeTruthy();
  });

  it('counts as signed where requests must be signed', async () => {
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    await world.transaction((tx) =>
      world.get(ClientService).changeSettings(tx, rp.client.id, { requireSignedRequests: true }, EDITOR),
    );
    await world.changesToArrive();
    expect((await stage.answered(rp, stage.publish(path, await stage.objectOf(rp))))['code']).toBeTruthy();
  });

  it('is fetched from exactly the registered text: no other spelling, and no other fragment [JAR-009]', async () => {
    const path = stage.newPath();
    const uri = `${server.origin}${path}#first`;
    const rp = await stage.partyWith([uri]);
    stage.publish(path, await stage.objectOf(rp));
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
    for (const other of others) expect([other, await stage.refused(rp, other)]).toEqual([other, 'invalid_request_uri']);
    const stranger = await stage.partyWith([]);
    expect(await stage.refused(stranger, uri)).toBe('invalid_request_uri');
    expect(server.requests).toHaveLength(before);
    expect((await stage.answered(rp, uri))['code']).toBeTruthy();
    expect(server.requests.slice(before)).toEqual([path]);
  });

  it.each<[string, (rp: RelyingParty) => Promise<string> | string]>([
    ['has expired', (rp) => stage.objectOf(rp, {}, { claims: { exp: 1_000_000_000 } })],
    ['is not valid yet', (rp) => stage.objectOf(rp, {}, { claims: { nbf: 4_000_000_000 } })],
    ['is for another server', (rp) => stage.objectOf(rp, {}, { claims: { aud: 'https://other.test' } })],
    ['is for nobody', (rp) => stage.objectOf(rp, {}, { claims: { aud: undefined } })],
    ['is of another client', (rp) => stage.objectOf(rp, {}, { claims: { iss: 'other' } })],
    ['names another client', (rp) => stage.objectOf(rp, {}, { claims: { client_id: 'other' } })],
    ['leads to another address', (rp) => stage.objectOf(rp, {}, { claims: { request_uri: `${server.origin}/next` } })],
    [
      'contains another object',
      async (rp) => stage.objectOf(rp, {}, { claims: { request: await stage.objectOf(rp) } }),
    ],
    ['is of another type', (rp) => stage.objectOf(rp, {}, { header: { typ: 'at+jwt' } })],
    [
      'is signed by another key',
      async (rp) => stage.objectOf(rp, {}, {}, { ...(await makeKey('ES256')), kid: 'ES256' }),
    ],
    ['names the key of another algorithm', (rp) => stage.objectOf(rp, {}, { header: { kid: 'RS256' } })],
    [
      'is signed by nobody',
      async (rp) => `${encode({ alg: 'none' })}.${(await stage.objectOf(rp)).split('.')[1] ?? ''}.`,
    ],
    [
      'is signed with a public key as a secret',
      async (rp) =>
        new CompactSign(Buffer.from((await stage.objectOf(rp)).split('.')[1]!, 'base64url'))
          .setProtectedHeader({ alg: 'HS256', kid: 'ES256' })
          .sign(Buffer.from(JSON.stringify(stage.keys.get('ES256')!.publicJwk))),
    ],
    ['is encrypted', () => 'a.b.c.d.e'],
    ['is empty', () => ''],
    ['is a page', () => '<!doctype html><title>Sign in</title>'],
    ['is the parameters themselves', (rp) => JSON.stringify(rp.parameters())],
    ['is larger than 16 kB', (rp) => stage.objectOf(rp, { state: 'x'.repeat(13_000) })],
    ['has a megabyte', () => 'x'.repeat(1_000_000)],
  ])('is refused if it %s [JAR-009]', async (_, contents) => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), contents);
    expect(await stage.refused(rp, uri)).toBe('invalid_request_uri');
  });

  it.each<[string, () => { readonly status?: number; readonly headers?: Readonly<Record<string, string>> }]>([
    ['is not there', () => ({ status: 404 })],
    ['is at a server that fails', () => ({ status: 500 })],
    ['is elsewhere', () => ({ status: 302, headers: { Location: `${server.origin}/requests/good.jwt` } })],
    ['is in an inner network', () => ({ status: 307, headers: { Location: 'http://169.254.169.254/' } })],
    ['is compressed', () => ({ headers: { 'Content-Encoding': 'gzip' } })],
    ['is not the whole answer', () => ({ status: 206 })],
  ])('is refused if it %s, and no redirect is followed [JAR-009]', async (_, how) => {
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    const body = await stage.objectOf(rp);
    stage.publish('/requests/good.jwt', body);
    const uri = server.publish(path, { body, ...how() });
    const before = server.requests.length;
    expect(await stage.refused(rp, uri)).toBe('invalid_request_uri');
    expect(server.requests.slice(before)).toEqual([path]);
  });

  it('is refused if it comes too slowly, without a sign of what is there [JAR-009]', async () => {
    const hasty = await startWorld({
      replicaOf: world,
      env: { ...server.env, ...SETTINGS },
      timeouts: new Timeouts(200),
    });
    server.resolveIn(hasty);
    const path = stage.newPath();
    const rp = (await stage.partyWith([server.origin + path])).elsewhere().goTo(hasty);
    const uri = server.hold(path);
    const beside = { redirect_uri: rp.client.redirectUri, state: 'out', response_type: 'code' };
    const answer = await stage.answered(rp, uri, beside);
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
    const rp = (await stage.partyWith([...uris, ...others])).elsewhere().goTo(careful);
    const before = server.requests.length;
    for (const uri of [...uris, ...others])
      expect([uri, await stage.refused(rp, uri)]).toEqual([uri, 'invalid_request_uri']);
    expect([sink.connections, server.requests.length]).toEqual([0, before]);
    await careful.close();
    await sink.close();
  });

  it('is refused at the redirect URI beside it, if that is registered; otherwise on a page', async () => {
    const rp = await stage.partyWith([]);
    const beside = { redirect_uri: rp.client.redirectUri, state: 'out', response_type: 'code' };
    const answer = await stage.answered(rp, `${server.origin}/unregistered.jwt`, beside);
    expect(answer).toMatchObject({ error: 'invalid_request_uri', state: 'out', iss: world.issuer });
    const elsewhere = { ...beside, redirect_uri: 'https://evil.test/' };
    expect((await stage.ask(rp, `${server.origin}/unregistered.jwt`, elsewhere)).redirect).toBeUndefined();
  });

  it('is not fetched for a request that is refused anyway: another one beside it, twice, or one that must be pushed', async () => {
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    const uri = stage.publish(path, await stage.objectOf(rp));
    const pushing = await stage.partyWith([uri], { requirePushedRequests: true });
    const before = server.requests.length;
    const beside = { redirect_uri: rp.client.redirectUri, response_type: 'code' };
    const both = await stage.answered(rp, uri, { ...beside, request: await stage.objectOf(rp) });
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
    expect((await stage.answered(pushing, uri, unpushed))['error']).toBe('invalid_request');
    const { page } = await new Browser(world).get(`${paths.authorize}?${new URLSearchParams({ request_uri: uri })}`);
    expect(page!.status).toBe(400);
    expect(server.requests).toHaveLength(before);
  });

  it('is no pushed request: what is pushed stays as it was, and names no address', async () => {
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    const uri = stage.publish(path, await stage.objectOf(rp));
    const pushed = await rp.post(PAR, { request_uri: uri });
    expect([pushed.status, pushed.json()['error']]).toEqual([400, 'invalid_request']);
    const inObject = await rp.post(PAR, { request: await stage.objectOf(rp, {}, { claims: { request_uri: uri } }) });
    expect([inObject.status, inObject.json()['error']]).toEqual([400, 'invalid_request_object']);
    const { request_uri: urn } = (await rp.post(PAR, rp.parameters())).json<{ request_uri: string }>();
    expect((await stage.answered(rp, urn))['code']).toBeTruthy();
    expect(await stage.refused(rp, `${urn}x`)).toBe('invalid_request_uri');
    expect(server.requests).not.toContain(path);
  });

  it('costs no statement more than its parameters', async () => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), (party) => stage.objectOf(party));
    await stage.answered(rp, uri);
    const own = async (work: () => Promise<unknown>): Promise<number> =>
      (await statementsDuring(work)).filter((text) => /^(?:auth_request|session|token|client)\b/.test(text)).length;
    expect(await own(() => stage.ask(rp, uri))).toBe(await own(() => rp.authorize()));
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
