import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { send, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { RelyingParty } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';

let world: World;
let metricsOrigin: string;

beforeAll(async () => {
  const port = await freePort();
  metricsOrigin = `http://127.0.0.1:${port}`;
  world = await startWorld({ env: { METRICS_PORT: String(port) } });
});
afterAll(() => world.close());

async function metrics(): Promise<string> {
  return (await sendUnchecked(metricsOrigin, { path: '/metrics' })).text;
}

describe('METRICS_PORT', () => {
  it('offers what Prometheus asks for: requests by route, the process, the event loop', async () => {
    await send(world.origin, { path: '/admin/v1/text/default/message/init/en' });
    await sendHttp2(world.origin, {
      method: 'POST',
      path: '/service.admin.v1.AdminService/Healthz',
      headers: { 'content-type': 'application/grpc' },
      body: Buffer.alloc(5),
    });
    const text = await metrics();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="POST",route="/service.admin.v1.AdminService/Healthz",status="200"} 1',
    );
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/admin/v1/text/default/message/init/:language",status="401"} 1',
    );
    for (const name of ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_seconds'])
      expect(text).toContain(name);
  });

  it('offers what alarms need: sign-ins, tokens, refusals, waiting work, mails, jobs and the age of keys', async () => {
    const client = await world.add.client({ projectId: world.firstStart.projectId });
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    const rp = new RelyingParty(world, client);
    await rp.enter(await rp.authorize(), { ...person, password: 'Wrong-Password-1' });
    const tokens = await new RelyingParty(world, client).tokens(person, { scope: 'openid offline_access' });
    await rp.refresh(tokens.refresh_token);
    await rp.refresh('unknown');
    await world.rows("UPDATE signing_key SET activated_at = now() - interval '2 days' WHERE state = 'active'");
    const text = await metrics();
    for (const line of [
      'gatehouse_sign_ins_total{result="succeeded",reason="here"} 1',
      'gatehouse_token_responses_total{grant="authorization_code"} 1',
      'gatehouse_token_responses_total{grant="refresh_token"} 1',
      'gatehouse_refusals_total{reason="oidc.refresh_token_unknown"} 1',
      'gatehouse_password_checks_waiting{hash="own"} 0',
      'gatehouse_password_checks_waiting{hash="imported"} 0',
      'gatehouse_database_connections{state="waiting"} 0',
    ])
      expect(text).toContain(line);
    expect(text).toMatch(/^gatehouse_sign_ins_total\{result="refused",reason="password_wrong"\} [1-9]/m);
    expect(text).toMatch(/^gatehouse_database_connections\{state="total"\} [1-9]/m);
    expect(text).toMatch(/^gatehouse_signing_key_age_seconds 1728\d\d/m);
  });

  it('offers how many e-mails wait and were given up, and for how long', async () => {
    const person = await world.add.person({ orgId: world.firstStart.orgId });
    const [user] = [person.id];
    await world.rows(
      `INSERT INTO outbox (id, user_id, org_id, kind, recipient, recipient_key, state, due_at, created_at, expires_at)
       SELECT 'dead-' || n, $1, $2, 'init', 'a@b.test', 'a@b.test', 'dead', now(), now() - interval '1 hour', now() FROM generate_series(1, 3) n`,
      [user, world.firstStart.orgId],
    );
    const text = await metrics();
    expect(text).toContain('gatehouse_mails{state="dead"} 3');
    expect(text).toMatch(/^gatehouse_mails_oldest_seconds\{state="dead"\} 36\d\d/m);
  });

  it('has as many series as routes, whatever strangers ask for [OPS-011]', async () => {
    const before = (await metrics()).split('\n').length;
    for (let i = 0; i < 100; i += 1) {
      await send(world.origin, { path: `/nothing-${i}`, method: ['GET', 'PROPFIND', 'MKCOL', 'SEARCH'][i % 4]! });
      await send(world.origin, { path: `/admin/v1/text/default/message/init/x-${i}` });
    }
    const after = await metrics();
    expect(after.split('\n').length - before).toBeLessThan(60);
    expect(after).not.toMatch(/nothing-|x-99|PROPFIND/);
  });

  it('serves nothing else there, and no metrics on the public listener', async () => {
    expect((await sendUnchecked(metricsOrigin, { path: '/' })).status).toBe(404);
    expect((await sendUnchecked(metricsOrigin, { path: '/metrics', method: 'POST' })).status).toBe(404);
    expect((await send(world.origin, { path: '/metrics' })).status).toBe(404);
  });

  it('listens on METRICS_HOST, which need not be the host of the service', async () => {
    const port = await freePort();
    const other = await startWorld({ env: { METRICS_PORT: String(port), METRICS_HOST: '127.0.0.2' } });
    expect((await sendUnchecked(`http://127.0.0.2:${port}`, { path: '/metrics' })).status).toBe(200);
    await expect(sendUnchecked(`http://127.0.0.1:${port}`, { path: '/metrics' })).rejects.toThrow('ECONNREFUSED');
    await other.close();
  });
});
