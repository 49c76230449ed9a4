import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { EMPTY_LISTS } from '../admin/project-support.js';
import { closeServers, listen } from '../idp/outbound-support.js';
import { AdminApi } from '../support/admin-api.js';
import { Browser } from '../support/browser.js';
import type { DocumentServer } from '../support/document-server.js';
import { type Reply, send } from '../support/http.js';
import { answerOf, paths } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import { startWorld, type World } from '../support/world.js';
import { RequestUriStage, SETTINGS } from './request-uri-stage.js';

const REGISTER = '/oauth/v2/register';

let stage: RequestUriStage;
let server: DocumentServer;
let world: World;

beforeAll(async () => {
  stage = await RequestUriStage.set();
  ({ server, world } = stage);
});
afterAll(async () => {
  await stage.close();
  closeServers();
});
beforeEach(() => {
  world.clock.advance('1s');
});

describe('What is fetched for it', () => {
  it('is fetched each time, unless its server says for how long it may be kept', async () => {
    const [fresh, kept] = [stage.newPath(), stage.newPath()];
    const rp = await stage.partyWith([server.origin + fresh, server.origin + kept, `${server.origin}${kept}#2`]);
    stage.publish(fresh, await stage.objectOf(rp, { state: 'one' }));
    stage.publish(kept, await stage.objectOf(rp, { state: 'one' }), { 'Cache-Control': 'public, max-age=60' });
    const states = async (): Promise<Array<string | undefined>> => [
      (await stage.answered(rp, server.origin + fresh))['state'],
      (await stage.answered(rp, server.origin + kept))['state'],
    ];
    expect(await states()).toEqual(['one', 'one']);
    stage.publish(fresh, await stage.objectOf(rp, { state: 'two' }));
    stage.publish(kept, await stage.objectOf(rp, { state: 'two' }));
    expect(await states()).toEqual(['two', 'one']);
    expect((await stage.answered(rp, `${server.origin}${kept}#2`))['state']).toBe('two');
    world.clock.advance('61s');
    expect(await states()).toEqual(['two', 'two']);
  });

  it.each(['no-store', 'no-cache', 'private, max-age=60', 'max-age=0', 'max-age=x'])(
    'is not kept with Cache-Control: %s',
    async (control) => {
      const { rp, uri } = await stage.partyAt(stage.newPath(), (party) => stage.objectOf(party), {
        'Cache-Control': control,
      });
      const before = server.requests.length;
      for (const _ of [1, 2]) await stage.answered(rp, uri);
      expect(server.requests).toHaveLength(before + 2);
    },
  );

  it('does not outlive its own times for having been kept', async () => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), (party) => stage.objectOf(party), {
      'Cache-Control': 'max-age=3600',
    });
    expect((await stage.answered(rp, uri))['code']).toBeTruthy();
    world.clock.advance('400s');
    expect(await stage.refused(rp, uri)).toBe('invalid_request_uri');
  });

  it('is shared by those who ask at the same time', async () => {
    const { rp, uri } = await stage.partyAt(stage.newPath(), (party) => stage.objectOf(party));
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
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    const uri = server.publish(path, { status: 503, body: '' });
    expect(await stage.refused(rp, uri)).toBe('invalid_request_uri');
    stage.publish(path, await stage.objectOf(rp));
    const before = server.requests.length;
    expect(await stage.refused(rp, uri)).toBe('invalid_request_uri');
    expect(server.requests).toHaveLength(before);
    world.clock.advance('11s');
    expect((await stage.answered(rp, uri))['code']).toBeTruthy();
  });

  it('is waited for by its own users alone: the keys of others of the organization are fetched meanwhile', async () => {
    let connections = 0;
    const silent = (): Promise<string> => listen(createServer(() => void (connections += 1)));
    const hosts = [await silent(), await silent()];
    // More than an organization may have at once (foundation/outbound/shares.ts), of two hosts.
    const uris = hosts.flatMap((host) => Array.from({ length: 8 }, (_, n) => `http://${host}/${n}`));
    const slow = await stage.partyWith(uris);
    const jwksUri = server.publish(stage.newPath(), {
      body: JSON.stringify({ keys: [{ ...stage.keys.get('ES256')!.publicJwk, kid: 'ES256' }] }),
    });
    const quick = await stage.partyWith([], { jwks: null, jwksUri });
    let ended = 0;
    const waiting = uris.map(async (uri) => {
      const query = new URLSearchParams({ client_id: slow.client.clientId, request_uri: uri });
      const reply = await send(world.origin, { path: `${paths.authorize}?${query}` });
      ended += 1;
      return reply;
    });
    while (connections < 10) await setTimeout(10);
    const query = new URLSearchParams({ client_id: quick.client.clientId, request: await stage.objectOf(quick) });
    const { redirect } = await quick.browser.get(`${paths.authorize}?${query}`);
    // They give up after five seconds: whoever waited behind them would come after that.
    expect([ended, typeof answerOf(redirect!)['code']]).toEqual([0, 'string']);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(400);
  });

  it('is asked for twenty times a second at most, of one organization and host', async () => {
    const limited = await startWorld({
      replicaOf: world,
      env: { ...server.env, ...SETTINGS },
      loginLimits: 'on',
    });
    server.resolveIn(limited);
    const stem = stage.newPath();
    const rps = await Promise.all(
      [0, 1].map((n) => stage.partyWith(Array.from({ length: 20 }, (_, m) => `${server.origin}${stem}/${n}/${m}`))),
    );
    const asked: Array<Promise<Reply>> = [];
    for (const [n, rp] of rps.entries()) {
      const object = await stage.objectOf(rp);
      for (let m = 0; m < 20; m += 1) {
        const request_uri = stage.publish(`${stem}/${n}/${m}`, object);
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
  it('is off by default: nothing is fetched, and addresses that are registered are left out [JAR-009]', async () => {
    const off = await startWorld({ replicaOf: world, env: { ...server.env, REGISTRATION: 'open' } });
    server.resolveIn(off);
    const path = stage.newPath();
    const rp = await stage.partyWith([server.origin + path]);
    const uri = stage.publish(path, await stage.objectOf(rp));
    const there = rp.elsewhere().goTo(off);
    const beside = { redirect_uri: rp.client.redirectUri, response_type: 'code' };
    expect((await stage.answered(there, uri, beside))['error']).toBe('request_uri_not_supported');
    expect(server.requests).not.toContain(path);
    const document = await off.discovery();
    expect(document['request_uri_parameter_supported']).toBe(false);
    expect(document).not.toHaveProperty('require_request_uri_registration');
    // RFC 7591 §3.2.1: what is not offered is left out of the answer.
    const registered = await register({ request_uris: [uri] }, off);
    expect([registered.status, registered.json()]).toEqual([
      201,
      expect.not.objectContaining({ request_uris: expect.anything() }),
    ]);
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
    const jwks = { keys: [{ ...stage.keys.get('ES256')!.publicJwk, kid: 'ES256' }] };
    const statusOf = async (requestUris: readonly string[]): Promise<number> => {
      const clientId = server.describe(`${stage.newPath()}/client.json`, { jwks, request_uris: requestUris });
      const parameters = {
        client_id: clientId,
        redirect_uri: `${server.origin}/callback`,
        response_type: 'code',
        scope: 'openid',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      };
      const uri = stage.publish(
        new URL(requestUris[0]!).pathname,
        await signRequest(world, stage.keys.get('ES256')!, clientId, parameters),
      );
      const query = new URLSearchParams({ client_id: clientId, request_uri: uri });
      return (await new Browser(world).get(`${paths.authorize}?${query}`)).page!.status;
    };
    expect(await statusOf([server.origin + stage.newPath()])).toBe(200);
    expect(await statusOf([`https://other.test${stage.newPath()}`])).toBe(400);
  });

  it('lets administrators set them, and names what is wrong', async () => {
    const admin = new AdminApi(world.origin, world.firstStart.personalAccessToken!.reveal());
    const projectId = await world.add.project({ orgId: world.firstStart.orgId });
    const apps = `/management/v1/projects/${projectId}/apps`;
    const config = {
      ...EMPTY_LISTS,
      redirectUris: ['https://rp.test/cb'],
      authMethodType: 'OIDC_AUTH_METHOD_TYPE_NONE',
    };
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
    expect((await put({ requestUris: { uri: [] } })).status).toBe(400); // Misspelt, it would empty the list (ADM-088).
    expect(await now()).toEqual({ uris });
    await put({ requestUris: { uris: [] } });
    expect(await now()).toEqual({ uris: [] });
  });
});

async function register(metadata: Record<string, unknown>, at = world): Promise<Reply> {
  const jwks = { keys: [{ ...stage.keys.get('ES256')!.publicJwk, kid: 'ES256' }] };
  return send(at.origin, {
    method: 'POST',
    path: REGISTER,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://rp.test/cb'], jwks, ...metadata }),
  });
}
