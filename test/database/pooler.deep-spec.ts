import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { Pooler } from '../support/pooler.js';
import { settingsBeside } from '../support/processes.js';
import { RelyingParty, tokensOf } from '../support/relying-party.js';
import { beginProcess, type ServiceProcess, startProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const execute = promisify(execFile);

let world: World;
let pooler: Pooler;
let service: ServiceProcess;
let api: AdminApi;
/** DATABASE_URL behind the pooler. */
let pooled: string;

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  const direct = new URL(world.database.url);
  pooler = await Pooler.to({ host: decodeURIComponent(direct.hostname), port: Number(direct.port || 5432) });
  const user = direct.password === '' ? direct.username : `${direct.username}:${direct.password}`;
  pooled = `postgresql://${user}@127.0.0.1:${pooler.port}${direct.pathname}`;
  service = await startProcess(settings());
  const caller = await callerWith(world, await world.add.org(), ['IAM_OWNER']);
  api = new AdminApi(service.origin, caller.api.token);
});
afterAll(async () => {
  await service.close();
  await pooler.close();
  await world.close();
});

const settings = (): Record<string, string> => ({
  ...settingsBeside(world),
  DATABASE_URL: pooled,
  DATABASE_DIRECT_URL: world.database.url,
  LOGIN_LIMITS: 'off',
});

async function doctor(over: Record<string, string>): Promise<string> {
  const env = { PATH: process.env['PATH'], ...settings(), ...over };
  return execute(process.execPath, [MAIN, 'doctor'], { env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe('With DATABASE_DIRECT_URL, DATABASE_URL may lead to a pooler in transaction mode', () => {
  it('through which sign-ins, tokens, lists, exports and imports send nothing that belongs to one session', async () => {
    const before = pooler.statements;
    const rp = new RelyingParty(world, await world.cast.web1);
    rp.browser.at = service;
    const code = await rp.code(await world.cast.alice, { scope: 'openid offline_access' });
    const { refresh_token } = tokensOf(await rp.redeem(code, {}, service));
    const fresh = tokensOf(await rp.token({ grant_type: 'refresh_token', refresh_token }, service));
    expect((await rp.userinfo(fresh.access_token, service)).status).toBe(200);
    expect((await rp.introspect(fresh.access_token, {}, service)).json()).toMatchObject({ active: true });
    await api.call('POST', '/admin/v1/orgs/_search', {});
    const { id } = await api.call<{ id: string }>('POST', '/management/v1/projects', { name: 'Behind a pooler' });
    await api.call('DELETE', `/management/v1/projects/${id}`);
    const document = await api.call<{ orgs: unknown[] }>('POST', '/admin/v1/export', { withPasswords: true });
    await api.call('POST', '/admin/v1/import', { data_orgs: { orgs: document.orgs.slice(0, 1) } });
    expect(pooler.statements - before).toBeGreaterThan(20);
    expect(pooler.violations).toEqual([]);
  });

  it('and still hears of what other processes change', async () => {
    const { projectId } = world.firstStart;
    const client = await world.add.client({ projectId });
    const rp = new RelyingParty(world, client);
    rp.browser.at = service;
    expect((await rp.authorize()).page?.find('input[name="loginName"]')).toBeTruthy(); // from now on cached
    const elsewhere = new AdminApi(world.origin, api.token).about(world.firstStart.orgId);
    await elsewhere.call('POST', `/management/v1/projects/${projectId}/apps/${client.id}/_deactivate`, {});
    // Far sooner than a cached application expires by itself.
    for (const deadline = Date.now() + 10_000; (await rp.authorize()).page?.status !== 400; await sleep(50))
      expect(Date.now()).toBeLessThan(deadline);
    const report = await doctor({});
    expect(report).toMatch(/ok +connections +Changes that one process announces reach the others/);
    expect(report).toMatch(/note +connections +Statements through the pooler have no time limit/);
    expect(pooler.violations).toEqual([]);
  });
});

describe('Without DATABASE_DIRECT_URL, a pooler in DATABASE_URL', () => {
  it('stops the start with what to do', async () => {
    const refused = await beginProcess({ ...settings(), DATABASE_DIRECT_URL: '' });
    expect(await refused.exit).toEqual({ code: 1, signal: null });
    expect(refused.text()).toContain('DATABASE_URL leads to a pooler. Set DATABASE_DIRECT_URL');
    await refused.close();
  });

  it('is found by gatehouse doctor', async () => {
    expect(await doctor({ DATABASE_DIRECT_URL: '' })).toMatch(/WRONG +database .*leads to a pooler/);
  });
});
