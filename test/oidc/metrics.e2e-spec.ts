import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { SessionService } from '../../src/session/session.service.js';
import { EDITOR, makeKey, type TestPerson } from '../support/builders.js';
import { Device } from '../support/device.js';
import { DocumentServer } from '../support/document-server.js';
import { freePort } from '../support/free-port.js';
import { type Headers, type Reply, send, sendUnchecked } from '../support/http.js';
import { LogoutReceiver } from '../support/logout-receiver.js';
import { Prover } from '../support/proof.js';
import { bearer, paths, RelyingParty, tokensOf } from '../support/relying-party.js';
import { signRequest } from '../support/request-object.js';
import { actedBy, exchangeOf, USER_ID_TYPE } from '../support/token-exchange.js';
import { startWorld, type World } from '../support/world.js';
import { LogoutStage } from './logout-stage.js';

const REGISTER = '/oauth/v2/register';
const PAR = '/oauth/v2/par';

let world: World;
let server: DocumentServer;
let receiver: LogoutReceiver;
let alice: TestPerson;
let port: number;

beforeAll(async () => {
  [server, receiver, port] = [await DocumentServer.start(), await LogoutReceiver.open(), await freePort()];
  const env = { ...server.env, METRICS_PORT: String(port), REGISTRATION: 'open', REQUEST_URI: 'registered' };
  world = await startWorld({ env, loginLimits: 'on' });
  server.resolveIn(world);
  alice = await world.cast.alice;
});
afterAll(async () => {
  await world.close();
  await receiver.close();
  await server.close();
});

/** The values of one metric, by what its label says. */
async function figures(name: string, at = port): Promise<Record<string, number>> {
  const { text } = await sendUnchecked(`http://127.0.0.1:${at}`, { path: '/metrics' });
  const lines = text.matchAll(new RegExp(`^${name}\\{[a-z]+="([^"]*)"\\} ([0-9.e+-]+)$`, 'gm'));
  return Object.fromEntries([...lines].map(([, label, value]) => [label, Number(value)]));
}

async function party(grantTypes: readonly string[] = [], settings: object = {}): Promise<RelyingParty> {
  const client = await world.add.client({
    projectId: await world.cast.projectP,
    grantTypes: ['authorization_code', 'refresh_token', ...grantTypes] as never,
    ...settings,
  });
  return new RelyingParty(world, client);
}

describe('The metrics of further protocols', () => {
  it('count the requests of devices, and what their users decide', async () => {
    const device = new Device(world, (await party(['device_code'])).client);
    const [first, second] = [await device.start(), await device.start(), await device.start()];
    await device.approve(first, alice);
    await device.decide(await device.toConfirmation(second, alice), 'cancel');
    await device.pollLater(first);
    expect(await figures('gatehouse_device_authorizations_total')).toEqual({ begun: 3, approved: 1, denied: 1 });
    expect(await figures('gatehouse_token_responses_total')).toMatchObject({
      'urn:ietf:params:oauth:grant-type:device_code': 1,
    });
  });

  it('count exchanges by who uses the result, and every one that is refused', async () => {
    const rp = await party(['token_exchange']);
    const support = await world.add.person({ orgId: alice.orgId });
    const level = { level: 'org', objectId: alice.orgId, orgId: alice.orgId } as const;
    await world.add.member(support.id, ['ORG_END_USER_IMPERSONATOR'], level);
    await world.get(InstanceService).setImpersonation(true, EDITOR);
    await world.changesToArrive();
    const { access_token: token } = await rp.elsewhere().tokens(alice);
    const { access_token: actor } = await rp.elsewhere().tokens(support);
    tokensOf(await rp.token(exchangeOf(token)));
    tokensOf(await rp.token(exchangeOf(token)));
    tokensOf(await rp.token(exchangeOf(alice.id, { subject_token_type: USER_ID_TYPE, ...actedBy(actor) })));
    for (const over of [{ subject_token: 'unknown' }, { scope: 'email' }, { audience: 'elsewhere' }, actedBy(token)])
      expect((await rp.token(exchangeOf(token, over))).status).toBe(400);
    expect(await figures('gatehouse_token_exchanges_total')).toEqual({ by_user: 2, by_actor: 1, refused: 4 });
  });

  it('count the calls that tell applications of logouts, and show what waits and what was given up', async () => {
    const stage = new LogoutStage(world, receiver);
    const applications = [await stage.application(), await stage.application(), await stage.application()];
    const [, refusing, failing] = applications;
    receiver.will(refusing!.name, 400);
    receiver.will(failing!.name, 500, 500, 500, 500);
    const first = await stage.use(applications[0]!, alice);
    for (const application of applications.slice(1)) await stage.use(application, alice, first.rp.browser);
    const [session] = await world.rows<{ id: string }>(
      'SELECT session_id AS id FROM session_client WHERE client_id = $1',
      [refusing!.client.clientId],
    );
    await world.transaction((tx) => world.get(SessionService).end(tx, [session!.id]));
    await stage.deliver();
    expect(await figures('gatehouse_logout_calls_total')).toEqual({ accepted: 1, refused: 1, failed: 1 });
    expect(await figures('gatehouse_logout_notices')).toEqual({ waiting: 1, dead: 1 });
    await world.rows(`UPDATE logout_notice SET created_at = now() - interval '1 hour' WHERE state = 'waiting'`);
    const ages = await figures('gatehouse_logout_notices_oldest_seconds');
    expect([Math.floor(ages['waiting']! / 60), Object.keys(ages).sort()]).toEqual([60, ['dead', 'waiting']]);
  });

  it('count registrations by what was done', async () => {
    const call = async (method: string, path: string, token?: string, body?: object): Promise<Reply> => {
      const headers: Headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : bearer(token)) };
      return send(world.origin, { method, path, headers, ...(body && { body: JSON.stringify(body) }) });
    };
    const metadata = { redirect_uris: ['https://rp.test/cb'] };
    const made = (await call('POST', REGISTER, undefined, metadata)).json<Record<string, string>>();
    const { client_id: clientId, registration_access_token: token } = made;
    for (const secret of [token, made['client_secret']]) world.plant(secret);
    const own = `${REGISTER}/${clientId}`;
    await call('GET', own, token);
    await call('GET', own, 'unknown');
    await call('PUT', own, token, { client_id: clientId, ...metadata, client_name: 'Other' });
    await call('POST', REGISTER, undefined, { redirect_uris: ['https://rp.test/#fragment'] });
    await call('DELETE', own, token);
    expect(await figures('gatehouse_registrations_total')).toEqual({
      registered: 1,
      read: 1,
      changed: 1,
      removed: 1,
      refused: 2,
    });
  });

  it('count documents of clients: read, refused, and too many of one host', async () => {
    const ask = async (path: string): Promise<number> => {
      const query = { client_id: server.origin + path, redirect_uri: `${server.origin}/callback` };
      const more = { response_type: 'code', scope: 'openid', code_challenge_method: 'S256' };
      const search = new URLSearchParams({ ...query, ...more, code_challenge: 'A'.repeat(43) });
      return (await send(world.origin, { path: `${paths.authorize}?${search}` })).status;
    };
    for (const name of ['good', 'better']) server.describe(`/figures/${name}.json`);
    server.describe('/figures/bad.json', { client_secret: 'x' });
    const names = ['good', 'better', 'bad', 'missing', 'missing', 'missing', 'good'];
    const statuses: number[] = [];
    for (const name of names) statuses.push(await ask(`/figures/${name}.json`));
    expect(statuses.slice(2)).toEqual([400, 400, 400, 429, statuses[0]]);
    expect(await figures('gatehouse_client_documents_total')).toEqual({ read: 2, refused: 3, limited: 1 });
  });

  it('count request objects that were fetched: read, refused, and too many of one host', async () => {
    const key = { ...(await makeKey('ES256')), kid: 'own' };
    const jwks = { keys: [{ ...key.publicJwk, kid: key.kid }] };
    const ask = async (names: readonly number[], missing: readonly number[]): Promise<void> => {
      const uris = names.map((n) => `${server.origin}/objects/${n}.jwt`);
      const rp = await party([], { jwks, requestUris: uris });
      const body = await signRequest(world, key, rp.client.clientId, rp.parameters());
      for (const n of names.filter((name) => !missing.includes(name)))
        server.publish(`/objects/${n}.jwt`, { headers: { 'Content-Type': 'application/jwt' }, body });
      for (const uri of uris) {
        const query = new URLSearchParams({ client_id: rp.client.clientId, request_uri: uri });
        await send(world.origin, { path: `${paths.authorize}?${query}` });
      }
    };
    await ask([...Array(20).keys()], [18, 19]);
    await ask([20, 21], []);
    expect(await figures('gatehouse_request_objects_total')).toEqual({ read: 18, refused: 2, limited: 2 });
  });

  it('count pushed requests, and why they were refused', async () => {
    const rp = await party();
    expect((await rp.post(PAR, rp.parameters())).status).toBe(201);
    expect((await rp.post(PAR, { ...rp.parameters(), request_uri: 'urn:x' })).status).toBe(400);
    expect(await figures('gatehouse_refusals_total')).toMatchObject({ 'oidc.request_uri_pushed': 1 });
    const { text } = await sendUnchecked(`http://127.0.0.1:${port}`, { path: '/metrics' });
    for (const status of [201, 400])
      expect(text).toContain(`http_request_duration_seconds_count{method="POST",route="${PAR}",status="${status}"} 1`);
  });

  it('count proofs of keys: accepted, refused, replayed, without a nonce', async () => {
    const other = await freePort();
    const strict = await startWorld({
      replicaOf: world,
      env: { DPOP_NONCE: 'on', METRICS_PORT: String(other) },
    });
    const [rp, prover] = [await party(), await Prover.make(world)];
    const ask = async (at: World, proof: Headers): Promise<string> => {
      const reply = await rp.redeem(await rp.code(alice), {}, at, proof);
      return reply.status === 200 ? 'ok' : reply.json<{ error: string }>().error;
    };
    const proof = await prover.forTokens();
    const bad = await prover.forTokens({ claims: { htm: 'GET' } });
    expect([await ask(world, proof), await ask(world, proof), await ask(world, bad)]).toEqual([
      'ok',
      'invalid_dpop_proof',
      'invalid_dpop_proof',
    ]);
    expect(await ask(strict, await prover.forTokens())).toBe('use_dpop_nonce');
    expect(await figures('gatehouse_dpop_proofs_total')).toEqual({ accepted: 1, refused: 1, replayed: 1 });
    expect(await figures('gatehouse_dpop_proofs_total', other)).toEqual({ without_nonce: 1 });
    await strict.close();
  });
});
