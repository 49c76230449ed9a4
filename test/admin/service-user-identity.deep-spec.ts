import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminApi, callerWith } from '../support/admin-api.js';
import type { TestService } from '../support/builders.js';
import { send } from '../support/http.js';
import { basicAuth, paths } from '../support/relying-party.js';
import { startWorld, type World } from '../support/world.js';
import { SYSTEM_AUDIENCE } from './callers.js';

let world: World;
let ownerOfA: AdminApi;
let ownerOfB: AdminApi;

beforeAll(async () => {
  world = await startWorld();
  ownerOfA = (await callerWith(world, await world.cast.orgA, ['ORG_OWNER'])).api;
  ownerOfB = (await callerWith(world, await world.cast.orgB, ['ORG_OWNER'])).api;
});
afterAll(async () => world.close());

async function tokenOf(name: string, secret: string): Promise<string | undefined> {
  const body = { grant_type: 'client_credentials', scope: `openid ${SYSTEM_AUDIENCE}` };
  const reply = await send(world.origin, { method: 'POST', path: paths.token, headers: basicAuth(name, secret), body });
  const token = reply.json<{ access_token?: string }>().access_token;
  world.plant(token);
  return token;
}

async function secretOf(api: AdminApi, userId: string): Promise<string> {
  const { clientSecret } = await api.call<{ clientSecret: string }>('PUT', `/management/v1/users/${userId}/secret`);
  world.plant(clientSecret);
  return clientSecret;
}

describe('A service user of another organization', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await world.add.service({ orgId: (await world.cast.orgA).id });
  });

  it('continues to work if a service user gets a name equal to its id', async () => {
    expect(await ownerOfB.verdict('POST', '/management/v1/users/machine', { userName: service.id, name: 'x' })).toBe(
      '409 user.name_taken',
    );
    const other = await world.add.service({ orgId: (await world.cast.orgB).id });
    expect(await ownerOfB.verdict('PUT', `/management/v1/users/${other.id}/username`, { userName: service.id })).toBe(
      '409 user.name_taken',
    );
    expect(await tokenOf(service.id, service.secret)).toBeDefined();
  });

  it('continues to work if a service user gets an id equal to its name', async () => {
    expect(
      await ownerOfB.verdict('POST', '/management/v1/users/machine', {
        userName: 'mirror',
        userId: service.userName,
        name: 'x',
      }),
    ).toBe('409 user.id_taken');
    expect(await tokenOf(service.userName, service.secret)).toBeDefined();
  });

  it('continues to work if a service user gets a name equal to its id in other letters', async () => {
    await ownerOfA.call('POST', '/management/v1/users/machine', {
      userName: 'letters',
      userId: 'Letters-Id',
      name: 'x',
    });
    const secret = await secretOf(ownerOfA, 'Letters-Id');
    await ownerOfB.ask('POST', '/management/v1/users/machine', { userName: 'letters-id', name: 'x' });
    expect(await tokenOf('Letters-Id', secret)).toBeDefined();
  });
});

describe('Who is removed', () => {
  it('does not live on in tokens when another user gets the same id', async () => {
    await ownerOfA.call('POST', '/management/v1/users/machine', { userName: 'reborn-a', userId: 'reborn', name: 'x' });
    const token = (await tokenOf('reborn-a', await secretOf(ownerOfA, 'reborn')))!;
    const asked = new AdminApi(world.origin, token);
    expect(await asked.verdict('GET', '/auth/v1/users/me')).toBe('200');
    await ownerOfA.call('DELETE', '/management/v1/users/reborn');
    expect(await asked.verdict('GET', '/auth/v1/users/me')).toBe('401 token.dead');
    await ownerOfB.call('POST', '/management/v1/users/machine', { userName: 'reborn-b', userId: 'reborn', name: 'x' });
    expect(await asked.verdict('GET', '/auth/v1/users/me')).toBe('401 token.dead');
    await secretOf(ownerOfB, 'reborn'); // which counts on from where the new one began
    expect(await asked.verdict('GET', '/auth/v1/users/me')).toBe('401 token.dead');
  });

  it('is not mistaken for the service itself in the journal', async () => {
    expect(
      await ownerOfB.verdict('POST', '/management/v1/users/machine', {
        userName: 'nobody-in-particular',
        userId: 'system',
        name: 'x',
      }),
    ).toBe('400 userId');
  });
});
