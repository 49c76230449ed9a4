import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith } from '../support/admin-api.js';
import { type TestOrg } from '../support/builders.js';
import { Processes, settingsBeside } from '../support/processes.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWorld, type World } from '../support/world.js';

/** Several pages of those whose names are reserved at once. */
const PEOPLE = 3_000;

/** Looks on; the processes stand on its database. */
let world: World;
let token: string;
let org: TestOrg;
const processes = new Processes(() => settingsBeside(world));

beforeAll(async () => {
  world = await startWorld({ realTime: true });
  ({ token } = (await callerWith(world, await world.add.org(), ['IAM_OWNER'])).api);
});
afterEach(() => processes.end());
afterAll(() => world.close());

async function start(): Promise<{ service: ServiceProcess; api: AdminApi }> {
  const service = await processes.start();
  return { service, api: new AdminApi(service.origin, token) };
}

/** People of an organization whose policy always said that names are unique in it. */
async function addMany(): Promise<void> {
  org = await world.add.org();
  await world.rows(`INSERT INTO domain_policy (owner_id, user_login_must_be_domain) VALUES ($1, true)`, [org.id]);
  await world.rows(
    `INSERT INTO user_account (id, org_id, kind, user_name, user_name_key, name_scope)
     SELECT $1 || '-' || n, $1, 'human', $1 || '.' || n, $1 || '.' || n, $1 FROM generate_series(1, $2::int) n`,
    [org.id, PEOPLE],
  );
}

const policy = (): string => `/admin/v1/orgs/${org.id}/policies/domain`;

async function unreserved(): Promise<number> {
  const [row] = await world.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM user_account WHERE name_scope = $1',
    [org.id],
  );
  return row!.count;
}

async function untilSomeAreReserved(): Promise<void> {
  for (const deadline = Date.now() + 30_000; (await unreserved()) === PEOPLE; await sleep(5)) {
    if (Date.now() > deadline) throw new Error('It never began.');
  }
}

/** Of the last of them, as a replica answers. */
async function loginNames(api: AdminApi): Promise<string[]> {
  const { user } = await api
    .about(org.id)
    .call<{ user: { loginNames: string[] } }>('GET', `/management/v1/users/${org.id}-${PEOPLE}`);
  return user.loginNames;
}

describe('Switching userLoginMustBeDomain off for many people', () => {
  it('that is killed in the middle has changed nothing visible, and continues from there when it is repeated', async () => {
    await addMany();
    const { service, api } = await start();
    const asked = api.ask('DELETE', policy()).catch(() => undefined);
    await untilSomeAreReserved();
    await Promise.all([service.kill(), asked]);
    const left = await unreserved();
    expect(left).toBeGreaterThan(0);
    const { api: again } = await start();
    const atDomain = `${org.id}.${PEOPLE}@${org.domain}`;
    expect(await loginNames(again)).toEqual([atDomain]);
    expect((await again.ask('DELETE', policy())).status).toBe(200);
    expect([await unreserved(), await loginNames(again)]).toEqual([0, [atDomain, `${org.id}.${PEOPLE}`]]);
  }, 120_000);

  it('may be asked of two replicas at once, and holds at both from its commit on', async () => {
    await addMany();
    const replicas = [await start(), await start()];
    const replies = await Promise.all(
      replicas.map(({ api }) => api.ask('PUT', policy(), { userLoginMustBeDomain: false })),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await unreserved()).toBe(0);
    for (const { api } of replicas) expect(await loginNames(api)).toHaveLength(2);
    await replicas[0]!.api.call('PUT', policy(), { userLoginMustBeDomain: true });
    for (const { api } of replicas) expect(await loginNames(api)).toEqual([`${org.id}.${PEOPLE}@${org.domain}`]);
  }, 120_000);
});
