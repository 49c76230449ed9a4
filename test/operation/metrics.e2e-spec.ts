import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { send, sendUnchecked } from '../support/http.js';
import { sendHttp2 } from '../support/http2.js';
import { startProcess } from '../support/service-process.js';
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

  it('has as many series as routes, whatever strangers ask for [OPS-011]', async () => {
    const before = (await metrics()).split('\n').length;
    for (let i = 0; i < 300; i += 1) {
      await send(world.origin, { path: `/nothing-${i}`, method: ['GET', 'PROPFIND', 'MKCOL', 'SEARCH'][i % 4]! });
      await send(world.origin, { path: `/admin/v1/text/default/message/init/x-${i}` });
    }
    const after = await metrics();
    expect(after.split('\n').length - before).toBeLessThan(60);
    expect(after).not.toMatch(/nothing-|x-299|PROPFIND/);
  });

  it('serves nothing else there, and no metrics on the public listener', async () => {
    expect((await sendUnchecked(metricsOrigin, { path: '/' })).status).toBe(404);
    expect((await sendUnchecked(metricsOrigin, { path: '/metrics', method: 'POST' })).status).toBe(404);
    expect((await send(world.origin, { path: '/metrics' })).status).toBe(404);
  });

  it('stops the start, with the name of the setting, when the port is taken', async () => {
    const port = new URL(metricsOrigin).port;
    await expect(startProcess({ METRICS_PORT: port })).rejects.toThrow(`METRICS_PORT ${port}`);
  });
});
