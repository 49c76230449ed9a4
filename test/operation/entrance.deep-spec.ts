import { afterAll, describe, expect, it } from '@jest/globals';
import { InstanceService } from '../../src/org/instance/instance.service.js';
import { PolicyService } from '../../src/org/policy/policy.service.js';
import { EDITOR } from '../support/builders.js';
import { send } from '../support/http.js';
import { startWorld, type World } from '../support/world.js';

const worlds: World[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

async function start(...options: Parameters<typeof startWorld>): Promise<World> {
  const world = await startWorld(...options);
  worlds.push(world);
  return world;
}

describe('The address that everybody opens first', () => {
  it('leads to everything that the start block names, in development', async () => {
    const world = await start({ env: { DEMO_PORT: '65004' } });
    const reply = await send(world.origin, { path: '/' });
    const { text } = reply;
    expect(reply.status).toBe(200);
    const links = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
    expect(links).toEqual([
      'http://127.0.0.1:65004/',
      '/ui/admin',
      '/ui/account',
      '/docs',
      '/dev/mail',
      '/.well-known/openid-configuration',
    ]);
    for (const path of links.slice(1)) expect([path, (await send(world.origin, { path })).status]).toEqual([path, 200]);
    expect(text).toContain(world.issuer);
    expect(text).toMatch(/gatehouse register .*--redirect-uri http:\/\/localhost:5173\/callback/s);
    for (const type of ['browser', 'web', 'native', 'device', 'api']) expect(text).toContain(`<code>${type}</code>`);
    for (const start of ['Laravel', 'Android and iOS', 'devices without a browser', 'MCP'])
      expect(text).toContain(start);
    expect(reply.header('content-security-policy')).not.toContain('unsafe');
    expect((await send(world.origin, { path: '/dev/entrance.css' })).header('content-type')).toContain('text/css');
  });

  it('tells no secrets: anybody who can reach the port may read it', async () => {
    const { origin, firstStart } = await start();
    const { text } = await send(origin, { path: '/' });
    expect(text).not.toContain(firstStart.adminPassword.reveal());
    expect(text).not.toContain(firstStart.personalAccessToken!.reveal());
  });

  it('leads to the overview in production, or where the login policy says, with nothing of development', async () => {
    const world = await start({
      loginLimits: 'on',
      env: { NODE_ENV: 'production', DATABASE_URL: 'postgres://unused', MASTER_KEY: 'a master key of production' },
    });
    const destination = async (): Promise<unknown[]> => {
      const reply = await send(world.origin, { path: '/' });
      return [reply.status, reply.header('location')];
    };
    expect(await destination()).toEqual([302, '/ui/admin']);
    const settings = { defaultRedirectUri: 'https://portal.test/' };
    const { id } = await world.get(InstanceService).get();
    await world.transaction((tx) => world.get(PolicyService).update(tx, 'login', id, settings, EDITOR));
    expect(await destination()).toEqual([302, '/ui/login/login']);
    expect((await send(world.origin, { path: '/dev/entrance.css' })).status).toBe(404);
  });
});
