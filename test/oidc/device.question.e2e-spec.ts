import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ClientService } from '../../src/project/client/client.service.js';
import type { ClientSettings } from '../../src/project/client/client-settings.js';
import { setState } from '../login/turns.js';
import { EDITOR, type TestClient, type TestPerson } from '../support/builders.js';
import { Device, outcomeOf } from '../support/device.js';
import { startWorld, type World } from '../support/world.js';
import { deviceClient, familiesOf, television } from './device-client.js';

let world: World;
let alice: TestPerson;
let tv: TestClient;
let device: Device;

beforeAll(async () => {
  world = await startWorld();
  alice = await world.cast.alice;
  tv = await television(world);
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.advance('1m');
  device = new Device(world, tv);
});

async function change(client: TestClient, settings: Partial<ClientSettings>): Promise<void> {
  await world.transaction((tx) => world.get(ClientService).changeSettings(tx, client.id, settings, EDITOR));
  await world.changesToArrive();
}

describe('A question of the device', () => {
  it('is answered at the interval, and an early one postpones nothing [DEV-005]', async () => {
    const codes = await device.start();
    const outcomes: string[] = [];
    for (const wait of ['0s', '1s', '1s', '3s', '6s'] as const) {
      world.clock.advance(wait);
      outcomes.push(outcomeOf(await device.poll(codes)));
    }
    expect(outcomes).toEqual([
      'authorization_pending',
      'slow_down',
      'slow_down',
      'authorization_pending',
      'authorization_pending',
    ]);
  });

  it('of another client finds nothing, and the right client still succeeds [DEV-002]', async () => {
    const other = new Device(world, await deviceClient(world));
    const codes = await device.start();
    await device.approve(codes, alice);
    expect(outcomeOf(await other.poll(codes))).toBe('invalid_grant');
    expect(outcomeOf(await device.poll(codes))).toBe('ok');
  });

  it('is refused once the user has declined', async () => {
    const codes = await device.start();
    const page = await device.decide(await device.toConfirmation(codes, alice), 'cancel');
    expect(page.heading).toBe('The device was refused');
    expect(outcomeOf(await device.poll(codes))).toBe('access_denied');
    expect(outcomeOf(await device.pollLater(codes))).toBe('access_denied');
  });

  it('is refused after ten minutes, and the page says that the code has expired [DEV-012]', async () => {
    const codes = await device.start();
    const page = await device.toConfirmation(codes, alice);
    world.clock.advance('601s');
    const late = await device.decide(page, 'continue');
    expect([late.status, late.heading]).toEqual([410, 'This code does not work any more']);
    expect(outcomeOf(await device.poll(codes))).toBe('expired_token');
    const answered = await device.start();
    await device.approve(answered, alice);
    world.clock.advance('601s');
    expect(outcomeOf(await device.poll(answered))).toBe('expired_token');
  });

  it.each<[string, (person: TestPerson) => Promise<void>]>([
    ['is locked', (person) => setState(world, person, 'locked')],
    ['is deactivated', (person) => setState(world, person, 'inactive')],
    ['has a new password', (person) => world.add.newPassword(person.id, 'Another-Horse-8')],
    [
      'has been signed out',
      async (person) => {
        await world.rows('UPDATE session SET ended_at = now() WHERE user_id = $1', [person.id]);
      },
    ],
  ])('gets no token if the user %s after agreeing [DEV-006]', async (_, happens) => {
    const person = await world.add.person({ orgId: alice.orgId });
    const codes = await device.start({ scope: 'openid offline_access' });
    await device.approve(codes, person);
    const before = await familiesOf(world, tv);
    await happens(person);
    expect(outcomeOf(await device.poll(codes))).toBe('access_denied');
    expect(await familiesOf(world, tv)).toBe(before);
  });

  it.each<[string, string, (client: TestClient) => Promise<void>]>([
    ['has lost the grant', 'unauthorized_client', (client) => change(client, { grantTypes: ['authorization_code'] })],
    [
      'was deactivated',
      'invalid_client',
      async (client) => {
        await world.transaction((tx) => world.get(ClientService).changeState(tx, client.id, 'inactive', EDITOR));
        await world.changesToArrive();
      },
    ],
    [
      'was removed',
      'invalid_client',
      async (client) => {
        await world.transaction((tx) => world.get(ClientService).remove(tx, client.id, EDITOR));
        await world.changesToArrive();
      },
    ],
  ])('gets no token if the application %s: %s [DEV-013]', async (_, error, happens) => {
    const client = await deviceClient(world);
    const own = new Device(world, client);
    const codes = await own.start();
    await own.approve(codes, alice);
    await happens(client);
    expect(outcomeOf(await own.poll(codes))).toBe(error);
  });

  it('gets no token of a client that has the same client id now', async () => {
    const client = await deviceClient(world, { authMethod: 'none' });
    const codes = await new Device(world, client).start();
    await new Device(world, client).approve(codes, alice);
    await world.transaction((tx) => world.get(ClientService).remove(tx, client.id, EDITOR));
    const again = await world.add.client({
      projectId: await world.cast.projectP,
      clientId: client.clientId,
      authMethod: 'none',
      grantTypes: ['device_code'],
      redirectUris: [],
    });
    await world.changesToArrive();
    expect(outcomeOf(await new Device(world, again).poll(codes))).toBe('invalid_grant');
  });

  it('is refused if the project admits only users with a role, and the role is gone [DEV-006]', async () => {
    const projectId = await world.add.project({ orgId: alice.orgId, projectRoleCheck: true }, ['viewer']);
    const own = new Device(world, await deviceClient(world, { projectId, authMethod: 'none' }));
    const without = await own.decide(await own.toConfirmation(await own.start(), alice), 'continue');
    expect([without.status, without.heading]).toEqual([403, 'This account cannot be used here']);
    const grantId = await world.add.grant(alice.id, projectId, alice.orgId, ['viewer']);
    const codes = await own.start();
    await own.approve(codes, alice);
    await world.rows('DELETE FROM user_grant WHERE id = $1', [grantId]);
    expect(outcomeOf(await own.poll(codes))).toBe('access_denied');
  });

  it('contains a code of its own kind, which its own application cannot use as another, nor another as it [DEV-018]', async () => {
    const grantTypes = ['authorization_code', 'refresh_token', 'device_code'] as const;
    const client = await world.add.client({ projectId: await world.cast.projectP, grantTypes: [...grantTypes] });
    const own = new Device(world, client);
    const codes = await own.start({ scope: 'openid offline_access' });
    await own.approve(codes, alice);
    const { refresh_token: refreshToken } = await own.client.tokens(alice, { scope: 'openid offline_access' });
    const code = await own.client.code(alice);
    const as = (prefix: string, token: string): string => {
      world.plant(prefix + token.slice(4));
      return prefix + token.slice(4);
    };
    for (const token of [codes.device_code, ...['gta_', 'gtc_', 'gtr_'].map((kind) => as(kind, codes.device_code))]) {
      expect((await own.client.introspect(token)).json()).toEqual({ active: false });
      expect(outcomeOf(await own.client.refresh(token))).toBe('invalid_grant');
      expect(outcomeOf(await own.client.redeem(token))).toBe('invalid_grant');
    }
    const others = [refreshToken, code, as('gtd_', refreshToken), as('gtd_', code)];
    for (const other of [...others, 'gtd_x', codes.user_code, `${codes.device_code}x`])
      expect(outcomeOf(await own.poll({ device_code: other }))).toBe('invalid_grant');
    expect(outcomeOf(await own.poll(codes))).toBe('ok');
    expect(outcomeOf(await own.client.refresh(refreshToken))).toBe('ok');
    expect(outcomeOf(await own.client.redeem(code))).toBe('ok');
  });
});
