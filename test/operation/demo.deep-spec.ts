import { createServer } from 'node:http';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listen } from '../../src/foundation/http/listener.js';
import { freePort } from '../support/free-port.js';
import { send, sendUnchecked } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

async function startWithDemo(port: number): Promise<World> {
  const world = await startWorld({ env: { DEMO_PORT: String(port) } });
  worlds.push(world);
  await new Promise((resolve) => setTimeout(resolve, 100)); // it begins to listen when the service does
  return world;
}

describe('The demo application', () => {
  it('stands on an origin of its own, with no script from elsewhere and none in a page', async () => {
    const port = await freePort();
    const { issuer } = await startWithDemo(port);
    const origin = `http://127.0.0.1:${port}`;
    for (const [path, type] of [
      ['/', 'text/html'],
      ['/?code=x&state=y', 'text/html'],
      ['/silent.html', 'text/html'],
      ['/demo.js', 'text/javascript'],
      ['/silent.js', 'text/javascript'],
      ['/oidc-client-ts.js', 'text/javascript'],
      ['/demo.css', 'text/css'],
      ['/icon.svg', 'image/svg+xml'],
    ] as const) {
      const reply = await send(origin, { path });
      expect([path, reply.status, reply.header('content-type')]).toEqual([path, 200, `${type}; charset=utf-8`]);
      expect(reply.header('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      );
      expect(reply.header('content-security-policy')).not.toContain('unsafe');
      if (type === 'text/html') expect(reply.text).not.toMatch(/<script(?![^>]* src=)|style=|\son\w+=/i);
    }
    expect((await send(origin, { path: '/settings.json' })).json()).toMatchObject({
      authority: issuer,
      clientId: 'demo',
    });
  });

  it.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/demo.server.js',
    '/constructor',
    '/__proto__',
    '//evil.test',
    '/silent.html/x',
  ])('has nothing at %s', async (path) => {
    const [world] = worlds;
    expect((await send(world!.config.demo.origin!, { path })).status).toBe(404);
  });

  it('answers 405 to other methods', async () => {
    const reply = await sendUnchecked(worlds[0]!.config.demo.origin!, { method: 'POST', path: '/' });
    expect([reply.status, reply.header('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('is registered as a public client of that origin', async () => {
    const [row] = await worlds[0]!.rows<{ uris: string[] }>(
      "SELECT redirect_uris AS uris FROM client WHERE client_id = 'demo'",
    );
    expect(row?.uris).toEqual([`${worlds[0]!.config.demo.origin!}/`, `${worlds[0]!.config.demo.origin!}/silent.html`]);
  });

  it('is the only thing missing when its port is taken: the service runs, and the log names the setting', async () => {
    const port = await freePort();
    const other = createServer();
    await listen(other, port, '127.0.0.1');
    const world = await startWithDemo(port);
    expect((await send(world.origin, { path: '/health/ready' })).status).toBe(200);
    expect(world.logText()).toContain('DEMO_PORT cannot be used');
    await new Promise((resolve) => other.close(resolve));
  });

  it('ends with the service', async () => {
    const port = await freePort();
    const world = await startWorld({ env: { DEMO_PORT: String(port) } });
    await new Promise((resolve) => setTimeout(resolve, 100));
    await world.close();
    await expect(sendUnchecked(`http://127.0.0.1:${port}`, { path: '/' })).rejects.toThrow('ECONNREFUSED');
  });
});
